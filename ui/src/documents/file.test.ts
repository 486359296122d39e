// Refused files, and sizes in words.
import { expect, it } from 'vitest';
import { contentProblem, fileProblem, isImage, most_bytes, sizeText } from './file.ts';

const file = (name: string, size = 1000, type = '') => ({ name, size, type });

it.each([
  file('transcript.pdf'),
  file('PASSPORT.JPG'),
  file('scan.jpeg'),
  file('card.Png'),
  file('護照.pdf'),
  file('image', 1000, 'image/jpeg'),
  file('largest.pdf', most_bytes),
])('accepts %o', (chosen) => {
  expect(fileProblem(chosen)).toBeNull();
});

it.each([
  [file('notes.docx'), '“notes.docx” is not a PDF, JPG, JPEG or PNG. Please choose another file.'],
  [file('pdf'), /is not a PDF/],
  [file('photo.jpg.exe'), /is not a PDF/],
  [file('moving.gif', 10, 'image/gif'), /^“moving\.gif” is a GIF picture\./],
  [file('scan.TIF'), /is a TIFF picture/],
  [file('photo', 10, 'image/webp'), /is a WebP picture/],
  [file('photo.avif', 10, 'image/avif'), /is an AVIF picture/],
  [file('empty.png', 0), '“empty.png” is empty. Please choose another file.'],
  [file('scan.pdf', most_bytes + 1), '“scan.pdf” is 10.1 MB. Files can be up to 10MB. Please choose a smaller one.'],
  [file('IMG_0042.HEIC'), /HEIC photo\. Please choose a JPG/],
  [file('photo', 1000, 'image/heif'), /HEIC photo/],
])('refuses %o and says why', (chosen, words) => {
  expect(fileProblem(chosen)).toMatch(words);
});

/** A file with this content, one byte per character; jsdom's blobs cannot be read. */
const scan = (content: string) => ({
  name: 'scan.jpg',
  slice: (start: number, end: number) => ({
    arrayBuffer: () => Promise.resolve(Uint8Array.from(content.slice(start, end), (letter) => letter.charCodeAt(0)).buffer),
  }),
});

it.each([
  ['a PDF', '%PDF-1.7\n'],
  ['a PDF behind a mark of its encoding', '\xef\xbb\xbf%PDF-1.7\n'],
  ['a PDF behind the lines of a mail', `${' '.repeat(1019)}%PDF-1.7\n`],
  ['a JPG', '\xff\xd8\xff\xe0\0\x10JFIF'],
  ['a PNG', '\x89PNG\r\n\x1a\n'],
])('finds %s inside', async (_, content) => {
  await expect(contentProblem(scan(content))).resolves.toBeNull();
});

it.each([
  ['a renamed HEIC photo', '\0\0\0\x18ftypheic\0\0\0\0', /^“scan\.jpg” is a HEIC photo\. Please choose a JPG/],
  ['one of another brand', '\0\0\0\x24ftypmif1', /HEIC photo/],
  ['a renamed WebP picture', 'RIFF\x92\x03\0\0WEBPVP8 ', '“scan.jpg” is a WebP picture. Please save it as a JPG or PNG, or take a screenshot of it.'],
  ['a sound', 'RIFF\x92\x03\0\0WAVEfmt ', /is not a PDF/],
  ['a GIF picture', 'GIF89a\x01\0', /is a GIF picture/],
  ['a BMP picture', 'BM\x36\x10\0\0\0\0\0\0', /is a BMP picture/],
  ['a letter', 'BMW, dear office', /is not a PDF/],
  ['a TIFF picture', 'MM\0*\0\0\0\x08', /is a TIFF picture/],
  ['an AVIF picture', '\0\0\0\x20ftypavif\0\0\0\0avifmif1', /is an AVIF picture/],
  ['an AVIF picture of another brand', '\0\0\0\x20ftypmif1\0\0\0\0mif1avif', /is an AVIF picture/],
  ['a film', '\0\0\0\x18ftypmp42', /is not a PDF/],
  ['words', 'Dear office, %PD', '“scan.jpg” is not a PDF, JPG, JPEG or PNG. Please choose another file.'],
  ['a PDF that begins too late', `${' '.repeat(1020)}%PDF-1.4`, /is not a PDF/],
])('says of %s what it is not', async (_, content, words) => {
  await expect(contentProblem(scan(content))).resolves.toMatch(words);
});

it('says that a file cannot be read', async () => {
  const gone = { name: 'gone.pdf', slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) };
  await expect(contentProblem(gone)).resolves.toBe('“gone.pdf” could not be read. Please choose it again, or another file.');
});

it.each([
  [999, '999 bytes'],
  [1000, '1 KB'],
  [340 * 1024, '340 KB'],
  [1024 * 1024 - 1, '1000 KB'],
  [1024 * 1024, '1 MB'],
  [1_258_292, '1.3 MB'],
  [most_bytes, '10 MB'],
])('writes %s bytes as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

it('knows what can be shown as a picture', () => {
  expect(isImage(file('a.JPG'))).toBe(true);
  expect(isImage(file('a', 1, 'image/png'))).toBe(true);
  expect(isImage(file('a.pdf', 1, 'application/pdf'))).toBe(false);
});
