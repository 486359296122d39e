// The school's money by role and by day: what a role may open, and whose figures are shown.
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import type { MoneySummary, User } from '../api-types.ts';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const user: User = {
  id: 1, username: 'viewer', email: 'viewer@northgate.example', fullName: null, role: 'viewer', hasSecondFactor: true, needsSecondFactor: false,
  digest: false, duties: [],
};
const summary: MoneySummary = {
  due: 1200, overdue: 700, credits: 0, unapplied: 481, unpricedCount: 2, receivedThisMonth: 300, admissionFeesDue: 6400, totalDue: 7600, covered: 481,
  aging: { notYetDue: 500, days1to30: 700, days31to60: 0, days61plus: 0 },
};
const calls: string[] = [];

/** Signs in a role with its duties, and lists rows at an address. */
function signIn(duties: User['duties'], rows: Record<string, object[]> = {}) {
  server.use(
    http.get('*/api/user', () => HttpResponse.json({ ...user, duties })),
    http.get('*/api/admin/waiting', () => HttpResponse.json([])),
    http.get('*/api/admin/money/summary', () => HttpResponse.json(summary)),
    ...Object.entries(rows).map(([path, found]) => http.get(`*${path}`, () => HttpResponse.json(found, { headers: { 'X-Total-Count': String(found.length) } }))),
  );
}

beforeEach(() => {
  calls.length = 0;
  server.events.on('request:start', ({ request }) => void calls.push(new URL(request.url).pathname));
  return () => server.events.removeAllListeners();
});

const figures = async () => within(await screen.findByRole('navigation', { name: 'Figures' }));

it('shows the totals to a role that reads no balances, without links to what is refused', async () => {
  signIn(['admissions']);
  open('/admin/money', { school });
  expect(await (await figures()).findByText('$7,600.00')).toBeVisible();
  expect((await figures()).getAllByRole('link').map((link) => link.textContent)).toEqual(['Unpriced 2']);
  expect(screen.getByRole('region', { name: 'Due by age' })).toHaveTextContent(/Not due yet\s*\$500\.00.*Admission fees due\s*\$6,400\.00/);
  expect(screen.queryByRole('navigation', { name: 'Money' })).toBeNull();
  expect(calls.filter((call) => /money|payments/.test(call))).toEqual(['/api/admin/money/summary']);
});

it.each([['reminders', 'Reminders'], ['policies', 'Refund Policies'], ['settings', 'Settings']])('says that a role has no access to %s, and asks for nothing there', async (show, label) => {
  signIn(['balances']);
  open(`/admin/money?show=${show}`, { school });
  expect(await screen.findByText(`You don’t have access to ${label}`)).toBeVisible();
  expect(within(screen.getByRole('navigation', { name: 'Money' })).getByRole('link', { name: 'Balances' })).toBeVisible();
  expect(calls.filter((call) => /money|reminders|policies/.test(call))).toEqual(['/api/admin/money/summary']);
});

const payment = {
  studentId: 4, studentName: 'Eve Tran', requestId: null, method: 'card', reference: null, payerName: null, note: null, unapplied: 0, depositedOn: null, voidedAt: null,
  receivedOn: '2026-11-25', at: '2026-11-25T15:00:00Z', by: 'bursar', receiptNumber: '2026-000001',
};
const cheque = { ...payment, id: 1, amount: 100.1, method: 'cheque', receiptNumber: '2026-000001' };
const card = { ...payment, id: 2, amount: 769.2, receiptNumber: '2026-000002', depositedOn: '2026-11-26' };
const total = { day: '2026-11-25', total: 869.3, count: 2, methods: { card: 769.2, cheque: 100.1 } };

it.each([
  ['the sum of a day that is shown whole', '', [cheque, card], 'Nov 25, 2026 · $869.30: Card $769.20, Cheque $100.10'],
  ['that a sum is of the whole day if some of it is on another page', '', [card], 'Nov 25, 2026 · Whole day: $869.30: Card $769.20, Cheque $100.10'],
  ['the sum of a method alone', '&method=cheque', [cheque, { ...cheque, id: 3, amount: 5, receiptNumber: '2026-000003', voidedAt: '2026-11-25T16:00:00Z' }], 'Nov 25, 2026 · Cheque $100.10'],
  ['no sum above what was searched for', '&q=Eve', [card], 'Nov 25, 2026'],
  ['no sum of a method that is void alone', '&method=cash', [{ ...cheque, method: 'cash', voidedAt: '2026-11-25T16:00:00Z' }], 'Nov 25, 2026'],
])('shows %s', async (_, parameters, rows, heading) => {
  signIn(['balances', 'money'], { '/api/admin/payments': rows, '/api/admin/payments/totals': [total] });
  open(`/admin/money?show=payments${parameters}`, { school });
  expect(await screen.findByRole('rowheader', { name: heading })).toBeVisible();
});

it('marks only payments without a deposit, undoes it, and takes an earlier mark away', async () => {
  const sent: unknown[] = [];
  signIn(['balances', 'money'], { '/api/admin/payments': [cheque, card], '/api/admin/payments/totals': [total] });
  server.use(http.post('*/api/admin/payments/deposited', async ({ request }) => {
    const body = (await request.json()) as { ids: number[]; on: string | null };
    sent.push(body);
    return HttpResponse.json({ results: body.ids.map((id) => ({ id, ok: true, row: null, status: null, message: null })) });
  }));
  const { user: person } = open('/admin/money?show=payments', { school });
  const choose = async () => {
    await person.click(await screen.findByRole('checkbox', { name: 'Select receipt 2026-000001' }));
    await person.click(screen.getByRole('checkbox', { name: 'Select receipt 2026-000002' }));
  };
  await choose();
  const on = screen.getByLabelText<HTMLInputElement>('Deposited on').value;
  await person.click(screen.getByRole('button', { name: 'Mark Deposited (1)' }));
  expect(await screen.findByText('1 was marked before and keeps its day.')).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Mark removed')).toBeVisible();
  await choose();
  await person.click(screen.getByRole('button', { name: 'Remove Deposit Mark (1)' }));
  expect(await screen.findByText('1 no longer marked as deposited')).toBeVisible();
  expect(sent).toEqual([{ ids: [1], on }, { ids: [1], on: null }, { ids: [2], on: null }]);
});

it('shows the figures of a past day under its date, without what is known for today alone', async () => {
  const row = {
    studentId: 4, studentName: 'Eve Tran', studentNumber: null, email: 'eve@mail.example', due: 1200, admissionDue: 6400, totalDue: 7600, covered: 481, hold: null, credit: 12, unapplied: 481, balance: 707, overdue: 700,
    overdueSince: '2025-09-30', aging: summary.aging, lastPaymentOn: null, lastReminderOn: null,
  };
  signIn(['balances', 'money'], { '/api/admin/money/balances': [row] });
  const { user: person } = open('/admin/money?asOf=2025-10-31', { school });
  expect(await (await figures()).findByText('Received in October 2025')).toBeVisible();
  expect((await figures()).queryByText('Unpriced')).toBeNull();
  expect(screen.getByText('As of Oct 31, 2025.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Show Today' })).toHaveAttribute('href', '/admin/money');
  const cells = within(await screen.findByRole('row', { name: /Eve Tran/ })).getAllByRole('cell').map(({ textContent }) => textContent);
  expect(cells).toEqual(expect.arrayContaining(['$1,200.00', '$6,400.00', '$7,600.00', '$481.00']));
  expect(screen.queryByRole('button', { name: /Record a payment of/ })).toBeNull();
  // What was paid or waived beyond the charges is rare: a column of its own list alone.
  expect(screen.queryByRole('columnheader', { name: 'Credit' })).toBeNull();
  await person.click(screen.getByRole('link', { name: /^Credits/ }));
  expect(await screen.findByRole('columnheader', { name: 'Credit' })).toBeVisible();
  expect(screen.getByRole('row', { name: /Eve Tran/ })).toHaveTextContent('$12.00');
});
