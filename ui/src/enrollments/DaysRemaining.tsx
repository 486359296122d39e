// The days left of a course; 0 once the end has passed, and a dash for declined and withdrawn requests and cancelled classes.
import type { Enrollment } from '../api-types.ts';
import { counts } from './requestRules.ts';
import { daysRemaining } from './progress.ts';
import { daysText } from './words.ts';

export function DaysRemaining({ enrollment, day }: { enrollment: Enrollment; day: string }) {
  if (counts(enrollment)) return <span>{daysText(daysRemaining(enrollment, day))}</span>;
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">not applicable</span>
    </>
  );
}
