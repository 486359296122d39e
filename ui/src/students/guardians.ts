// Words about parents and guardians, for the portal and the office.
import type { Relationship } from '../api-types.ts';

export const relationships = {
  mother: 'Mother',
  father: 'Father',
  guardian: 'Legal guardian',
  agency: 'Agency',
  other: 'Other',
} satisfies Record<Relationship, string>;
