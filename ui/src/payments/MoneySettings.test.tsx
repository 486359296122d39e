// Payment settings: what is no number is not saved as nothing.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { newQueryClient } from '../boot.ts';
import { server } from '../test/server.ts';
import { MoneySettings } from './MoneySettings.tsx';

it('does not save days that are no number', async () => {
  const sent: unknown[] = [];
  const settings = { eTransfer: null, dueDays: null, reminders: null, reminderDays: null };
  server.use(
    http.get('*/api/admin/settings/money', () => HttpResponse.json({ settings, defaults: { ...settings, dueDays: 14, reminderDays: [-3, 7] } })),
    http.put('*/api/admin/settings/money', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({});
    }),
  );
  const user = userEvent.setup();
  render(<QueryClientProvider client={newQueryClient()}><MoneySettings /></QueryClientProvider>);
  const days = await screen.findByLabelText('Days until a fee is due');
  await user.type(days, 'two weeks{Enter}');
  expect(await screen.findByRole('link', { name: 'Must be a whole number from 0 to 366' })).toBeVisible();
  expect(sent).toEqual([]);
  await user.clear(days);
  await user.type(days, ' 21 {Enter}');
  await expect.poll(() => sent).toEqual([{ ...settings, dueDays: 21 }]);
});
