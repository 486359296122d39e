// A student's charges: hidden without any, then total, due date and list.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { newQueryClient } from '../boot.ts';
import { server } from '../test/server.ts';
import { FeesCard } from './FeesCard.tsx';

const entry = { at: '2026-11-21T15:00:00Z', kind: 'charge', courseName: 'English' };
const howToPay = { text: 'By e-Transfer to the office.' };

function show(fees: object) {
  const client = newQueryClient();
  server.use(http.get('*/api/students/fees', () => HttpResponse.json(fees)));
  render(<QueryClientProvider client={client}><FeesCard /></QueryClientProvider>);
  return client;
}

it('names the sum as charged, the next day on which some of it is due, how to pay, and every charge', async () => {
  show({
    balance: 1269.5,
    nextDueOn: '2026-12-05',
    entries: [
      { ...entry, id: 2, enrollmentId: 2, courseCode: 'MHF4U', amount: 769.5, dueOn: '2026-12-07' },
      { ...entry, id: 1, enrollmentId: 1, courseCode: 'ENG4U', amount: 500, dueOn: '2026-12-05' },
    ],
    howToPay,
  });
  const card = await screen.findByRole('region', { name: 'Fees' });
  expect(card).toHaveTextContent('$1,269.50 as charged, due Dec 5, 2026. By e-Transfer to the office.');
  expect(card).toHaveTextContent('Payments are not deducted yet.');
  expect(screen.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
    '$769.50 MHF4U, due Dec 7, 2026', '$500.00 ENG4U, due Dec 5, 2026',
  ]);
});

it('is not there while nothing is charged, or everything that was is taken back', async () => {
  const client = show({ balance: 0, nextDueOn: null, entries: [], howToPay });
  await waitFor(() => expect(client.getQueryData(['enrollments', 'own', 'fees'])).toBeDefined());
  expect(screen.queryByText('Fees')).not.toBeInTheDocument();
});
