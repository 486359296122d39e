// The documents that students hold in their hands.

/** A page with nothing on it, followed by as much white space as is wanted. */
const page = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >> endobj
trailer << /Root 1 0 R >>
startxref
0
%%EOF
`;

export const pdf = (name: string, bytes = 2000) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from(page), Buffer.alloc(Math.max(0, bytes + 9 - page.length), ' ')]),
});

/** The same page with a script that runs when it is opened. */
export const scriptedPdf = (name: string) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(page.replace('/Type /Catalog', '/Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >>')),
});

/** A grey dot, 1 by 1. */
export const png = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
});
