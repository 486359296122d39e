// What somebody typed as a telephone number: a link to call it, unless it is none.

export function PhoneNumber({ number }: { number: string }) {
  return /\d/.test(number) ? <a href={telephoneLink(number)}>{number}</a> : <span>{number}</span>;
}

/** A number of ten digits is one of North America. */
function telephoneLink(number: string): string {
  const digits = number.replace(/[^\d+]/g, '');
  return `tel:${digits.length === 10 ? `+1${digits}` : digits}`;
}
