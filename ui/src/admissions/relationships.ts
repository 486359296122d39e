// What a parent or guardian in an application is to the student.
import type { Relationship } from './wire.ts';

export const relationships = {
  mother: 'Mother',
  father: 'Father',
  guardian: 'Legal guardian',
  agency: 'Agency',
  other: 'Other',
} satisfies Record<Relationship, string>;
