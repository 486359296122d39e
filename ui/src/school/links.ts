// Links made from the school's facts: telephone, mail and map.
import type { School } from '../api-types.ts';

export function telephoneLink(phone: string): string {
  const digits = phone.replace(/[^\d+]/g, '');
  return `tel:${digits.length === 10 ? `+1${digits}` : digits}`;
}

export function mailLink(email: string): string {
  return `mailto:${email}`;
}

/** A search on OpenStreetMap, opened only when someone follows the link. */
export function mapLink(address: School['address']): string {
  // Suites and units confuse the search; the street, the city and the province find the door.
  const street = address.street.replace(/,.*$/, '');
  const place = [street, address.city, address.province, 'Canada'].join(', ');
  return `https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`;
}
