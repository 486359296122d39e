// The choice of the weekday email on the own account page.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { userQuery } from '../accounts/signedIn.ts';
import type { User, WaitingLine } from '../api-types.ts';
import { newQueryClient } from '../boot.ts';
import { server } from '../test/server.ts';
import { DigestCard } from './DigestCard.tsx';

const registrar: User = {
  id: 1, username: 'registrar', fullName: null, email: 'registrar@northgate.example', role: 'registrar', duties: ['messages'],
  hasSecondFactor: false, needsSecondFactor: false, digest: false,
};
const messages: WaitingLine = { kind: 'messages', group: 'us', count: 0, oldest: null, href: '/admin/messages?status=new' };

function open(user: User, lines: WaitingLine[]) {
  const client = newQueryClient();
  client.setQueryData(userQuery.queryKey, user);
  server.use(http.get('/api/admin/waiting', () => HttpResponse.json(lines)));
  const router = createMemoryRouter([{ element: <Outlet context={user} />, children: [{ path: '/', element: <DigestCard /> }] }]);
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return client;
}

it('turns the email on, and keeps what the server answers', async () => {
  const sent: unknown[] = [];
  server.use(
    http.put('/api/user/digest', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ ...registrar, digest: true });
    }),
  );
  const client = open(registrar, [messages]);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Email me my to-do list on weekday mornings' }));
  await expect.poll(() => client.getQueryData(userQuery.queryKey)?.digest).toBe(true);
  expect(sent).toEqual([{ isOn: true }]);
});

it('says that nothing was changed', async () => {
  server.use(http.put('/api/user/digest', () => HttpResponse.json({ message: 'Please try again later.' }, { status: 503 })));
  open(registrar, [messages]);
  const box = await screen.findByRole('checkbox');
  await userEvent.click(box);
  await expect.poll(() => (box as HTMLInputElement).disabled || (box as HTMLInputElement).checked).toBe(false);
});

it('is shown to a role without a to-do list only while it is on', async () => {
  open({ ...registrar, role: 'viewer', digest: true }, []);
  expect(await screen.findByRole('checkbox')).toBeChecked();
});
