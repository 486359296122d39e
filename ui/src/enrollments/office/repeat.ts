// Words for repeats of a completed course, for the office.
import type { Enrollment } from '../../api-types.ts';

type Repeated = Pick<Enrollment, 'repeat' | 'repeatedMark'>;

const had = ({ repeatedMark }: Repeated) => (typeof repeatedMark === 'number' ? `had ${repeatedMark}%` : 'completed before');

/** The short form. */
export function shortRepeat(row: Repeated): string | null {
  return row.repeat ? `Repeat, ${had(row)}` : null;
}

/** The kind of repeat, in full. */
export function repeatText(row: Repeated): string | null {
  if (!row.repeat) return null;
  return `${row.repeat === 'failed' ? 'after a failure' : 'for a better mark, which an approval confirms'}; ${had(row)}`;
}
