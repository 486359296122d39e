// The name of a country, without the list of all: most pages show one.

/** Section 5's rules for province and postal code are Canada's; elsewhere both may be left out. */
export function isCanada(country: string): boolean {
  return country === 'CA';
}

const countryNames = new Intl.DisplayNames('en-CA', { type: 'region' });

export function countryText(code: string): string {
  return countryNames.of(code) ?? code;
}
