// How one payment of a family is divided among its children.
import { moneyText } from '../../money.ts';
import { centsOf } from './division.ts';

/** A child, and what is to be paid for it, in dollars. */
export type Child = { studentId: number; studentName: string; due: number };

/** What each child gets, as typed, by the number of the account. */
export type Shares = Readonly<Record<number, string>>;

const dollars = (cents: number) => (cents / 100).toFixed(2);

/**
 * An amount divided by what each owes: in full where it is enough, with the rest to the first child; else in proportion,
 * rounded down, with the cents that are left to the first who owes more.
 */
export function divideByDue(amount: string, children: readonly Child[]): Shares {
  const total = centsOf(amount) ?? 0;
  const dues = children.map(({ due }) => Math.round(due * 100));
  const owed = dues.reduce((sum, due) => sum + due, 0);
  if (total <= 0) return {};
  const shares = dues.map((due) => (owed <= total ? due : Math.floor((due * total) / owed)));
  let left = total - shares.reduce((sum, share) => sum + share, 0);
  if (owed <= total) {
    shares[0] = (shares[0] ?? 0) + left;
    left = 0;
  }
  return Object.fromEntries(children.map(({ studentId }, at) => {
    const more = Math.max(0, Math.min(left, (dues[at] ?? 0) - (shares[at] ?? 0)));
    left -= more;
    const share = (shares[at] ?? 0) + more;
    return [studentId, share > 0 ? dollars(share) : ''];
  }));
}

/** The children who get something. */
export const divisionOf = (shares: Shares) =>
  Object.entries(shares).filter(([, amount]) => (centsOf(amount) ?? 0) > 0).map(([id, amount]) => ({ studentId: Number(id), amount }));

/** What is wrong with a division, in words; null if nothing is. */
export function shareProblem(amount: string, shares: Shares, children: readonly Child[]): string | null {
  for (const { studentId, studentName } of children) {
    if (centsOf(shares[studentId] ?? '') === null) return `Write the part of ${studentName} like 120.50`;
  }
  const sum = Object.values(shares).reduce((total, share) => total + (centsOf(share) ?? 0), 0);
  const whole = centsOf(amount);
  if (whole === null || sum === whole) return divisionOf(shares).length === 1 ? 'Only one child gets something: record the payment for that student' : null;
  return `The parts add up to ${moneyText(sum / 100, '')}, but the payment is ${moneyText(whole / 100, '')}`;
}
