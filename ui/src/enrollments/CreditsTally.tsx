// How far it is to the diploma, above the courses that lead there.
import type { Enrollment } from '../api-types.ts';
import { creditsOf, diploma_credits } from './diploma.ts';
import { creditsText } from './words.ts';

export function CreditsTally({ enrollments }: { enrollments: readonly Enrollment[] }) {
  const { earned, underWay } = creditsOf(enrollments);
  const words = `${creditsText(earned)} of ${diploma_credits} credits earned here${underWay > 0 ? `, ${creditsText(underWay)} under way` : ''}`;
  return (
    <p className="cluster credits-tally">
      <progress value={Math.min(earned, diploma_credits)} max={diploma_credits} aria-label="Credits toward the diploma" />
      <span><span>{`${words}. `}</span><small>Credits from another school count too: the office adds them.</small></span>
    </p>
  );
}
