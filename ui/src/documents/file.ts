// Upload rules (sections 5 and 9), checked before sending and again by the server, which examines the content.

import type { DocumentUsage } from '../api-types.ts';

export const most_bytes = 10 * 1024 * 1024;
export const acceptedFiles = '.pdf,.jpg,.jpeg,.png';
export const fileHint = 'PDF, JPG, JPEG or PNG, up to 10MB. A PDF loses its digital signature; the office sees that it had one.';

/** Section 8's words, for a form without a file or a type. */
export const missingInformation = 'Missing Information: Please select a file and document type.';

type ChosenFile = Pick<File, 'name' | 'size' | 'type'>;

type ReadableFile = { name: string; slice: (start: number, end: number) => Pick<Blob, 'arrayBuffer'> };

/** Refused picture formats: endings of names or types, first bytes as Latin-1, and the name in messages. */
const otherPictures: [mark: RegExp, kind: string][] = [
  [/[./]avif$|^.{4}ftyp(avi[fs]|m[is]f1.{4,52}avif)/is, 'n AVIF picture'],
  [/[./]hei[cf]$|^.{4}ftyp(he[iv][cxms]|m[is]f1)/is, ''],
  [/[./]webp$|^RIFF.{4}WEBP/is, ' WebP picture'],
  [/[./]gif$|^GIF8/i, ' GIF picture'],
  [/[./]bmp$|^BM.{4}\0{4}/is, ' BMP picture'],
  [/[./]tiff?$|^(II\*|MM\0\*)/i, ' TIFF picture'],
];

/** Why a picture of this format cannot be uploaded, or null. */
export function otherPictureProblem(name: string, ...texts: string[]): string | null {
  for (const [mark, kind] of otherPictures) {
    if (texts.some((text) => mark.test(text))) {
      return `“${name}” is a${kind ? `${kind}. Please save it as a JPG or PNG, or take a screenshot of it.` : ' HEIC photo. Please choose a JPG instead: on an iPhone take a screenshot of the photo, or choose “Most Compatible” under Settings, Camera, Formats and take it again.'}`;
    }
  }
  return null;
}

const otherKindWords = (name: string) => `“${name}” is not a PDF, JPG, JPEG or PNG. Please choose another file.`;

/** Why a file cannot be uploaded, by its name and size, or null. */
export function fileProblem({ name, size, type }: ChosenFile): string | null {
  // Some phones omit the file extension; then the MIME type decides.
  const isAccepted = [name, type].some((text) => /[./](pdf|jpe?g|png)$/i.test(text));
  if (!isAccepted) return otherPictureProblem(name, name, type) ?? otherKindWords(name);
  if (size === 0) return `“${name}” is empty. Please choose another file.`;
  if (size > most_bytes) return `“${name}” is ${sizeText(size)}. Files can be up to 10MB. Please choose a smaller one.`;
  return null;
}

/** Why a file exceeds a student's storage, or null; the server decides if the usage is unknown. */
export function roomProblem({ name, size }: Pick<File, 'name' | 'size'>, usage: Pick<DocumentUsage, 'bytes' | 'maxBytes'> | undefined): string | null {
  if (!usage || usage.bytes + size <= usage.maxBytes) return null;
  return `“${name}” is ${sizeText(size)}, and your documents take up ${sizeText(usage.bytes)} of ${sizeText(usage.maxBytes)}. Please choose a smaller file, or remove a document that the office has not looked at yet.`;
}

/** PDF readers accept the header within the first kilobyte, and so does the server. */
const beginning_bytes = 1024;

/** Why a file cannot be uploaded, by its content, or null: the name may not match. */
export async function contentProblem(file: ReadableFile): Promise<string | null> {
  let beginning: string;
  try {
    // In Latin-1 every byte is one character.
    const bytes = new Uint8Array(await file.slice(0, beginning_bytes).arrayBuffer());
    beginning = String.fromCharCode(...bytes);
  } catch {
    return `“${file.name}” could not be read. Please choose it again, or another file.`;
  }
  const isAccepted = /^(\xff\xd8\xff|\x89PNG)|%PDF-/.test(beginning);
  return isAccepted ? null : otherPictureProblem(file.name, beginning) ?? otherKindWords(file.name);
}

export function isImage({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return type.startsWith('image/') || /\.(jpe?g|png)$/i.test(name);
}

/** "1.2 MB", "340 KB": rounded up, so that a file just above the limit does not look like one just below. */
export function sizeText(bytes: number): string {
  const megabytes = bytes / (1024 * 1024);
  if (megabytes >= 1) return `${Math.ceil(megabytes * 10) / 10} MB`;
  return bytes >= 1000 ? `${Math.min(1000, Math.ceil(bytes / 1024))} KB` : `${bytes} bytes`;
}
