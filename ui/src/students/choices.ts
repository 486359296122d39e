// What a profile offers to choose from, as people read it.
import codes from './countries.json';

export type Choice = { value: string; label: string };

/** Section 5's rules for province and postal code are Canada's; elsewhere both may be left out. */
export function isCanada(country: string): boolean {
  return country === 'CA';
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
