// Options of profile fields, with labels.
import type { CanadianStatus, Gender, Province } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import codes from './countries.json';

export type Choice = { value: string; label: string };

/** Section 5's rules for province and postal code are Canada's; elsewhere both may be left out. */
export function isCanada(country: string): boolean {
  return country === 'CA';
}

/** Section 3: the 13 provinces and territories. */
export const provinceNames = {
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
} satisfies Record<Province, string>;

export const provinces: readonly Choice[] = optionsOf(provinceNames);

const countryNames = new Intl.DisplayNames('en-CA', { type: 'region' });

export function countryText(code: string): string {
  return countryNames.of(code) ?? code;
}

/** Countries by name, Canada first. */
export const countries: readonly Choice[] = codes
  .map((value) => ({ value, label: countryText(value) }))
  .toSorted((one, other) => Number(isCanada(other.value)) - Number(isCanada(one.value)) || one.label.localeCompare(other.label, 'en-CA'));

export const genderNames = {
  female: 'Female',
  male: 'Male',
  other: 'Other',
} satisfies Record<Gender, string>;

export const genders: readonly Choice[] = optionsOf(genderNames);

export const canadianStatusNames = {
  citizen: 'Citizen',
  permanent_resident: 'Permanent resident',
  international_student: 'International student',
  other: 'Other',
} satisfies Record<CanadianStatus, string>;

export const canadianStatuses: readonly Choice[] = optionsOf(canadianStatusNames);

export const notProvided = 'Not provided';

/** An option's label; "Not provided" for none. */
export function choiceText(choices: readonly Choice[], value: string | null | undefined): string {
  return choices.find((choice) => choice.value === value)?.label ?? (value || notProvided);
}
