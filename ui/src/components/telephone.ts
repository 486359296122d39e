// The address of a telephone number (RFC 3966): "tel:+1-416-555-0100;ext=2", as the server writes it, too.

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** A number of ten digits, or of eleven that begin with 1, is one of North America; '' where there are no digits. */
export function telephoneLink(text: string): string {
  // Only behind a whole number: "text 416-555-0100", "fax".
  const [, number = text, rest = ''] = /^((?:\D*\d){7}.*?)(?:ext|poste|x|#)(.*)$/is.exec(text) ?? [];
  const extension = digitsOf(rest);
  const isForeign = /^\s*(\+|00)/.test(number);
  const digits = digitsOf(number).replace(/^00/, '');
  const national = digits.length === 10 && !isForeign ? digits : digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : null;
  if (digits === '') return '';
  const link = national ? `tel:+1-${national.slice(0, 3)}-${national.slice(3, 6)}-${national.slice(6)}` : `tel:${isForeign ? '+' : ''}${digits}`;
  return extension ? `${link};ext=${extension}` : link;
}
