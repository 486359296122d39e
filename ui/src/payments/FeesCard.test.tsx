// A student's fees: hidden without any, then what is due, what was paid, the receipts and the list.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { newQueryClient } from '../boot.ts';
import { server } from '../test/server.ts';
import { FeesCard } from './FeesCard.tsx';

const entry = { at: '2026-11-21T15:00:00Z', kind: 'charge', courseName: 'English' };
const howToPay = { text: 'By e-Transfer to the office.' };
const nothing = { balance: 0, due: 0, unapplied: 0, nextDueOn: null, entries: [], receipts: [], howToPay };

const charges = [
  { ...entry, id: 2, enrollmentId: 2, courseCode: 'MHF4U', amount: 769.5, dueOn: '2026-12-07' },
  { ...entry, id: 1, enrollmentId: 1, courseCode: 'ENG4U', amount: 500, dueOn: '2026-12-05' },
];

function show(fees: object) {
  const client = newQueryClient();
  server.use(http.get('*/api/students/fees', () => HttpResponse.json(fees)));
  render(<QueryClientProvider client={client}><FeesCard /></QueryClientProvider>);
  return client;
}

it('names the sum as charged, the next day on which some of it is due, how to pay, and every charge', async () => {
  show({ ...nothing, due: 1269.5, nextDueOn: '2026-12-05', entries: charges });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('$1,269.50 as charged, due Dec 5, 2026. By e-Transfer to the office.');
  expect(screen.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
    '$769.50 MHF4U, due Dec 7, 2026', '$500.00 ENG4U, due Dec 5, 2026',
  ]);
});

it('says what is still to be paid after a payment, and links each receipt', async () => {
  const paid = { number: '2026-000001', amount: 600, receivedOn: '2026-11-21', method: 'cash', voidedAt: null };
  const taken = { ...paid, number: '2026-000002', voidedAt: '2026-11-21T15:00:00Z' };
  const part = { ...entry, id: 3, kind: 'payment', enrollmentId: 1, courseCode: 'ENG4U', amount: -500, dueOn: null };
  show({ ...nothing, due: 669.5, unapplied: 20, nextDueOn: '2026-12-07', entries: [part, ...charges], receipts: [taken, paid] });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('$669.50 still to be paid, due Dec 7, 2026. By e-Transfer to the office.');
  expect(card).toHaveTextContent('$20.00 of what you paid is on account.');
  expect(card).toHaveTextContent('$600.00 taken back, was received Nov 21, 2026');
  expect(card).toHaveTextContent('See the charges (2)');
  const link = within(card).getByRole('link', { name: 'Receipt 2026-000001' });
  expect(link).toHaveAttribute('href', '/api/students/receipts/2026-000001');
  expect(within(card).getByRole('link', { name: 'Receipt 2026-000002 (void)' })).toBeVisible();
});

it('says that everything is paid, without how to pay', async () => {
  const receipt = { number: '2026-000001', amount: 500, receivedOn: '2026-11-21', method: 'cash', voidedAt: null };
  show({ ...nothing, entries: [charges[1]], receipts: [receipt] });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('Everything is paid.');
  expect(card).not.toHaveTextContent('By e-Transfer');
});

it('is not there while nothing is charged, or everything that was is taken back', async () => {
  const client = show(nothing);
  await waitFor(() => expect(client.getQueryData(['enrollments', 'own', 'fees'])).toBeDefined());
  expect(screen.queryByText('Fees')).not.toBeInTheDocument();
});
