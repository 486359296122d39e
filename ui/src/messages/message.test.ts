// Subjects, replies and links of messages.
import { expect, test } from 'vitest';
import { linkPieces, replyLink, subjectLabel } from './message.ts';

test('a subject has its label', () => {
  expect(subjectLabel('courses')).toBe('Course Information');
});

test('an answer goes to the writer and names the subject', () => {
  expect(replyLink({ email: 'zoe@mail.example', subject: 'admission' })).toBe('mailto:zoe@mail.example?subject=Re%3A%20Admission%20Inquiry');
});

test('an address cannot add anything to the answer', () => {
  expect(replyLink({ email: 'a?bcc=x&y%20@mail.example', subject: 'other' })).toBe('mailto:a%3Fbcc%3Dx%26y%2520@mail.example?subject=Re%3A%20Other');
});

test.each([
  ['No link here.', ['No link here.']],
  ['See https://school.example/a?b=c&d#e.', ['See ', 'https://school.example/a?b=c&d#e', '.']],
  ['(HTTP://x.example), and\nhttps://y.example/ü!', ['(', 'HTTP://x.example', '), and\n', 'https://y.example/ü', '!']],
  ['javascript:alert(1) data:text/html,x ftp://x.example mailto:a@x.example', ['javascript:alert(1) data:text/html,x ftp://x.example mailto:a@x.example']],
  ['<a href="https://x.example">', ['<a href="', 'https://x.example', '">']],
  ['https://x.example/\u202Egpj', ['', 'https://x.example/', '\u202Egpj']],
  ['https:// xhttps://x.example', ['https:// xhttps://x.example']],
])('%j is cut at its links', (text, pieces) => {
  expect(linkPieces(text)).toEqual(pieces);
});
