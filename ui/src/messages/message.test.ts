// What the inbox says of a message.
import { expect, test } from 'vitest';
import { replyLink, subjectLabel } from './message.ts';

test('a subject has its label, and an unknown one stays as it is', () => {
  expect(subjectLabel('courses')).toBe('Course Information');
  expect(subjectLabel('lunch')).toBe('lunch');
});

test('an answer goes to the writer and names the subject', () => {
  expect(replyLink({ email: 'zoe@mail.example', subject: 'admission' })).toBe('mailto:zoe@mail.example?subject=Re%3A%20Admission%20Inquiry');
});

test('an address cannot add anything to the answer', () => {
  expect(replyLink({ email: 'a?bcc=x&y%20@mail.example', subject: 'other' })).toBe('mailto:a%3Fbcc%3Dx%26y%2520@mail.example?subject=Re%3A%20Other');
});
