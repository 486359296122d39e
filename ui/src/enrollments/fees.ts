// The two prices of a request: quoted when it was sent, and the course's of today.
import type { PendingEnrollment } from '../api-types.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';

type Fees = Pick<PendingEnrollment, 'course_fee' | 'quoted_fee' | 'quoted_until' | 'current_fee'>;

/** True when the office has to choose. */
export function hasTwoPrices({ quoted_fee, current_fee }: Fees): boolean {
  return typeof quoted_fee === 'number' && typeof current_fee === 'number' && quoted_fee !== current_fee;
}

/** What stands under the fee when there is another price; null when there is none. */
export function otherPrice(fees: Fees): string | null {
  if (!hasTwoPrices(fees)) return null;
  return fees.course_fee === fees.quoted_fee
    ? `now ${moneyText(fees.current_fee, '')}`
    : `quoted ${moneyText(fees.quoted_fee, '')} until ${dateText(fees.quoted_until, '')}`;
}
