// Guardians whose answer is awaited are reminded by one press, or the server says why not.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { newQueryClient } from '../boot.ts';
import { Toaster } from '../components/Toaster.tsx';
import { server } from '../test/server.ts';
import { RemindGuardians } from './RemindGuardians.tsx';

it.each([
  [{ id: 5, ok: true }, 'The guardians are reminded'],
  [{ id: 5, ok: false, status: 409, message: 'The guardian was written to today, and can be reminded tomorrow.' }, 'The guardian was written to today, and can be reminded tomorrow.'],
])('says what became of it: %o', async (result, words) => {
  let asked: unknown;
  server.use(http.post('*/api/admin/students/remind-guardians', async ({ request }) => {
    asked = await request.json();
    return HttpResponse.json({ results: [result] });
  }));
  render(<QueryClientProvider client={newQueryClient()}><RemindGuardians id={5} /><Toaster /></QueryClientProvider>);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Remind' }));
  expect(await screen.findByText(words)).toBeVisible();
  expect(asked).toEqual({ ids: [5] });
});
