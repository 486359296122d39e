// A price as people type it: "1250", "1,250.50", "$550", "550 $", "CAD 550".

/** Precision 10, scale 2 (section 9). */
const most = 99_999_999.99;

/** The normalized amount; null if it is invalid. */
function amount(text: string): string | null {
  const bare = text.replace(/CAD|CA(?=\$)|\$/gi, '').trim();
  // Commas and spaces only separate thousands, so that a decimal comma cannot multiply a price by 100, nor "1$50".
  const isAmount = /^-?\s*(\d{1,3}([,\s]\d{3})+|\d*)(\.\d*)?$/.test(bare) && /\d/.test(bare) && !/\d\$\d/.test(text);
  return isAmount ? bare.replace(/[,\s]/g, '') : null;
}

/** The error of a typed price; null if it is valid or empty. */
export function priceProblem(text: string): string | null {
  if (text.trim() === '') return null;
  const digits = amount(text);
  if (digits === null) return 'Price must be a number';
  if (Number(digits) < 0) return 'Price cannot be negative';
  // Also 1.200, which may mean twelve hundred.
  if (/\.\d{3}/.test(digits)) return 'Price must have at most two decimals';
  return Number(digits) > most ? 'Price must be at most $99,999,999.99' : null;
}

/** Section 5: an empty input becomes null. */
export function readPrice(text: string): number | null {
  return text.trim() === '' ? null : Number(amount(text));
}
