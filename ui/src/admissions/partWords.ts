// The parts of a fee, as an offer promises them and the ledger has them.
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import type { FeePart } from './wire.ts';

/** "Deposit", "Rest of the fee"; the only part is the fee. */
export const partName = ({ item }: FeePart, { length }: readonly FeePart[]) => (item === 'deposit' ? 'Deposit' : length > 1 ? 'Rest of the fee' : 'Fee');

/** "due Dec 20, 2026"; a deposit without a day is due at once. */
export const partDay = ({ item, dueOn }: FeePart) => (dueOn ? `due ${dateText(dueOn, '')}` : item === 'deposit' ? 'due when you accept' : '');

/** "$500.00 due Dec 20, 2026 and $750.50 due Jan 15, 2027" */
export const partsText = (parts: readonly FeePart[]) => parts.map((part) => [moneyText(part.amount, ''), partDay(part)].filter(Boolean).join(' ')).join(' and ');
