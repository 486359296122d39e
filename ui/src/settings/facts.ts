// The school's facts that the office can set, in display order, with labels.
import type { Settings } from '../api-types.ts';

type Fact = { label: string; key: string; type?: 'email' | 'tel'; inputMode?: 'numeric'; isRequired?: boolean; autoComplete?: string };

/** `key` is the configuration's. Until the required ones are set, the site says that it is being set up. */
export const facts: Record<keyof Settings['facts'], Fact> = {
  name: { label: 'Name', key: 'name', isRequired: true },
  email: { label: 'Email', key: 'email', type: 'email', isRequired: true },
  phone: { label: 'Phone', key: 'phone', type: 'tel', isRequired: true },
  street: { label: 'Street and number', key: 'street', isRequired: true },
  city: { label: 'City', key: 'city', isRequired: true },
  province: { label: 'Province', key: 'province' },
  postalCode: { label: 'Postal code', key: 'postal_code', isRequired: true },
  inspectionId: { label: 'Inspection ID (BSID)', key: 'inspection_id', isRequired: true },
  registrationNumber: { label: 'School registration number', key: 'registration_number' },
  foundedYear: { label: 'Founding year', key: 'founded_year', inputMode: 'numeric' },
  tagline: { label: 'Tagline', key: 'tagline' },
};

export const factNames = Object.keys(facts) as (keyof Settings['facts'])[];
