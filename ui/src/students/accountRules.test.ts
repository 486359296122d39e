// Section 5's rules and their words.
import { expect, it } from 'vitest';
import { newPasswordSchema } from '../accounts/newPassword.ts';
import { registrationSchema } from './accountRules.ts';

const invalidEmail = ['email', 'Please enter a valid email address'];
const shortPassword = ['password', 'Password must be at least 8 characters'];
const shortRepetition = ['confirmPassword', 'Password must be at least 8 characters'];
const different = ['confirmPassword', "Passwords don't match"];

it.each([
  ['', '', '', [invalidEmail, shortPassword, shortRepetition]],
  ['a@b', '12345678', '12345678', [invalidEmail]],
  ['Mei <mei@mail.example>', '12345678', '12345678', []],
  ['a@mail.example', '1234567', '1234567', [shortPassword, shortRepetition]],
  ['a@mail.example', '12345678', '12345679', [different]],
  ['wrong', '12345678', '12345679', [invalidEmail, different]],
  ['a@mail.example', '12345678', ' 12345678', [different]],
  ['a@mail.example', 'café au lait', 'cafe\u0301 au lait', []],
  ['  a@mail.example ', '🎓🎓🎓🎓🎓🎓🎓🎓', '🎓🎓🎓🎓🎓🎓🎓🎓', []],
])('%s, %s and %s break %j', (email, password, confirmPassword, expected) => {
  expect(messages(registrationSchema.safeParse({ email, password, confirmPassword }).error)).toEqual(expected);
});

it('asks the same of a new password', () => {
  const broken = newPasswordSchema.safeParse({ password: 'short', confirmPassword: 'other than that' });
  expect(messages(broken.error)).toEqual([shortPassword, different]);
});

function messages(error: { issues: { path: PropertyKey[]; message: string }[] } | undefined) {
  return (error?.issues ?? []).map(({ path, message }) => [path[0], message]);
}
