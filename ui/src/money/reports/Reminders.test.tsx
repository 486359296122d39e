// The list of reminders: what leaves next or why nothing does, skipped with a reason and taken back.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { newQueryClient } from '../../boot.ts';
import { Toaster } from '../../components/Toaster.tsx';
import { server } from '../../test/server.ts';
import { readMoneyView } from '../moneyView.ts';
import { Reminders } from './Reminders.tsx';

const row = { email: 'x@mail.example', amount: 500, overdueSince: null, lastReminderOn: '2026-11-20', sentCount: 1, why: null, skipped: [], state: null };
const later = { on: '2026-12-14', step: 'first', isByHand: false };
const ada = { ...row, studentId: 1, studentName: 'Ada Tran', next: { on: '2026-12-02', step: 'before', isByHand: false } };
const state = { mode: 'arrangement', note: 'In parts from January', until: '2027-01-31', by: 'bursar', at: '2026-11-21T15:00:00Z' };
const ben = { ...row, studentId: 2, studentName: 'Ben Tran', next: null, why: 'arrangement', state };
const skipped = { ...ada, next: later, skipped: [{ on: '2026-12-02', reason: 'They pay on Friday', by: 'bursar', at: '2026-11-21T15:00:00Z' }] };

// jsdom has no popovers.
HTMLElement.prototype.showPopover ??= () => undefined;
HTMLElement.prototype.hidePopover ??= () => undefined;

const of = async (name: string) => screen.findByRole('row', { name: new RegExp(name) });

it('skips the next reminder with a reason, and sends it after all', async () => {
  const sent: unknown[] = [];
  let rows: object[] = [ada, ben];
  const answer = (next: object) => async ({ request }: { request: Request }) => {
    sent.push([new URL(request.url).pathname, await request.json()]);
    rows = [next, ben];
    return HttpResponse.json(next);
  };
  server.use(
    http.get('*/api/admin/reminders', () => HttpResponse.json(rows, { headers: { 'X-Total-Count': '2' } })),
    http.post('*/api/admin/students/1/reminders/skip', answer(skipped)),
    http.post('*/api/admin/students/1/reminders/unskip', answer(ada)),
  );
  const user = userEvent.setup();
  const page = <><Reminders view={readMoneyView(new URLSearchParams('show=reminders'))} onView={() => undefined} summary={undefined} /><Toaster /></>;
  const router = createMemoryRouter([{ path: '/', element: page }]);
  render(<QueryClientProvider client={newQueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  expect(await of('Ada Tran')).toHaveTextContent('Dec 2, 2026 · before the due date');
  expect(await of('Ada Tran')).toHaveTextContent('1 reminder, Nov 20, 2026');
  expect(await of('Ben Tran')).toHaveTextContent('None: there is an arrangement. In parts from January (until Jan 31, 2027)');

  const menu = async (name: string) => {
    await user.click(within(await of(name)).getByRole('button', { name: `Reminders of ${name}` }));
    return within(await of(name));
  };
  expect((await menu('Ben Tran')).getByRole('button', { name: /^Skip Next Reminder…/, hidden: true })).toHaveAttribute('aria-disabled', 'true');
  await user.click((await menu('Ada Tran')).getByRole('button', { name: 'Skip Next Reminder…', hidden: true }));
  const dialog = await screen.findByRole('dialog', { name: 'Skip Next Reminder?' });
  await user.click(within(dialog).getByRole('button', { name: 'Skip Reminder' }));
  expect(within(dialog).getByLabelText('Reason')).toBeInvalid();
  await user.type(within(dialog).getByLabelText('Reason'), 'They pay on Friday');
  await user.click(within(dialog).getByRole('button', { name: 'Skip Reminder' }));
  expect(await screen.findByText('The next one will be sent on Dec 14, 2026.')).toBeVisible();
  expect(await screen.findByText('Dec 2, 2026 skipped: They pay on Friday')).toBeVisible();
  await user.click((await menu('Ada Tran')).getByRole('button', { name: 'Send on Dec 2, 2026 After All', hidden: true }));
  expect(await screen.findByText('The reminder will be sent on Dec 2, 2026 after all.')).toBeVisible();
  expect(sent).toEqual([
    ['/api/admin/students/1/reminders/skip', { on: '2026-12-02', reason: 'They pay on Friday' }],
    ['/api/admin/students/1/reminders/unskip', { on: '2026-12-02' }],
  ]);
});
