// What a profile must hold (section 5, messages word for word), its choices, and what the
// overview says about it.
import * as z from 'zod/mini';
import type { Student } from '../api-types.ts';
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
  address: text(1, 'Address is required'),
  city: text(1, 'City is required'),
  province: text(1, 'Province is required'),
  postalCode: text(1, 'Postal code is required'),
  parentName: optional,
  parentContact: optional,
  lastSchool: optional,
  lastGradeCompleted: optional,
  transferringCredits: z.boolean(),
});

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

/** "88 Sample Crescent, Mississauga, ON"; parts that are missing are left out. */
export function addressText({ address, city, province }: Pick<Student, 'address' | 'city' | 'province'>): string {
  return [address, city, province].filter(Boolean).join(', ') || notProvided;
}

/** Section 2: a profile is complete when these three are there. Names what is missing. */
export function missingParts({ fullName, phoneNumber, address }: Pick<Student, 'fullName' | 'phoneNumber' | 'address'>): string[] {
  return [!fullName && 'full name', !phoneNumber && 'phone number', !address && 'address'].filter((part) => part !== false);
}
