// The strength hint: the server's refusals first, then advice.
import { expect, it } from 'vitest';
import { passwordStrength } from './passwordStrength.ts';

const own = ['Northgate Academy', 'amara.okonkwo07@mail.example', 'frontdesk'];

it.each([
  ['', 0, '', /Three or four unrelated words/],
  ['heron', 0, 'Too short', /^3 more characters, at least/],
  ['1234567', 0, 'Too short', /^1 more character, at least/],
  // Refused by the server.
  ['password', 0, 'Easy to guess', /most common/],
  ['P@ssw0rd2026', 0, 'Easy to guess', /most common/],
  ['abcd1234', 0, 'Easy to guess', /most common/],
  ['00Dragon99!', 0, 'Easy to guess', /most common/],
  ['iloveyou!!', 0, 'Easy to guess', /most common/],
  ['Northgate2026', 0, 'Easy to guess', /name/],
  ['amara.okonkwo07', 0, 'Easy to guess', /name/],
  ['FrontDesk-1', 0, 'Easy to guess', /name/],
  ['Schoolhouse1', 0, 'Easy to guess', /name/],
  // Accepted, and weak.
  ['aaaaaaaaaaaa', 1, 'Weak', /Repeating/],
  ['herbherbherb', 1, 'Weak', /Repeating/],
  ['abcdefghijkl', 1, 'Weak', /sequences/],
  ['xkzuiop98765', 1, 'Weak', /sequences/],
  ['monkey tiger', 1, 'Weak', /Add an unrelated word/],
  ['okonkwo at home', 2, 'Fair', /Leave out names/],
  ['ködermaus', 2, 'Fair', /^Add a word or two/],
  ['xkvd82hq', 1, 'Weak', /^Add a word or two/],
  ['a quiet heron', 3, 'Good', /One more word/],
  ['an even quieter heron', 4, 'Strong', /Hard to guess/],
  ['correct horse battery', 4, 'Strong', /Hard to guess/],
  ['密码密', 0, 'Too short', /5 more/],
  ['👍👍🏽🎓🎓🏫🏫📚📚', 1, 'Weak', /^Add a word or two/],
] as const)('%s is %i: %s', (password, level, label, advice) => {
  const found = passwordStrength(password, own);
  expect(found).toEqual({ level, label, advice: expect.stringMatching(advice) });
});

it('looks for names only where there are some', () => {
  expect(passwordStrength('Northgate2026').level).toBeGreaterThan(0);
  expect(passwordStrength('x quiet heron', ['', 'x@y']).level).toBe(3);
});
