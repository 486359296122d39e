// Words about parents and guardians, for the portal and the office.
import type { Guardian, Relationship } from '../api-types.ts';

export const relationships = {
  mother: 'Mother',
  father: 'Father',
  guardian: 'Legal guardian',
  agency: 'Agency',
  other: 'Other',
} satisfies Record<Relationship, string>;

/** "Mother · ngozi@mail.example · 416 555 0101" */
export function guardianFacts({ relationship, email, phone }: Pick<Guardian, 'relationship' | 'email' | 'phone'>): string {
  return [relationship && relationships[relationship], email, phone].filter(Boolean).join(' · ');
}
