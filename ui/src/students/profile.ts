// What a profile must hold (section 5, messages word for word), its choices, and what the
// overview says about it.
import * as z from 'zod/mini';
import type { Student } from '../api-types.ts';
import codes from './countries.json';
import { addMonths, dayNumber, today } from '../dates.ts';

const text = (least: number, message: string) => z.string().check(z.trim(), z.minLength(least, message));
const optional = z.string().check(z.trim());

export const profileSchema = z.object({
  fullName: text(2, 'Full name is required'),
  dateOfBirth: text(1, 'Date of birth is required').check(z.refine(isLikelyBirth, 'Please check the year of birth')),
  gender: text(1, 'Gender is required'),
  canadianStatus: text(1, 'Canadian status is required'),
  email: z.string().check(z.trim(), z.email('Invalid email address')),
  /** Asked for when the address is a new one; not trimmed. */
  currentPassword: z.string(),
  phoneNumber: text(10, 'Valid phone number required').check(z.refine(hasEnoughDigits, 'Valid phone number required')),
  country: text(1, 'Country is required'),
  address: text(1, 'Address is required'),
  city: text(1, 'City is required'),
  province: optional,
  postalCode: optional,
  parentName: optional,
  parentContact: optional,
  lastSchool: optional,
  lastGradeCompleted: optional,
  transferringCredits: z.boolean(),
}).check(
  z.refine(({ country, province }) => !isCanada(country) || provinces.some(({ value }) => value === province), { path: ['province'], message: 'Province is required' }),
  z.refine(({ country, postalCode }) => !isCanada(country) || postalCode !== '', { path: ['postalCode'], message: 'Postal code is required' }),
);

/** Section 5's rules for province and postal code are Canada's; elsewhere both may be left out. */
export function isCanada(country: string): boolean {
  return country === 'CA';
}

/** A student is 5 to 100 years old; anything else is a slip. True as well while nothing is entered: another rule speaks. */
function isLikelyBirth(date: string): boolean {
  if (date === '') return true;
  return dayNumber(date) !== null && date >= addMonths(today(), -100 * 12) && date <= addMonths(today(), -5 * 12);
}

function hasEnoughDigits(phone: string): boolean {
  return phone.replace(/\P{Nd}/gu, '').length >= 7;
}

export type ProfileValues = z.infer<typeof profileSchema>;

/** In the order they are asked for. */
export const profileFields = Object.keys(profileSchema.shape) as (keyof ProfileValues)[];

/** What the form starts with. A new address that waits for its confirmation stays the wanted one. */
export function profileValues(student: Student): ProfileValues {
  const { transferringCredits, pendingEmail, ...facts } = student;
  const texts = profileFields.map((name) => [name, name in facts ? (facts[name as keyof typeof facts] ?? '') : '']);
  return { ...(Object.fromEntries(texts) as ProfileValues), email: pendingEmail ?? student.email, transferringCredits };
}

type Choice = { value: string; label: string };

/** The password is asked for when the account is to move to an address that is neither in use nor waits already. */
export function isNewAddress(email: string, { email: inUse, pendingEmail }: Pick<Student, 'email' | 'pendingEmail'>): boolean {
  return ![inUse, pendingEmail].includes(email.trim().toLowerCase());
}

/** The profile of this student, with the password where it is needed. Of an address that is none another rule speaks. */
export function profileSchemaOf(student: Student) {
  const isAsked = (email: string) => isNewAddress(email, student) && profileSchema.shape.email.safeParse(email).success;
  return profileSchema.check(
    z.refine(({ email, currentPassword }) => currentPassword !== '' || !isAsked(email), {
      path: ['currentPassword'],
      error: 'Please enter your current password to change your email address',
    }),
  );
}

/** Section 3: the 13 provinces and territories. */
export const provinces: readonly Choice[] = [
  { value: 'AB', label: 'Alberta' },
  { value: 'BC', label: 'British Columbia' },
  { value: 'MB', label: 'Manitoba' },
  { value: 'NB', label: 'New Brunswick' },
  { value: 'NL', label: 'Newfoundland and Labrador' },
  { value: 'NS', label: 'Nova Scotia' },
  { value: 'NT', label: 'Northwest Territories' },
  { value: 'NU', label: 'Nunavut' },
  { value: 'ON', label: 'Ontario' },
  { value: 'PE', label: 'Prince Edward Island' },
  { value: 'QC', label: 'Quebec' },
  { value: 'SK', label: 'Saskatchewan' },
  { value: 'YT', label: 'Yukon' },
];

const countryNames = new Intl.DisplayNames('en-CA', { type: 'region' });

export function countryText(code: string): string {
  return countryNames.of(code) ?? code;
}

/** Every country by its name; Canada, where most are, comes first. */
export const countries: readonly Choice[] = codes
  .map((value) => ({ value, label: countryText(value) }))
  .toSorted((one, other) => Number(isCanada(other.value)) - Number(isCanada(one.value)) || one.label.localeCompare(other.label, 'en-CA'));

export const genders: readonly Choice[] = [
  { value: 'female', label: 'Female' },
  { value: 'male', label: 'Male' },
  { value: 'other', label: 'Other' },
];

export const canadianStatuses: readonly Choice[] = [
  { value: 'citizen', label: 'Citizen' },
  { value: 'permanent_resident', label: 'Permanent resident' },
  { value: 'international_student', label: 'International student' },
  { value: 'other', label: 'Other' },
];

export const notProvided = 'Not provided';

/** A choice as people read it; "Not provided" for none. */
export function choiceText(choices: readonly Choice[], value: string | null | undefined): string {
  return choices.find((choice) => choice.value === value)?.label ?? (value || notProvided);
}

/** "88 Sample Crescent, Mississauga, ON", abroad with the country; parts that are missing are left out. */
export function addressText({ address, city, province, country }: Pick<Student, 'address' | 'city' | 'province' | 'country'>): string {
  const abroad = address && !isCanada(country) ? countryText(country) : null;
  return [address, city, province, abroad].filter(Boolean).join(', ') || notProvided;
}

/** Section 2: a profile is complete when these three are there. Names what is missing. */
export function missingParts({ fullName, phoneNumber, address }: Pick<Student, 'fullName' | 'phoneNumber' | 'address'>): string[] {
  return [!fullName && 'full name', !phoneNumber && 'phone number', !address && 'address'].filter((part) => part !== false);
}
