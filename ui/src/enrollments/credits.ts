// Credit totals in words; the server computes them.
import type { CreditSum } from '../api-types.ts';

/** The Ontario Secondary School Diploma asks for 30 credits. */
export const diploma_credits = 30;

export const totalCredits = ({ here, elsewhere }: CreditSum) => Math.round((here + elsewhere) * 100) / 100;

/** "18 of 30 credits: 12 earned here + 6 recorded elsewhere, 2 under way" */
export function creditsLine(sum: CreditSum): string {
  const { here, elsewhere, underWay } = sum;
  const of = `of ${diploma_credits} credits`;
  const earned = elsewhere > 0
    ? `${totalCredits(sum)} ${of}: ${here} earned here + ${elsewhere} recorded elsewhere`
    : `${here} ${of} earned here`;
  return underWay > 0 ? `${earned}, ${underWay} under way` : earned;
}
