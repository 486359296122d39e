// The server's messages about an entry stand at its fields.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it, vi } from 'vitest';
import type { ItemFees, LedgerEntry } from '../../api-types.ts';
import { newQueryClient, seedQueries } from '../../boot.ts';
import { showToast } from '../../components/toasts.ts';
import { school } from '../../test/data.ts';
import { server } from '../../test/server.ts';
import { EntryDialog, type MoneyEntry } from './EntryDialog.tsx';

vi.mock(import('../../components/toasts.ts'), async (actual) => ({ ...(await actual()), showToast: vi.fn<typeof showToast>() }));

const item: ItemFees = {
  enrollmentId: 7, admissionId: null, for: 'ENG4U · English', quoted: 500, charged: 500, waived: 0, paid: 0, refunded: 0, due: 500, credit: 0, dueOn: null, instalments: [], open: [],
};

function open(wish: MoneyEntry) {
  const client = newQueryClient();
  seedQueries(client, { school });
  const element = <EntryDialog student={{ id: 5, name: 'Ana' }} wish={wish} onClose={() => {}} />;
  render(<QueryClientProvider client={client}><RouterProvider router={createMemoryRouter([{ path: '/', element }])} /></QueryClientProvider>);
  return userEvent.setup();
}

it('shows what is wrong with a charge at its words and its day', async () => {
  server.use(http.post('*/api/admin/students/5/charges', () => HttpResponse.json({ message: 'Invalid', fields: { description: 'Too short', dueOn: 'Too early' } }, { status: 400 })));
  const user = open({ what: 'charge', item });
  await user.click(await screen.findByRole('button', { name: 'Post Charge' }));
  expect(await screen.findByLabelText('For (optional)')).toHaveAccessibleDescription(/Too short/);
  expect(screen.getByLabelText('Due date (optional)')).toHaveAccessibleDescription(/Too early/);
});

it('shows what is wrong with a plan at its first day', async () => {
  server.use(http.put('*/api/admin/enrollments/7/instalments', () => HttpResponse.json({ message: 'Invalid', fields: { firstDueOn: 'Say when' } }, { status: 400 })));
  const user = open({ what: 'plan', item });
  await user.click(await screen.findByRole('button', { name: 'Save Instalments' }));
  expect(await screen.findByLabelText('First instalment due')).toHaveAccessibleDescription(/Say when/);
});

it.each([['charge', 'The student gets an email.', 'The student gets it by email.'], ['payment', null, 'For the office: the student gets no email.']] as const)(
  'says whether the student gets an email of a reversed %s', async (kind, toast, hint) => {
    server.use(http.post('*/api/admin/ledger/9/reverse', () => HttpResponse.json({})));
    const user = open({ what: 'reverse', entry: { id: 9, kind, amount: 50, for: 'ENG4U' } as LedgerEntry });
    const reason = await screen.findByLabelText('Reason');
    expect(reason).toHaveAccessibleDescription(hint);
    await user.type(reason, 'Posted twice');
    await user.click(screen.getByRole('button', { name: 'Reverse Entry' }));
    await expect.poll(() => vi.mocked(showToast).mock.lastCall).toEqual(['Entry reversed', toast]);
  },
);

it('asks of a refund whose fee is waived neither for a waiver nor warns of what is owing again', async () => {
  const left = { ...item, waived: 500, paid: 500, due: 0, credit: 500 };
  open({ what: 'refund', item: left });
  expect(await screen.findByLabelText('Pay back')).toHaveValue('500.00');
  expect(screen.getByText(': ENG4U · English, paid $500.00, a credit of $500.00.')).toBeVisible();
  expect(screen.queryByLabelText(/^Waive/)).not.toBeInTheDocument();
});

it('folds the refund policy away where a fee is waived', async () => {
  server.use(http.post('*/api/admin/enrollments/7/refund-proposal', () => HttpResponse.json({ message: 'None', reason: 'no_policy' }, { status: 409 })));
  open({ what: 'waive', item });
  expect(await screen.findByLabelText('Amount')).toHaveValue('500.00');
  expect(screen.getByText('What the refund policy says').closest('details')).not.toHaveAttribute('open');
});

it('removes a plan with a button', async () => {
  const sent: unknown[] = [];
  server.use(http.put('*/api/admin/enrollments/7/instalments', async ({ request }) => {
    sent.push(await request.json());
    return HttpResponse.json({ instalments: [] });
  }));
  const user = open({ what: 'plan', item: { ...item, instalments: [{ n: 1, dueOn: '2026-12-07', amount: 500 }] } });
  await user.click(await screen.findByRole('button', { name: 'Remove Plan' }));
  await expect.poll(() => sent).toEqual([{ instalments: [] }]);
});
