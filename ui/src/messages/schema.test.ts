// The contact form's rules, in section 5's words.
import { expect, it } from 'vitest';
import { contactSchema, readSubject } from './schema.ts';

const good = { name: 'Al', email: 'al@mail.example', phone: '', subject: 'general', message: '0123456789' };

function problems(input: Record<string, string>) {
  const result = contactSchema.safeParse({ ...good, ...input });
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

it('accepts the shortest good message', () => {
  expect(problems({})).toEqual([]);
});

it('names every rule at once', () => {
  expect(problems({ name: ' ', email: 'nope', subject: '', message: 'too short' })).toEqual([
    'name: Name must be at least 2 characters',
    'email: Please enter a valid email address',
    'subject: Please select a subject',
    'message: Message must be at least 10 characters',
  ]);
});

it('does not count spaces around the text, and drops them', () => {
  expect(problems({ message: '   012345678   ' })).toEqual(['message: Message must be at least 10 characters']);
  for (const name of ['李', ' R ']) expect(problems({ name })).toEqual(['name: Name must be at least 2 characters']);
  for (const name of ['李.', 'Wu']) expect(problems({ name })).toEqual([]);
  expect(contactSchema.parse({ ...good, email: ' al@mail.example ' }).email).toBe('al@mail.example');
});

it('reads a subject from an address only when it exists', () => {
  expect(readSubject('admission')).toBe('admission');
  expect(readSubject('Admission')).toBe('');
  expect(readSubject(null)).toBe('');
});
