// A student's fees: hidden without any, then what is due of each course, how to pay, and the receipts.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { newQueryClient } from '../../boot.ts';
import { server } from '../../test/server.ts';
import { FeesCard } from './FeesCard.tsx';

const entry = { at: '2026-11-21T15:00:00Z', kind: 'charge', courseName: 'English' };
const howToPay = { text: 'By e-Transfer to the office.', email: null, code: 'NGA-37KM5', amount: 0 };
const nothing = { balance: 0, due: 0, overdue: 0, credit: 0, covered: 0, unapplied: 0, refundsDue: [], nextDueOn: null, perItem: [], entries: [], receipts: [], invoices: [], howToPay };
const item = { open: [], admissionId: null, waived: 0, paid: 0, refunded: 0, credit: 0, instalments: [] };
const functions = { ...item, enrollmentId: 2, for: 'MHF4U · Functions', charged: 769.5, due: 769.5, dueOn: '2026-12-07' };
const english = { ...item, enrollmentId: 1, for: 'ENG4U · English', charged: 500, due: 500, dueOn: '2026-12-05' };

function show(fees: object) {
  const client = newQueryClient();
  server.use(http.get('*/api/students/fees', () => HttpResponse.json(fees)));
  render(<QueryClientProvider client={client}><FeesCard /></QueryClientProvider>);
  return client;
}

it('names the sum as charged, the next day, how to pay with the code, and what is due of each course', async () => {
  const fees = { ...nothing, due: 1269.5, nextDueOn: '2026-12-05', perItem: [functions, english], entries: [entry] };
  show({ ...fees, howToPay: { ...howToPay, amount: 1269.5 } });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('$1,269.50 charged, first payment due Dec 5, 2026. By e-Transfer to the office.');
  expect(card).toHaveTextContent('Your codeNGA-37KM5');
  expect(within(card).getByRole('button', { name: 'Copy: amount' })).toBeVisible();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'MHF4U · Functions$769.50 charged, due Dec 7, 2026$769.50 due', 'ENG4U · English$500.00 charged, due Dec 5, 2026$500.00 due',
  ]);
});

it('says what is still to be paid after a payment, what is late, and links each receipt', async () => {
  const paid = { number: '2026-000001', amount: 600, receivedOn: '2026-11-21', method: 'cash', voidedAt: null };
  const taken = { ...paid, number: '2026-000002', voidedAt: '2026-11-21T15:00:00Z' };
  const part = { n: 1, dueOn: '2026-12-07', amount: 769.5 };
  const rest = { dueOn: '2026-12-07', amount: 669.5 };
  const complaints = vi.spyOn(console, 'error');
  const perItem = [{ ...functions, paid: 100, instalments: [part, part], open: [rest, rest] }, { ...english, paid: 500, due: 0 }];
  show({ ...nothing, due: 669.5, overdue: 100, covered: 20, unapplied: 50, nextDueOn: '2026-12-07', entries: [entry], perItem, receipts: [taken, paid] });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('$669.50 still owing. $100.00 is overdue. By e-Transfer to the office.');
  expect(within(card).getByRole('heading', { name: 'Receipts' })).toBeVisible();
  expect(card).toHaveTextContent('Covered by $20.00 on account.');
  expect(card).toHaveTextContent('$30.00 of what you paid is on account.');
  expect(within(card).getAllByText('Instalment: $669.50, due Dec 7, 2026')).toHaveLength(2);
  expect(complaints, 'equal instalments have keys of their own').not.toHaveBeenCalled();
  expect(card).toHaveTextContent('$500.00 charged, $500.00 paidPaid');
  expect(card).toHaveTextContent('$600.00 reversed, was received Nov 21, 2026');
  const link = within(card).getByRole('link', { name: 'Receipt 2026-000001' });
  expect(link).toHaveAttribute('href', '/api/students/receipts/2026-000001');
  expect(within(card).getByRole('link', { name: 'Receipt 2026-000002 (void)' })).toBeVisible();
});

it('lists the parts of a fee that are due on different days, each with its own', async () => {
  const open = [{ dueOn: '2026-12-07', amount: 700 }, { dueOn: '2026-12-20', amount: 69.5 }];
  show({ ...nothing, due: 769.5, nextDueOn: '2026-12-07', entries: [entry], perItem: [{ ...functions, open }] });
  expect(await screen.findByRole('listitem')).toHaveTextContent('MHF4U · Functions$769.50 charged$700.00, due Dec 7, 2026$69.50, due Dec 20, 2026$769.50 due');
  expect(screen.queryByRole('heading', { name: 'Receipts' })).not.toBeInTheDocument();
});

it('says by when a refund is paid, and leaves what the school’s own words say of the code to them', async () => {
  const perItem = [{ ...english, paid: 500, waived: 500, due: 0, credit: 500 }, functions];
  const pay = { ...howToPay, text: 'Put your payment code in the message.', amount: 769.5 };
  const fees = { ...nothing, due: 769.5, credit: 500, nextDueOn: '2026-12-07', perItem, entries: [entry], howToPay: pay };
  show({ ...fees, refundsDue: [{ amount: 500, dueOn: '2026-12-10' }] });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('$500.00 more was paid than charged.The school refunds you $500.00 by Dec 10, 2026.');
  expect(card).not.toHaveTextContent('The office decides');
  expect(card).not.toHaveTextContent('Put your code in');
});

it('says that everything is paid, without how to pay', async () => {
  const receipt = { number: '2026-000001', amount: 500, receivedOn: '2026-11-21', method: 'cash', voidedAt: null };
  show({ ...nothing, entries: [entry], receipts: [receipt], perItem: [{ ...english, paid: 500, due: 0 }, { ...functions, waived: 769.5, due: 0 }] });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('Everything is paid.');
  expect(card).toHaveTextContent('$500.00 paidPaid');
  expect(card).toHaveTextContent('$769.50 waivedNothing due');
  expect(card).not.toHaveTextContent('By e-Transfer');
  expect(card).not.toHaveTextContent('Your code');
});

it('is not there while nothing is charged, or everything that was is taken back', async () => {
  const client = show(nothing);
  await waitFor(() => expect(client.getQueryData(['enrollments', 'own', 'fees'])).toBeDefined());
  expect(screen.queryByText('Fees')).not.toBeInTheDocument();
});
