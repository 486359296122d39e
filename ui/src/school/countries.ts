// The countries that a form offers, Canada first. The server reads the same codes.
import codes from './countries.json';
import { countryText, isCanada } from './country.ts';

export type Choice = { value: string; label: string };

/** Countries by name, Canada first. */
export const countries: readonly Choice[] = codes.split(' ')
  .map((value) => ({ value, label: countryText(value) }))
  .toSorted((one, other) => Number(isCanada(other.value)) - Number(isCanada(one.value)) || one.label.localeCompare(other.label, 'en-CA'));
