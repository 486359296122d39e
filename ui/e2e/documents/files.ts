// Sample files for uploads.

/** A page with a picture of this many bytes, which the server keeps, unlike unused objects. */
const page = (bytes: number, catalog = '') => `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R ${catalog} >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /P 5 0 R >> >> >> endobj
4 0 obj << /Length 5 >> stream
/P Do
endstream endobj
5 0 obj << /Subtype /Image /Width 1 /Height 1 /Filter /DCTDecode /Length ${bytes} >> stream
${'P'.repeat(bytes)}
endstream endobj
trailer << /Root 1 0 R >>
startxref
0
%%EOF
`;

/** A PDF of slightly more than this many bytes, before and after the server rewrites it. */
export const pdf = (name: string, bytes = 2000) => {
  const content = page(Math.max(0, bytes - 700));
  return { name, mimeType: 'application/pdf', buffer: Buffer.concat([Buffer.from(content), Buffer.alloc(Math.max(0, bytes + 9 - content.length), ' ')]) };
};

/** A ZIP archive. */
export const portfolio = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(page(9, '/Collection << >>')) });

/** A grey dot, 1 by 1. */
export const png = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
});
