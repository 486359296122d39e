// A phone number as a tel: link if it is valid, else as text.

export function PhoneNumber({ number }: { number: string }) {
  return /\d/.test(number) ? <a href={telephoneLink(number)}>{number}</a> : <span>{number}</span>;
}

/** Ten digits are a North American number. */
function telephoneLink(number: string): string {
  const digits = number.replace(/[^\d+]/g, '');
  return `tel:${digits.length === 10 ? `+1${digits}` : digits}`;
}
