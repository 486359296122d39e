// What `/admin/money` shows, as its address says.
import type { MoneySummary } from '../api-types.ts';
import { dayNumber } from '../dates.ts';
import { type Shown, shownSections } from './moneySections.ts';

export type MoneyView = { show: Shown; filter: string; q: string; sort: string; page: number; asOf: string; method: string };

/** What a section of the page is given. */
export type SectionProps = { view: MoneyView; onView: (view: MoneyView, pause_ms?: number) => void; summary: MoneySummary | undefined };

export function readMoneyView(parameters: URLSearchParams): MoneyView {
  const text = (name: string) => parameters.get(name) ?? '';
  const page = Number(text('page'));
  return {
    show: shownSections.find((section) => section === text('show')) ?? 'balances',
    filter: ['due', 'overdue', 'credit', 'unapplied', 'admission'].includes(text('filter')) ? text('filter') : '',
    q: text('q'),
    sort: text('sort'),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    asOf: dayNumber(text('asOf')) === null ? '' : text('asOf'),
    method: text('method'),
  };
}

export function writeMoneyView({ show, page, ...texts }: MoneyView): Record<string, string> {
  const said = Object.entries(texts).filter(([, value]) => value.trim() !== '');
  return { ...(show !== 'balances' && { show }), ...Object.fromEntries(said), ...(page > 1 && { page: String(page) }) };
}
