// The form accepts everything that the server accepts (src/base/email.rs has the same cases).
import { expect, it } from 'vitest';
import cases from './email.cases.json';
import { email } from './email.ts';

it.each(cases.taken)('leaves %j to the server', (typed) => {
  expect(email().safeParse(typed).success).toBe(true);
});

it.each(['', '  ', 'wrong', 'a@b', 'a@', 'Jane Doe'])('refuses %j in the words of section 5', (typed) => {
  expect(email().safeParse(typed).error?.issues.map(({ message }) => message)).toEqual(['Please enter a valid email address']);
});

it.each([
  ['  mei@mail.example ', 'mei@mail.example'],
  ['Mei Li <mei@mail.example>', 'mei@mail.example'],
  ['\u200bmei\u00ad@mail.example\ufeff', 'mei@mail.example'],
  ['a@mail.example, Mei <mei@mail.example>', 'a@mail.example, Mei <mei@mail.example>'],
])('understands %j', (typed, address) => {
  expect(email().parse(typed)).toBe(address);
});
