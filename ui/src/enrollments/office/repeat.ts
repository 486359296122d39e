// What the office reads about a completed course that is taken once more.
import type { Enrollment } from '../../api-types.ts';

type Repeated = Pick<Enrollment, 'repeat' | 'repeatedMark'>;

const had = ({ repeatedMark }: Repeated) => (typeof repeatedMark === 'number' ? `had ${repeatedMark}%` : 'completed before');

/** Where there is little room. */
export function shortRepeat(row: Repeated): string | null {
  return row.repeat ? `Repeat, ${had(row)}` : null;
}

/** Which kind of repeat it is; for a better mark, an approval confirms it. */
export function repeatText(row: Repeated): string | null {
  if (!row.repeat) return null;
  return `${row.repeat === 'failed' ? 'after a failure' : 'for a better mark, which an approval confirms'}; ${had(row)}`;
}
