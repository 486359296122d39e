// What `/admin/money` shows, as its address says.
import { dayNumber } from '../dates.ts';

export type MoneyView = { show: 'balances' | 'payments'; filter: string; q: string; sort: string; page: number; asOf: string; method: string };

export function readMoneyView(parameters: URLSearchParams): MoneyView {
  const text = (name: string) => parameters.get(name) ?? '';
  const page = Number(text('page'));
  return {
    show: text('show') === 'payments' ? 'payments' : 'balances',
    filter: ['due', 'overdue', 'credit', 'unapplied'].includes(text('filter')) ? text('filter') : '',
    q: text('q'),
    sort: text('sort'),
    page: Number.isInteger(page) && page > 0 ? page : 1,
    asOf: dayNumber(text('asOf')) === null ? '' : text('asOf'),
    method: text('method'),
  };
}

export function writeMoneyView({ show, page, ...texts }: MoneyView): Record<string, string> {
  const said = Object.entries(texts).filter(([, value]) => value.trim() !== '');
  return { ...(show === 'payments' && { show }), ...Object.fromEntries(said), ...(page > 1 && { page: String(page) }) };
}
