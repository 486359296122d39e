// The profile's rules with their messages, and its overview texts.
import { afterEach, expect, it, vi } from 'vitest';
import type { Student } from '../api-types.ts';
import { countries } from '../school/countries.ts';
import { canadianStatuses, choiceText, provinces } from './choices.ts';
import { addressText, changedFacts, missingParts, profileParts, profileSchema, profileSchemaOf, profileText, profileValues } from './profile.ts';

const newcomer: Student = {
  id: 1,
  email: 'kim@mail.example',
  isVerified: true, hasSecondFactor: false, version: 1,
  country: 'CA',
  transferringCredits: false,
  createdAt: '2026-11-21T12:00:00Z',
};

const complete = {
  ...profileValues(newcomer),
  fullName: 'Kim Park',
  phoneNumber: '4165550100',
  dateOfBirth: '2009-03-01',
  gender: 'female' as const,
  canadianStatus: 'citizen' as const,
  address: '1 Sample Street',
  city: 'Toronto',
  province: 'ON',
  postalCode: 'm5v0a0',
};

function messages(values: unknown): Record<string, string> {
  const result = profileSchema.safeParse(values);
  return Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

it('says of a newcomer’s form everything that section 5 asks for', () => {
  expect(messages({ ...profileValues(newcomer), email: 'kim' })).toEqual({
    fullName: 'Full name is required',
    email: 'Invalid email address',
    phoneNumber: 'Valid phone number required',
    dateOfBirth: 'Date of birth is required',
    gender: 'Gender is required',
    canadianStatus: 'Canadian status is required',
    address: 'Address is required',
    city: 'City is required',
    province: 'Province is required',
    postalCode: 'Postal code is required',
  });
});

it.each([
  ['fullName', '   ', false],
  ['fullName', ' R ', false],
  ['fullName', '李', false],
  ['fullName', '李.', true],
  ['fullName', 'Wu', true],
  ['phoneNumber', '416555010', false],
  ['phoneNumber', '+49 170 5550100', true],
  ['phoneNumber', 'call me later', false],
  ['phoneNumber', '(call) 555 012', false],
  ['phoneNumber', 'ext. 555-0123', true],
  ['address', '   ', false],
])('%s “%s” passes: %s', (name, value, passes) => {
  expect(name in messages({ ...complete, [name]: value })).toBe(!passes);
});

it('lets a city state have no city, and numbers of eight digits', () => {
  const abroad = { ...complete, phoneNumber: '6555 0142', city: '', province: '', postalCode: '' };
  expect(messages({ ...abroad, country: 'SG' })).toEqual({});
  expect(messages({ ...abroad, country: 'NG' })).toEqual({ city: 'City is required' });
  expect(messages({ ...complete, phoneNumber: '6555 0142' })).toEqual({ phoneNumber: 'Valid phone number required' });
});

afterEach(() => vi.useRealTimers());

it.each([
  ['2021-11-21', true],
  ['2021-11-22', false],
  ['1926-11-21', true],
  ['1926-11-20', false],
  ['2199-01-01', false],
  ['0009-03-01', false],
  ['12009-03-01', false],
])('takes %s for a date of birth: %s', (dateOfBirth, passes) => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00') });
  expect(messages({ ...complete, dateOfBirth })).toEqual(passes ? {} : { dateOfBirth: 'Please check the year of birth' });
});

it('takes a complete profile, trimmed', () => {
  expect(profileSchema.parse({ ...complete, city: ' Toronto ' })).toEqual(complete);
});

it('starts the form with what is stored, and with the address that waits for its confirmation', () => {
  expect(profileValues({ ...newcomer, fullName: 'Kim', pendingEmail: 'new@mail.example' })).toMatchObject({
    fullName: 'Kim',
    email: 'new@mail.example',
    city: '',
    transferringCredits: false,
  });
  expect(profileValues(newcomer).email).toBe('kim@mail.example');
});

it('shows every field in the tab but the password, as people read it', () => {
  const student: Student = { ...newcomer, ...complete, dateOfBirth: '2009-03-01', canadianStatus: 'permanent_resident', transferringCredits: true };
  const shown = profileParts.flatMap(({ title, fields }) =>
    fields.filter(({ term }) => term !== null).map((field) => [title, field.term ?? field.label, profileText(field, student)]),
  );
  expect(shown).toEqual(expect.arrayContaining([
    ['About You', 'Date of birth', 'Mar 1, 2009'],
    ['About You', 'Gender', 'Female'],
    ['About You', 'Canadian status', 'Permanent resident'],
    ['Contact', 'Phone', '4165550100'],
    ['Contact', 'Country', 'Canada'],
    ['Contact', 'Province', 'Ontario'],
    ['Parent or Guardian', 'Parent name', ''],
    ['Previous School', 'Transferring credits', 'Yes'],
  ]));
  expect(shown.map(([, term]) => term)).not.toContain('Current password');
});

it('sends what was changed, and never the address', () => {
  const before = profileValues({ ...newcomer, ...complete });
  expect(changedFacts(before, { ...before, city: 'Ottawa', email: 'b@mail.example', currentPassword: 'x' })).toEqual({ city: 'Ottawa' });
  const moved = { ...before, country: 'FR' };
  expect(changedFacts(before, moved), 'what belongs to a country goes with it').toEqual({ country: 'FR', province: before.province, postalCode: before.postalCode });
});

it('names what is missing', () => {
  expect(missingParts(newcomer)).toBe('full name, date of birth, phone number and address');
  expect(missingParts({ fullName: 'Kim', dateOfBirth: null, phoneNumber: '416', address: '1 Sample Street' })).toBe('date of birth');
  expect(missingParts(complete)).toBe('');
});

it('writes an address from what there is', () => {
  expect(addressText(complete)).toBe('1 Sample Street, Toronto, ON');
  expect(addressText({ address: null, city: 'Toronto', province: 'ON', country: 'CA' })).toBe('Toronto, ON');
  expect(addressText(newcomer)).toBe('Not provided');
});

it('writes choices as people do', () => {
  expect(choiceText(canadianStatuses, 'international_student')).toBe('International student');
  expect(choiceText(provinces, null)).toBe('Not provided');
  expect(choiceText(provinces, 'XX')).toBe('XX');
});

it.each([
  ['kim@mail.example', '', true],
  [' KIM@mail.example', '', true],
  ['waits@mail.example', '', true],
  ['new@mail.example', '', false],
  ['new@mail.example', ' ', true],
  ['new@', '', null],
])('an address %j with the password %j passes: %s', (email, currentPassword, passes) => {
  const student = { ...newcomer, pendingEmail: 'waits@mail.example' };
  const { error } = profileSchemaOf(student).safeParse({ ...complete, email, currentPassword });
  const outcomes: Record<string, unknown> = {
    true: [],
    false: [['currentPassword', 'Please enter your current password to change your email address']],
    null: [['email', 'Invalid email address']],
  };
  expect(error?.issues.map(({ path, message }) => [path[0], message]) ?? []).toEqual(outcomes[String(passes)]);
});

it('asks for a province and a postal code in Canada alone', () => {
  expect(messages({ ...complete, country: 'HK', province: '', postalCode: '' })).toEqual({});
  expect(messages({ ...complete, country: 'HK', province: 'Kowloon' })).toEqual({});
  expect(messages({ ...complete, country: '' })).toEqual({ country: 'Country is required' });
  expect(messages({ ...complete, province: 'Kowloon', postalCode: ' ' })).toEqual({
    province: 'Province is required',
    postalCode: 'Postal code is required',
  });
});

it('names every country, Canada first', () => {
  expect(countries).toHaveLength(250);
  expect(countries[0]).toEqual({ value: 'CA', label: 'Canada' });
  expect(countries.find(({ value }) => value === 'NG')?.label).toBe('Nigeria');
});
