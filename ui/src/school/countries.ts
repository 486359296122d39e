// The countries that a form offers, Canada first. The server reads the same codes.
import codes from './countries.json';

export type Choice = { value: string; label: string };

/** Section 5's rules for province and postal code are Canada's; elsewhere both may be left out. */
export function isCanada(country: string): boolean {
  return country === 'CA';
}

const countryNames = new Intl.DisplayNames('en-CA', { type: 'region' });

export function countryText(code: string): string {
  return countryNames.of(code) ?? code;
}

/** Countries by name, Canada first. */
export const countries: readonly Choice[] = codes.split(' ')
  .map((value) => ({ value, label: countryText(value) }))
  .toSorted((one, other) => Number(isCanada(other.value)) - Number(isCanada(one.value)) || one.label.localeCompare(other.label, 'en-CA'));
