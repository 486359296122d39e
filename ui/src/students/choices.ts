// Options of profile fields, with labels.
import type { CanadianStatus, Gender, Province } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import type { Choice } from '../school/countries.ts';

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
