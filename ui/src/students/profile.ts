// The table of profile fields, for the tab, the dialog and section 5's rules (messages word for word); and words for
// the overview.
import type { InputHTMLAttributes } from 'react';
import * as z from 'zod/mini';
import type { Student } from '../api-types.ts';
import { email } from '../components/email.ts';
import { addMonths, dateText, dayNumber, today } from '../dates.ts';
import { type Choice, countries } from '../school/countries.ts';
import { countryText, isCanada } from '../school/country.ts';
import { canadianStatuses, choiceText, genders, notProvided, provinces } from './choices.ts';

const text = (least: number, message: string) => z.string().check(z.trim(), z.minLength(least, message));
const optional = z.string().check(z.trim());

const phone_wanted = 'Valid phone number required';

/** Countries that are one city: an address there names none. */
const city_states = 'GI HK MC MO SG VA';

/** The sections of a profile, with their titles in dialog and tab. */
const partTitles = {
  'About you': 'About You',
  Contact: 'Contact',
  'Parent or guardian': 'Parent or Guardian',
  'Previous school': 'Previous School',
};

export type ProfileField = {
  part: keyof typeof partTitles;
  label: string;
  /** A shorter label in the tab; null for fields only in the dialog. */
  term?: string | null;
  hint?: string;
  isOptional?: true;
  choices?: readonly Choice[];
  /** Label outside Canada, where the field is optional free text. */
  abroad?: string;
  input?: InputHTMLAttributes<HTMLInputElement>;
  /** Whether it stands beside the previous field. */
  isBeside?: true;
  /** The tab's text, if other than the value or its label. */
  text?: (student: Student) => string;
  rule: z.ZodMiniType<string, string> | z.ZodMiniType<boolean, boolean>;
};

/** In display order. */
const fields = {
  fullName: {
    part: 'About you',
    label: 'Full name',
    hint: 'As on your documents. Write a name of one letter with a period: R.',
    input: { autoComplete: 'name', dir: 'auto' },
    rule: text(2, 'Full name is required'),
  },
  preferredName: {
    part: 'About you',
    label: 'Preferred name',
    isOptional: true,
    hint: 'What we call you, if that is not your full name.',
    input: { autoComplete: 'nickname', dir: 'auto' },
    rule: optional,
  },
  dateOfBirth: {
    part: 'About you',
    label: 'Date of birth',
    input: { type: 'date', autoComplete: 'bday' },
    text: (student) => dateText(student.dateOfBirth, notProvided),
    rule: text(1, 'Date of birth is required').check(z.refine(isLikelyBirth, 'Please check the year of birth')),
  },
  gender: {
    part: 'About you',
    label: 'Gender',
    isBeside: true,
    input: { autoComplete: 'sex' },
    choices: genders,
    rule: text(1, 'Gender is required'),
  },
  canadianStatus: {
    part: 'About you',
    label: 'Canadian status',
    choices: canadianStatuses,
    rule: text(1, 'Canadian status is required'),
  },
  email: {
    part: 'Contact',
    label: 'Email',
    hint: 'A new address takes effect once you open the link that we send to it.',
    input: { type: 'email', autoComplete: 'email', spellCheck: false },
    rule: email('Invalid email address'),
  },
  // Required for a new email; not trimmed.
  currentPassword: {
    part: 'Contact',
    label: 'Current password',
    term: null,
    hint: 'Needed to change your email address.',
    input: { type: 'password' },
    rule: z.string(),
  },
  phoneNumber: {
    part: 'Contact',
    label: 'Phone number',
    term: 'Phone',
    input: { type: 'tel', autoComplete: 'tel' },
    rule: optional.check(z.refine(hasEnoughDigits, phone_wanted)),
  },
  country: {
    part: 'Contact',
    label: 'Country',
    input: { autoComplete: 'country' },
    choices: countries,
    rule: text(1, 'Country is required'),
  },
  address: {
    part: 'Contact',
    label: 'Address',
    input: { autoComplete: 'address-line1', dir: 'auto' },
    rule: text(1, 'Address is required'),
  },
  city: {
    part: 'Contact',
    label: 'City',
    input: { autoComplete: 'address-level2', dir: 'auto' },
    rule: optional,
  },
  province: {
    part: 'Contact',
    label: 'Province',
    isBeside: true,
    abroad: 'State or province (optional)',
    input: { autoComplete: 'address-level1', dir: 'auto' },
    choices: provinces,
    rule: optional,
  },
  postalCode: {
    part: 'Contact',
    label: 'Postal code',
    isBeside: true,
    abroad: 'Postal code (optional)',
    input: { autoComplete: 'postal-code', spellCheck: false },
    rule: optional,
  },
  parentName: { part: 'Parent or guardian', label: 'Parent name', isOptional: true, input: { autoComplete: 'off', dir: 'auto' }, rule: optional },
  parentContact: { part: 'Parent or guardian', label: 'Parent contact', isOptional: true, isBeside: true, input: { autoComplete: 'off' }, rule: optional },
  lastSchool: { part: 'Previous school', label: 'Last school', isOptional: true, input: { autoComplete: 'off', dir: 'auto' }, rule: optional },
  lastGradeCompleted: { part: 'Previous school', label: 'Last grade completed', isOptional: true, isBeside: true, input: { autoComplete: 'off' }, rule: optional },
  homeSchool: { part: 'Previous school', label: 'Home school', isOptional: true, input: { autoComplete: 'off', dir: 'auto' }, rule: optional },
  transferringCredits: {
    part: 'Previous school',
    label: 'I am transferring credits from another school',
    term: 'Transferring credits',
    isOptional: true,
    input: { type: 'checkbox' },
    text: (student) => (student.transferringCredits ? 'Yes' : 'No'),
    rule: z.boolean(),
  },
} as const satisfies Record<string, ProfileField>;

export type ProfileName = keyof typeof fields;

/** In form order. */
export const profileFields = Object.keys(fields) as ProfileName[];

/** Sections with their fields and names. */
export const profileParts = Object.entries(partTitles).map(([part, title]) => ({
  legend: part,
  title,
  fields: profileFields.map((name) => Object.assign({ name }, fields[name] as ProfileField)).filter((field) => field.part === part),
}));

type Rules = { [Name in ProfileName]: (typeof fields)[Name]['rule'] };

const rules = Object.fromEntries(profileFields.map((name) => [name, fields[name].rule])) as Rules;

export const profileSchema = z.object(rules).check(
  z.refine(({ country, province }) => !isCanada(country) || provinces.some(({ value }) => value === province), { path: ['province'], message: 'Province is required' }),
  z.refine(({ country, phoneNumber }) => !'CA US'.includes(country) || phoneNumber.length >= 10, { path: ['phoneNumber'], message: phone_wanted }),
  z.refine(({ country, city }) => city_states.includes(country) || city !== '', { path: ['city'], message: 'City is required' }),
  z.refine(({ country, postalCode }) => !isCanada(country) || postalCode !== '', { path: ['postalCode'], message: 'Postal code is required' }),
);

export type ProfileValues = z.infer<typeof profileSchema>;

/** Students are 5 to 100 years old; other dates are typing mistakes. True while empty: another rule reports that. */
function isLikelyBirth(date: string): boolean {
  if (date === '') return true;
  return dayNumber(date) !== null && date >= addMonths(today(), -100 * 12) && date <= addMonths(today(), -5 * 12);
}

function hasEnoughDigits(phone: string): boolean {
  return phone.replace(/\P{Nd}/gu, '').length >= 7;
}

/** The tab's text of a field. */
export function profileText({ name, text, choices }: { name: ProfileName } & ProfileField, student: Student): string {
  if (text) return text(student);
  const value = String((student as Partial<Record<ProfileName, unknown>>)[name] ?? '');
  return choices ? choiceText(choices, value) : value;
}

/** Initial values. A pending email is kept. */
export function profileValues(student: Student): ProfileValues {
  const { transferringCredits, pendingEmail, ...facts } = student;
  const texts = profileFields.map((name) => [name, name in facts ? (facts[name as keyof typeof facts] ?? '') : '']);
  return { ...(Object.fromEntries(texts) as ProfileValues), email: pendingEmail ?? student.email, transferringCredits };
}

/** Whether the password is required: for an email that is neither current nor pending. */
export function isNewAddress(email: string, { email: inUse, pendingEmail }: Pick<Student, 'email' | 'pendingEmail'>): boolean {
  return ![inUse, pendingEmail].includes(email.trim().toLowerCase());
}

/** The profile's schema, with the password if required. Another rule reports an invalid email. */
export function profileSchemaOf(student: Student) {
  const isAsked = (email: string) => isNewAddress(email, student) && profileSchema.shape.email.safeParse(email).success;
  return profileSchema.check(
    z.refine(({ email, currentPassword }) => currentPassword !== '' || !isAsked(email), {
      path: ['currentPassword'],
      error: 'Please enter your current password to change your email address',
    }),
  );
}

/** "88 Sample Crescent, Mississauga, ON", abroad with the country; missing parts are omitted. */
export function addressText({ address, city, province, country }: Pick<Student, 'address' | 'city' | 'province' | 'country'>): string {
  const abroad = address && !isCanada(country) ? countryText(country) : null;
  return [address, city, province, abroad].filter(Boolean).join(', ') || notProvided;
}

/** Missing parts of a complete profile: "phone number and address". */
export function missingParts({ fullName, dateOfBirth, phoneNumber, address }: Pick<Student, 'fullName' | 'dateOfBirth' | 'phoneNumber' | 'address'>): string {
  const parts = { 'full name': fullName, 'date of birth': dateOfBirth, 'phone number': phoneNumber, address };
  return listText(Object.entries(parts).filter(([, value]) => !value).map(([part]) => part));
}

const list = new Intl.ListFormat('en-CA');

export function listText(words: readonly string[]): string {
  return list.format(words);
}

/** The changed fields: only they are sent, so that others are neither validated nor written. The email has rules of its own. */
export function changedFacts(before: ProfileValues, after: ProfileValues): Partial<ProfileValues> {
  const isMoved = before.country !== after.country;
  const isSent = (name: ProfileName) => before[name] !== after[name] || (isMoved && (name === 'province' || name === 'postalCode'));
  const names = profileFields.filter((name) => name !== 'email' && name !== 'currentPassword' && isSent(name));
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}
