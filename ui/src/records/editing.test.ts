// Only what was changed is sent, and never what the dialog does not change.
import { expect, it } from 'vitest';
import type { ProfileValues } from '../students/profile.ts';
import { changedFacts } from './editing.ts';

const before = { fullName: 'Jane', city: '', email: 'a@mail.example', currentPassword: '', transferringCredits: false } as ProfileValues;

it('sends what differs', () => {
  expect(changedFacts(before, { ...before, city: 'Ottawa', transferringCredits: true })).toEqual({ city: 'Ottawa', transferringCredits: true });
});

it('sends neither the address nor what stayed', () => {
  expect(changedFacts(before, { ...before, email: 'b@mail.example', currentPassword: 'x' })).toEqual({});
});
