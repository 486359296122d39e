// How colleagues are called, and what of a form was changed.
import type { StaffRow } from '../api-types.ts';

export const nameOf = ({ fullName, username }: Pick<StaffRow, 'fullName' | 'username'>) => fullName ?? username;

/** The facts that differ: only they are sent, so that nothing else is judged or written. */
export function changedOf<Facts extends object>(before: Partial<Facts>, after: Facts): Partial<Facts> {
  const names = Object.keys(after) as (keyof Facts)[];
  return Object.fromEntries(names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]])) as Partial<Facts>;
}
