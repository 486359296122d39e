// The age of a request in its state: red once the office has taken longer than the school means to.
import { ageText } from './requests.ts';
import type { RequestRow } from './wire.ts';

export function RequestAge({ row, words = ageText(row) }: { row: Pick<RequestRow, 'status' | 'stateSince' | 'isLate'>; words?: string }) {
  return row.isLate ? <span className="badge tone-red"><span>{words}</span><span className="sr-only"> (late)</span></span> : <span>{words}</span>;
}
