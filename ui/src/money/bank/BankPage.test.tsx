// The bank's file: what is decided about its lines, whose a line is, and what an undone import leaves.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { newQueryClient } from '../../boot.ts';
import { Toaster } from '../../components/Toaster.tsx';
import { school } from '../../test/data.ts';
import { server } from '../../test/server.ts';
import { BankLines } from './BankLines.tsx';
import { BankPage } from './BankPage.tsx';

const line = { date: '2026-11-20', text: 'J MORALES', amount: 640, state: 'unknown', method: 'other', account: null, match: null, division: [], known: null, payments: [] };
const paid = { id: 9, studentId: 4, studentName: 'Eve Tran', amount: 640, receiptNumber: '2026-000003', voidedAt: null };
const statement = { id: 1, account: 'Chequing', importedAt: '2026-11-21T15:00:00Z', undoneAt: null, leftOut: [], columns: {}, lines: [{ ...line, id: 7, line: 2 }] };
const posted = { ...statement, lines: [{ ...line, id: 7, line: 2, state: 'posted', payments: [paid] }] };

function show(first: object) {
  const sent: unknown[] = [];
  let current = first;
  const answer = (next: object, body: object) => async ({ request }: { request: Request }) => {
    sent.push(await request.json().catch(() => null));
    current = next;
    return HttpResponse.json(body);
  };
  const left = [{ ...paid, message: 'That would refund $50.00 more than was paid. Reverse the refund first, or refund less.' }];
  server.use(
    http.get('*/api/admin/bank-imports/1', () => HttpResponse.json(current)),
    http.get('*/api/admin/search', () => HttpResponse.json({ students: [{ id: 4, name: 'Eve Tran', number: null, email: 'eve@mail.example' }, { id: 5, name: 'Max Tran', number: null, email: 'max@mail.example' }] })),
    http.post('*/api/admin/bank-imports/1/post', answer(posted, { results: [{ lineId: 7, ok: true, paymentId: 9, receiptNumber: '2026-000003' }] })),
    http.post('*/api/admin/bank-imports/1/undo', answer({ ...posted, undoneAt: '2026-11-21T16:00:00Z' }, { import: {}, reversed: 0, total: 0, left })),
  );
  const client = newQueryClient();
  client.setQueryData(['school'], school);
  const router = createMemoryRouter([{ path: '/', element: <><BankLines id={1} /><Toaster /></> }]);
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return { user: userEvent.setup(), sent };
}

/** The present step of the import. */
const step = () => within(screen.getByRole('list', { name: 'Steps of the import' })).getAllByRole('listitem').find((one) => one.ariaCurrent === 'step');

it('asks before chosen students and typed parts are lost, and records a line of two children', async () => {
  const { user, sent } = show(statement);
  await user.click(await screen.findByRole('button', { name: 'Assign the line “J MORALES”' }));
  const dialog = await screen.findByRole('dialog', { name: 'Assign $640.00' });
  expect(within(dialog).getByRole('searchbox')).toHaveFocus();
  const choose = async (name: string) => {
    await user.type(within(dialog).getByRole('searchbox'), 'Tran');
    await user.click(await within(dialog).findByRole('button', { name: `Choose ${name}` }));
    expect(within(dialog).getByRole('searchbox')).toHaveFocus();
  };
  await choose('Eve Tran');
  await choose('Max Tran');
  await user.type(within(dialog).getByLabelText('Amount of Eve Tran'), '400');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(within(question).getByRole('button', { name: 'Keep Editing' }));
  expect(within(dialog).getByLabelText('Amount of Eve Tran')).toHaveValue('400');
  const max = within(dialog).getByLabelText('Amount of Max Tran');
  await user.type(max, '230');
  expect(within(dialog).getByText('$10.00 left to divide')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Record 2 Payments' }));
  const problem = 'The amounts add up to $630.00, but the line is $640.00';
  expect(within(dialog).getByRole('alert')).toHaveFocus();
  await user.click(within(dialog).getByRole('link', { name: problem }));
  expect(max).toHaveFocus();
  expect(max).toHaveAccessibleDescription(problem);
  expect(sent).toEqual([]);
  await user.clear(max);
  await user.type(max, '240');
  expect(max).toHaveAccessibleDescription('');
  await user.click(within(dialog).getByRole('button', { name: 'Record 2 Payments' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByRole('button', { name: 'Show the next ones' })).toHaveFocus();
  expect(sent).toEqual([{ lines: [{ lineId: 7, studentId: 4, amount: '400' }, { lineId: 7, studentId: 5, amount: '240' }] }]);
  expect(await screen.findByText('All lines reviewed · 1 payment recorded, $640.00')).toBeVisible();
});

it('closes at once where nothing was chosen', async () => {
  const { user } = show(statement);
  await user.click(await screen.findByRole('button', { name: 'Assign the line “J MORALES”' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says which payments an undone import leaves, why, and how the rest is undone', async () => {
  const { user } = show(posted);
  await user.click(await screen.findByRole('button', { name: 'Undo Import' }));
  await user.click(within(await screen.findByRole('dialog', { name: 'Undo this import?' })).getByRole('button', { name: 'Undo Import' }));
  expect(await screen.findByText('1 payment is left')).toBeVisible();
  expect(screen.getByText(/Receipt 2026-000003: That would refund \$50\.00/)).toBeVisible();
  expect(await screen.findByText(/1 payment of \$640\.00 is left, because money was refunded/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Undo the Rest' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Eve Tran' })).toHaveAttribute('href', '/admin/students/4?tab=money');
  expect(screen.queryByRole('button', { name: /^(Assign|Undo the line)/ })).toBeNull();
});

it('records a line again after its payment was reversed elsewhere, and not before', async () => {
  const of = (voidedAt: string | null) => ({ ...posted, lines: [{ ...line, id: 7, line: 2, state: 'posted', payments: [{ ...paid, voidedAt }] }] });
  const { user } = show(of(null));
  await user.click(await screen.findByText('Recorded (1)'));
  expect(screen.queryByRole('button', { name: /^Assign/ })).toBeNull();
  cleanup();
  show(of('2026-11-22T15:00:00Z'));
  await user.click(await screen.findByText('Recorded (1)'));
  expect(screen.getByRole('button', { name: 'Assign the line “J MORALES”' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Ignore/ })).toBeNull();
});

/** The texts of the lines, in the order of the page. */
const names = () => screen.getAllByRole('row').flatMap((row) => /NA-(?:EVE|MAX)/.exec(row.textContent ?? '') ?? []).map(String);

/** Two lines of two families, and a server that keeps what is decided about them. */
function showTwo() {
  const sent: string[] = [];
  const lines = [
    { ...line, id: 7, line: 2, state: 'matched', text: 'NA-EVE', match: { studentId: 4, studentName: 'Eve Tran', why: 'code', owes: 640 }, payments: [] as object[] },
    { ...line, id: 8, line: 3, state: 'matched', text: 'NA-MAX', match: { studentId: 5, studentName: 'Max Tran', why: 'code', owes: 640 }, payments: [] as object[] },
  ];
  const before = structuredClone(lines);
  const act = (verb: string, change: (at: number) => object) =>
    http.post(`*/api/admin/bank-imports/1/${verb}`, async ({ request }) => {
      const body = (await request.json()) as { lines: (number | { lineId: number })[] };
      const ids = body.lines.map((one) => (typeof one === 'number' ? one : one.lineId));
      sent.push(`${verb} ${ids.join()}`);
      for (const at of lines.keys()) if (ids.includes(lines[at]?.id ?? 0)) Object.assign(lines[at] ?? {}, change(at));
      return HttpResponse.json({ results: ids.map((lineId) => ({ lineId, ok: true })) });
    });
  server.use(
    http.get('*/api/admin/bank-imports/1', () => HttpResponse.json({ ...statement, lines })),
    act('post', (at) => ({ state: 'posted', match: null, payments: [{ ...paid, studentName: before[at]?.match.studentName }] })),
    act('ignore', () => ({ state: 'ignored', match: null })),
    act('reopen', (at) => before[at] ?? {}),
  );
  const client = newQueryClient();
  client.setQueryData(['school'], school);
  const router = createMemoryRouter([{ path: '/', element: <><BankLines id={1} /><Toaster /></> }]);
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return { user: userEvent.setup(), sent };
}

it('keeps a decided line in place with its receipt, where no press can record the next one, and takes it back', async () => {
  const { user, sent } = showTwo();
  await user.dblClick(await screen.findByRole('button', { name: 'Record $640.00 of Eve Tran' }));
  const undo = await screen.findByRole('button', { name: 'Undo the line “NA-EVE”' });
  expect(names()).toEqual(['NA-EVE', 'NA-MAX']);
  expect(undo.closest('tr')).toHaveClass('is-done');
  expect(within(undo.closest('tr') as HTMLElement).getByRole('link', { name: '2026-000003' })).toBeVisible();
  expect(screen.getByText('1 line to review')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Record $640.00 of Max Tran' })).toHaveFocus();
  expect(screen.queryByText('Recorded (1)')).toBeNull();
  await user.click(undo);
  await user.click(within(await screen.findByRole('dialog', { name: 'Undo this payment?' })).getByRole('button', { name: 'Undo Payment' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Record $640.00 of Eve Tran' })).toHaveFocus());
  // The pointer is where the dialog was: a second press does nothing.
  await user.click(screen.getByRole('button', { name: 'Ignore the line “NA-MAX”' }));
  expect(sent).toEqual(['post 7', 'reopen 7']);
});

it('takes an ignored line up again, and lets the decided ones leave once the next are asked for', async () => {
  const { user, sent } = showTwo();
  await user.click(await screen.findByRole('button', { name: 'Ignore the line “NA-EVE”' }));
  await user.click(await screen.findByRole('button', { name: 'Undo the line “NA-EVE”' }));
  await user.click(await screen.findByRole('button', { name: 'Ignore the line “NA-EVE”' }));
  await screen.findByRole('button', { name: 'Undo the line “NA-EVE”' });
  expect(sent).toEqual(['ignore 7', 'reopen 7', 'ignore 7']);
  expect(names()).toEqual(['NA-EVE', 'NA-MAX']);
  await user.click(screen.getByRole('button', { name: 'Show the next ones' }));
  expect(screen.getByText('Ignored (1)')).toBeVisible();
  expect(names()).toEqual(['NA-MAX', 'NA-EVE']);
  expect(screen.queryByRole('button', { name: 'Show the next ones' })).toBeNull();
});

it('keeps the import in place whose last line was decided, though another one has lines to review', async () => {
  let state = 'unknown';
  const file = { account: 'Chequing', importedAt: '2026-11-21T15:00:00Z', by: 'bursar', undoneAt: null, lineCount: 1, postedCount: 0, postedTotal: 0 };
  server.use(
    http.get('*/api/admin/bank-imports', () => HttpResponse.json([{ ...file, id: 1, waitingCount: state === 'unknown' ? 1 : 0 }, { ...file, id: 2, waitingCount: 1 }], { headers: { 'X-Total-Count': '2' } })),
    http.get('*/api/admin/bank-imports/1', () => HttpResponse.json({ ...statement, lines: [{ ...line, id: 7, line: 2, state }] })),
    http.get('*/api/admin/bank-imports/2', () => HttpResponse.json({ ...statement, id: 2, lines: [{ ...line, id: 8, line: 2, text: 'OTHER' }] })),
    http.get('*/api/admin/waiting', () => HttpResponse.json([])),
    http.post('*/api/admin/bank-imports/1/ignore', () => {
      state = 'ignored';
      return HttpResponse.json({ results: [{ lineId: 7, ok: true }] });
    }),
  );
  const client = newQueryClient();
  client.setQueryData(['school'], school);
  const router = createMemoryRouter([{ element: <Outlet context={{ duties: ['money'] }} />, children: [{ path: '/', element: <BankPage /> }] }]);
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  const user = userEvent.setup();
  const ignore = await screen.findByRole('button', { name: 'Ignore the line “J MORALES”' });
  expect(step()).toHaveTextContent('Review');
  expect(screen.getByLabelText('File of the bank')).not.toBeVisible();
  await user.click(ignore);
  expect(await screen.findByRole('button', { name: 'Undo the line “J MORALES”' })).toBeVisible();
  await waitFor(() => expect(step()).toHaveTextContent('Done'));
  const [first] = within(screen.getByRole('table', { name: 'Imports' })).getAllByRole('row').slice(1);
  await waitFor(() => expect(first).toHaveTextContent('–'));
  expect(screen.getByRole('button', { name: 'Undo the line “J MORALES”' })).toBeVisible();
  expect(screen.queryByText('OTHER')).toBeNull();
});
