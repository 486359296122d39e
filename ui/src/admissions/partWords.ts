// The parts of a fee in a sentence.
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import type { FeePart } from './wire.ts';

/** "$500.00 due Dec 20, 2026 and $750.50 due Jan 15, 2027"; a deposit without a day is due on acceptance. */
export const partsText = (parts: readonly FeePart[]) =>
  parts.map(({ amount, dueOn }) => `${moneyText(amount, '')} due ${dateText(dueOn, 'on acceptance')}`).join(' and ');
