// Names of colleagues, and the changed fields of a form.
import type { StaffRow } from '../api-types.ts';

export const nameOf = ({ fullName, username }: Pick<StaffRow, 'fullName' | 'username'>) => fullName ?? username;

/** The changed fields: only they are sent, so that others are neither validated nor written. */
export function changedOf<Facts extends object>(before: Partial<Facts>, after: Facts): Partial<Facts> {
  const names = Object.keys(after) as (keyof Facts)[];
  return Object.fromEntries(names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]])) as Partial<Facts>;
}
