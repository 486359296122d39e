import { expect, test } from 'vitest';
import { auditParameters, readAuditView } from './useAuditView.ts';
import { readable, sentence, valueText } from './words.ts';

test('the program’s words are read as people write them', () => {
  expect(readable('set_role')).toBe('set role');
  expect(readable('dateOfBirth')).toBe('date of birth');
  expect(readable('resend verification')).toBe('resend verification');
});

test('what was done is read as a sentence', () => {
  expect(sentence({ action: 'publish', done: 'published', object: 'site' })).toBe('published site');
  expect(sentence({ action: 'set_role', done: 'set role', object: 'user' })).toBe('set role for user');
  expect(sentence({ action: 'resend verification', done: 'resent verification', object: 'student' })).toBe('resent verification for student');
  expect(valueText(['Announcement', 'Hero picture'])).toBe('Announcement, Hero picture');
});

test('a value is a line of text whatever it is', () => {
  expect([null, '', true, 12, ['a', 1], { a: 1 }].map(valueText)).toEqual(['—', '—', 'yes', '12', 'a, 1', '{"a":1}']);
});

test('the address says what is shown, and the sheet has every page of it', () => {
  const view = readAuditView(new URLSearchParams('student=7&action=view&page=3&nonsense=1'));
  expect(auditParameters(view)).toBe('action=view&student=7&page=3');
  expect(auditParameters(view, 'csv')).toBe('action=view&student=7&format=csv');
  expect(readAuditView(new URLSearchParams('page=-2')).page).toBe(1);
});

const shown = (search: string) => auditParameters(readAuditView(new URLSearchParams(search)));

test('invalid filters are ignored', () => {
  expect(shown('from=garbage&to=2027-02-30&student=abc&objectId=-1&user=absent')).toBe('user=absent&page=1');
  expect(shown(`student=${'9'.repeat(30)}`)).toBe('page=1');
  expect(shown('from=2027-02-01&to=2027-01-31')).toBe('from=2027-02-01&page=1');
  expect(shown('object=course&objectId=12&from=2027-02-01&to=2027-02-01')).toBe('object=course&objectId=12&from=2027-02-01&to=2027-02-01&page=1');
  expect(shown('to=2027-02-01')).toBe('to=2027-02-01&page=1');
});
