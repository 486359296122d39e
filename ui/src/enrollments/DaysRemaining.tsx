// The days left of a course; a dash for declined and withdrawn requests.
import type { Enrollment } from '../api-types.ts';
import { isOpen } from './requestRules.ts';
import { daysRemaining } from './progress.ts';
import { daysText } from './words.ts';

export function DaysRemaining({ enrollment, day }: { enrollment: Enrollment; day: string }) {
  if (isOpen(enrollment)) return <span>{daysText(daysRemaining(enrollment, day))}</span>;
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="sr-only">not applicable</span>
    </>
  );
}
