// Which files are refused before they are sent, and how sizes read.
import { expect, it } from 'vitest';
import { fileProblem, isImage, most_bytes, sizeText } from './file.ts';

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
  [file('moving.gif', 10, 'image/gif'), /is not a PDF/],
  [file('empty.png', 0), '“empty.png” is empty. Please choose another file.'],
  [file('scan.pdf', most_bytes + 1), '“scan.pdf” has 10.1 MB. A file may have up to 10MB. Please choose a smaller one.'],
  [file('IMG_0042.HEIC'), /HEIC photo\. Please choose a JPG/],
  [file('photo', 1000, 'image/heif'), /HEIC photo/],
])('refuses %o and says why', (chosen, words) => {
  expect(fileProblem(chosen)).toMatch(words);
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
