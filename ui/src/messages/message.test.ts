// Subjects, replies and links of messages.
import { expect, test } from 'vitest';
import { answerAge, conversation, linkPieces, replyLink, subjectLabel } from './message.ts';

test('a subject has its label', () => {
  expect(subjectLabel('courses')).toBe('Course Information');
});

test('an answer goes to the writer and names the subject', () => {
  expect(replyLink({ email: 'zoe@mail.example', subject: 'admission' })).toBe('mailto:zoe@mail.example?subject=Re%3A%20Admission%20Inquiry');
});

test('an address cannot add anything to the answer', () => {
  expect(replyLink({ email: 'a?bcc=x&y%20@mail.example', subject: 'other' })).toBe('mailto:a%3Fbcc%3Dx%26y%2520@mail.example?subject=Re%3A%20Other');
});

test('replies, answers and notes stand in the order in which they were written', () => {
  const entries = conversation({
    name: 'Zoë',
    replies: [
      { id: 1, kind: 'reply', body: 'Which grade?', by: 'mei', at: '2026-11-21T15:01:00Z' },
      { id: 2, kind: 'answer', body: 'Twelve.', by: 'mei', at: '2026-11-21T15:03:00Z' },
    ],
    notes: [{ id: 1, body: 'Speaks French.', by: 'ola', createdAt: '2026-11-21T15:02:00Z' }],
  });
  expect(entries.map(({ title, body }) => [title, body])).toEqual([
    ['Reply by mei', 'Which grade?'],
    ['Note by ola', 'Speaks French.'],
    ['Zoë answered, entered by mei', 'Twelve.'],
  ]);
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

test('the age of the first answer is a number', () => {
  const now = Date.parse('2026-11-26T12:00:00Z');
  for (const [status, createdAt, firstReplyAt, words] of [
    ['new', '2026-11-26T11:20:00Z', null, 'waiting 40 min'],
    ['open', '2026-11-26T07:00:00Z', null, 'waiting 5 h'],
    ['open', '2026-11-25T11:00:00Z', null, 'waiting 1 day'],
    ['replied', '2026-11-20T12:00:00Z', '2026-11-23T12:00:00Z', 'answered in 3 days'],
    ['closed', '2026-11-20T12:00:00Z', null, null],
  ] as const) {
    expect(answerAge({ status, createdAt, firstReplyAt }, now)).toBe(words);
  }
});
