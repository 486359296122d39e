// Payment settings: the text beside the address, and what is no number is not saved as nothing.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { newQueryClient } from '../boot.ts';
import { server } from '../test/server.ts';
import { MoneySettings } from './MoneySettings.tsx';

const settings = { eTransfer: null, dueDays: null, reminders: null, reminderDays: null, offerFee: null, offerDeposit: null, offerAnswerDays: null, offerDepositDays: null, offerFeeDays: null };
const page = { settings, defaults: { ...settings, dueDays: 14, reminderDays: [-3, 7] }, howToPay: 'By e-Transfer to office@school.example.', otherAddress: null };

function show(duties: string[]) {
  const routes = [{ element: <Outlet context={{ duties }} />, children: [{ path: '/', element: <MoneySettings /> }] }];
  render(<QueryClientProvider client={newQueryClient()}><RouterProvider router={createMemoryRouter(routes)} /></QueryClientProvider>);
}

it('shows what families read beside the address, says where it differs, and links its page for those who edit it', async () => {
  server.use(http.get('*/api/admin/settings/money', () => HttpResponse.json({ ...page, settings: { ...settings, eTransfer: 'fees@school.example' }, otherAddress: 'office@school.example' })));
  show(['money', 'settings']);
  expect(await screen.findByText(page.howToPay)).toBeVisible();
  expect(screen.getByText('This text names office@school.example, so families do not see fees@school.example. Change one of them.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Change it in Site Settings' })).toHaveAttribute('href', '/admin/settings#texts');
});

it('does not save days that are no number', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get('*/api/admin/settings/money', () => HttpResponse.json(page)),
    http.put('*/api/admin/settings/money', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({});
    }),
  );
  const user = userEvent.setup();
  show(['money']);
  expect(await screen.findByText('An administrator changes it in Site Settings.')).toBeVisible();
  const days = await screen.findByLabelText('Days until a fee is due');
  await user.type(days, 'two weeks{Enter}');
  expect(await screen.findByRole('link', { name: 'Must be a whole number from 0 to 366' })).toBeVisible();
  expect(sent).toEqual([]);
  await user.clear(days);
  await user.type(days, ' 21 {Enter}');
  await expect.poll(() => sent).toEqual([{ ...settings, dueDays: 21 }]);
});

it.each(['6.400,00', '6.400', '12,50', 'free'])('does not guess a usual fee of %s', async (typed) => {
  server.use(http.get('*/api/admin/settings/money', () => HttpResponse.json(page)));
  const user = userEvent.setup();
  show(['money']);
  await user.type(await screen.findByLabelText('Usual fee in dollars'), `${typed}{Enter}`);
  expect(await screen.findByRole('link', { name: 'Enter an amount, such as 500.00' })).toBeVisible();
});
