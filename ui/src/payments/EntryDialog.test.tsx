// The server's messages about an entry stand at its fields.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { ItemFees } from '../api-types.ts';
import { newQueryClient, seedQueries } from '../boot.ts';
import { school } from '../test/data.ts';
import { server } from '../test/server.ts';
import { EntryDialog, type MoneyEntry } from './EntryDialog.tsx';

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
