// A student's fees in the office: each part with its day, and a refund until it is paid.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { ItemFees, RefundDue, StudentFile } from '../api-types.ts';
import { newQueryClient, seedQueries } from '../boot.ts';
import { school } from '../test/data.ts';
import { server } from '../test/server.ts';
import { MoneyPanel } from './MoneyPanel.tsx';

const item: ItemFees = {
  enrollmentId: 7, admissionId: null, for: 'ENG4U · English', quoted: 500, charged: 500, waived: 0, paid: 0, refunded: 0, due: 500, credit: 0, dueOn: '2026-11-21', instalments: [], open: [],
};

function show(perItem: ItemFees[], ledger: object) {
  const file = { student: { id: 5, fullName: 'Ana', email: 'ana@mail.example' }, money: { perItem, payments: [], deposits: [], unapplied: 0 } } as unknown as StudentFile;
  server.use(http.get('*/api/admin/students/5/ledger', () => HttpResponse.json({ entries: [], perItem, unapplied: 0, payouts: [], refundsDue: [], paymentCode: 'NA-37KM5', reminders: { state: null, lastReminderOn: null }, ...ledger })));
  const client = newQueryClient();
  seedQueries(client, { school });
  const routes = [{ element: <Outlet context={{ duties: ['money'] }} />, children: [{ path: '/', element: <MoneyPanel file={file} onShow={() => {}} /> }] }];
  render(<QueryClientProvider client={client}><RouterProvider router={createMemoryRouter(routes)} /></QueryClientProvider>);
}

const row = async (name: RegExp) => within(await screen.findByRole('table', { name: 'Fees' })).findByRole('row', { name });

it('shows each part of a fee with its own day, and of many the first and the last', async () => {
  const parts = [{ dueOn: '2026-11-21', amount: 199 }, { dueOn: '2026-12-11', amount: 45.5 }];
  show([{ ...item, open: parts }, { ...item, enrollmentId: 8, for: 'SPH4U · Physics', open: [...parts, { dueOn: '2027-01-05', amount: 10 }] }], {});
  expect(await row(/ENG4U/)).toHaveTextContent('$199.00 Nov 21, 2026$45.50 Dec 11, 2026');
  expect(await row(/SPH4U/)).toHaveTextContent('$199.00 Nov 21, 20262 more until Jan 5, 2027');
});

it('keeps a refund that is due in its row with its day and actions', async () => {
  const refund = { id: 1, enrollmentId: 7, amount: 300, credit: 300, dueOn: '2026-12-10' } as RefundDue;
  show([{ ...item, waived: 300, paid: 500, due: 0, credit: 300, dueOn: null }], { refundsDue: [refund] });
  const found = await row(/\$300\.00 refund due Dec 10, 2026/);
  expect(found).toHaveTextContent('$300.00 credit');
  expect(found).not.toHaveClass('is-done');
  expect(within(found).getByText('Mark Refund as Not Needed…')).toBeInTheDocument();
});

it('takes money on account off what the ledger adds up to', async () => {
  show([item], { entries: [{ id: 1, kind: 'charge', amount: 500, running: 500, for: item.for, at: '2026-11-21T15:00:00Z' }], unapplied: 150 });
  expect(await screen.findByText('$500.00 − $150.00 on account = $350.00 balance.')).toBeVisible();
});
