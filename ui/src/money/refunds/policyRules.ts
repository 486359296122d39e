// The rules of a refund policy, as people choose and read them.
import type { RefundPolicy } from '../../api-types.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';

type Rule = RefundPolicy['rules'][number];

/** Until when a rule holds, in the words of the form. */
export const moments = {
  school: 'School day of the course',
  day: 'Days after the first day',
  before: 'Days before the first day',
  end: 'Last day of the course',
};

export type Moment = keyof typeof moments;

/** A rule that is being written. */
export type RuleDraft = { key: string; moment: Moment; days: string; percent: string; keep: string };

let made = 0;

export const newRule = (rule: Omit<RuleDraft, 'key'>): RuleDraft => ({ key: `rule-${(made += 1)}`, ...rule });

/** "start+5sd" as what is chosen and typed. */
export function draftOf({ until, percent, keep }: Rule): RuleDraft {
  const [, sign = '+', days = '0', unit = 'd'] = /^start(?:([+-])(\d+)(s?d))?$/.exec(until) ?? [];
  const moment: Moment = until === 'end' ? 'end' : sign === '-' ? 'before' : unit === 'sd' ? 'school' : 'day';
  return newRule({ moment, days: until === 'end' ? '' : days, percent: String(percent), keep: keep > 0 ? keep.toFixed(2) : '' });
}

/** What the server takes. */
export function ruleOf({ moment, days, percent, keep }: RuleDraft) {
  const number = days.trim() || '0';
  const until = { end: 'end', school: `start+${number}sd`, day: `start+${number}d`, before: `start-${number}d` }[moment];
  return { until, percent: percent.trim() === '' ? null : Number(percent), keep: keep.trim() || null };
}

/** "until the end of school day 5". */
export function untilWords(until: string): string {
  const [, sign, days, unit] = /^start([+-])(\d+)(s?d)$/.exec(until) ?? [];
  if (until === 'end') return 'until the course ends';
  if (!days || Number(days) === 0) return 'until the first day';
  const count = `${days} ${unit === 'sd' ? 'school ' : ''}${days === '1' ? 'day' : 'days'}`;
  if (sign === '-') return `until ${count} before the first day`;
  return unit === 'sd' ? `until school day ${days}` : `until ${count} after the first day`;
}

/** The fee of the example. */
export const exampleFee = 769;

/** What the student of the example still pays: the server's arithmetic, in whole cents. */
export function costOf(rule: { percent: number; keep: number }, fee = exampleFee): number {
  const cents = Math.round(fee * 100);
  const forgiven = Math.max(0, Math.floor((cents * rule.percent) / 100) - Math.round(rule.keep * 100));
  return (cents - forgiven) / 100;
}

/** "Who leaves until school day 5 pays $100.00 of a fee of $769.00, and gets $669.00 back." */
export function exampleWords(rule: Rule): string {
  const cost = costOf(rule);
  const fee = moneyText(exampleFee, '');
  const until = untilWords(rule.until);
  if (cost === exampleFee) return `A student who leaves ${until} pays the whole fee of ${fee}.`;
  if (cost === 0) return `A student who leaves ${until} pays nothing of a fee of ${fee}.`;
  return `A student who leaves ${until} pays ${moneyText(cost, '')} of a fee of ${fee}, and gets ${moneyText(exampleFee - cost, '')} back.`;
}

/** "Residents of ON and QC, for requests from January 1, 2026". */
export function scopeWords({ provinces, effectiveOn }: RefundPolicy): string {
  const who = provinces ? `Students in ${provinces.join(', ')}` : 'All students whose province has no policy of its own';
  return `${who}; for requests from ${dateText(effectiveOn, '')}`;
}

/** The newest version of each name, and the others: the list has the newest first. */
export function versionsOf(policies: readonly RefundPolicy[]): { current: RefundPolicy[]; earlier: RefundPolicy[] } {
  const isNewest = (policy: RefundPolicy, at: number) => policies.findIndex(({ name }) => name === policy.name) === at;
  return { current: policies.filter(isNewest), earlier: policies.filter((policy, at) => !isNewest(policy, at)) };
}
