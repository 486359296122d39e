// The bank's file: what looks recorded, what comes back, suggestions and why, what is left out, and what a file leaves open.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { newQueryClient } from '../../boot.ts';
import { Toaster } from '../../components/Toaster.tsx';
import { school } from '../../test/data.ts';
import { server } from '../../test/server.ts';
import { BankColumns } from './BankColumns.tsx';
import { BankLines } from './BankLines.tsx';
import { BankPage } from './BankPage.tsx';

const line = { date: '2026-11-20', text: 'J MORALES', amount: 640, state: 'unknown', method: 'other', account: null, match: null, division: [], known: null, payments: [] };
const statement = { id: 1, account: 'Chequing', importedAt: '2026-11-21T15:00:00Z', undoneAt: null, leftOut: [], columns: {} };
const known = { paymentId: 3, receiptNumber: '2026-000003', studentId: 4, studentName: 'Eve Tran', receivedOn: '2026-11-19' };

/** Lines of which the server keeps what is decided, and what was sent. */
function showLines(lines: object[], leftOut: object[] = [], answers: object[] = []) {
  const sent: string[] = [];
  server.use(
    http.get('*/api/admin/bank-imports/1', () => HttpResponse.json({ ...statement, leftOut, lines })),
    http.post('*/api/admin/bank-imports/1/:verb', async ({ params, request }) => {
      sent.push(`${String(params['verb'])} ${JSON.stringify(((await request.json()) as { lines: unknown }).lines)}`);
      return HttpResponse.json({ results: [answers.shift() ?? { lineId: 7, ok: true }] });
    }),
    http.get('*/api/admin/search', () => HttpResponse.json({ students: [{ id: 4, name: 'Eve Tran', number: null, email: 'eve@mail.example' }] })),
  );
  const client = newQueryClient();
  client.setQueryData(['school'], school);
  const router = createMemoryRouter([{ path: '/', element: <><BankLines id={1} /><Toaster /></> }]);
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  return { user: userEvent.setup(), sent };
}

/** The present step of the import. */
const step = () => within(screen.getByRole('list', { name: 'Steps of the import' })).getAllByRole('listitem').find((one) => one.ariaCurrent === 'step');

it('points at money that is recorded already, which is the same by one press or one key, or other money', async () => {
  const match = { studentId: 4, studentName: 'Eve Tran', why: 'code', owes: 640 };
  const { user, sent } = showLines([{ ...line, id: 7, line: 2, state: 'looks_recorded', match, known }]);
  expect(await screen.findByText('looks like receipt 2026-000003, Nov 19, 2026')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Record All Matched/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Record $640.00 of Eve Tran all the same' }));
  await screen.findByText('1 payment recorded');
  await user.keyboard('s');
  await screen.findByText('The same money');
  expect(sent).toEqual(['post [{"lineId":7,"studentId":4,"again":true}]', 'same [7]']);
});

it('asks before the receipt of a returned cheque is reversed', async () => {
  const { user, sent } = showLines([{ ...line, id: 7, line: 2, amount: -640, text: 'NSF', state: 'returned', known }]);
  await user.click(await screen.findByRole('button', { name: 'Reverse receipt 2026-000003' }));
  const question = await screen.findByRole('dialog', { name: 'Reverse receipt 2026-000003?' });
  expect(sent).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Reverse Receipt' }));
  await screen.findByText('Receipt reversed');
  expect(sent).toEqual(['returned [7]']);
});

it('says why it suggests a student and what is owed, divides what two owe together, and lists what is left out', async () => {
  const division = [{ studentId: 4, studentName: 'Eve Tran', owes: 400 }, { studentId: 5, studentName: 'Max Tran', owes: 240 }];
  const match = { studentId: 6, studentName: 'Kim Lee', why: 'guardian', owes: 500 };
  const leftOut = [{ line: 5, text: 'Total, 640.00', reason: 'The date “Total” must be a real date, such as 2026-11-26.' }];
  const { user, sent } = showLines([{ ...line, id: 7, line: 2, state: 'suggested', division }, { ...line, id: 8, line: 3, text: 'LEE', state: 'suggested', match }], leftOut);
  const row = (await screen.findByText('LEE')).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent('a guardian’s name · owes $500.00');
  expect(within(row).getByText('owes $500.00').closest('.flag')).not.toBeNull();
  await user.click(screen.getByText('Left out (1)'));
  expect(screen.getByText('5: Total, 640.00')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Enter line 5 by hand' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Divide the line “J MORALES”' }));
  const dialog = await screen.findByRole('dialog', { name: 'Assign $640.00' });
  expect(within(dialog).getByLabelText('Amount of Max Tran')).toHaveValue('240.00');
  await user.selectOptions(within(dialog).getByLabelText('Method'), 'Cash');
  await user.click(within(dialog).getByRole('button', { name: 'Record 2 Payments' }));
  await waitFor(() => expect(sent).toEqual(['post [{"lineId":7,"studentId":4,"method":"cash","amount":"400.00"},{"lineId":7,"studentId":5,"method":"cash","amount":"240.00"}]']));
});

it('asks for what the file leaves open, with the choice of last time, and sends it with what was answered before', async () => {
  const asked: string[] = [];
  const rows = [['When', 'What', 'How much', 'Total'], ['03/11/2026', 'Eve', '640.00', '1.00']];
  const chosen = { date: 'when', text: 'What', amount: '3', credit: '', debit: '', direction: '', dateFormat: null, account: '', accountNumber: '', headings: [] };
  server.use(
    http.get('*/api/admin/bank-imports', () => HttpResponse.json([], { headers: { 'X-Total-Count': '0' } })),
    http.get('*/api/admin/waiting', () => HttpResponse.json([])),
    http.post('*/api/admin/bank-imports', ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const current = searchParams.get('accountNumber') ? { asks: 'dateFormat', rows, chosen } : { asks: 'account', rows, chosen: null, accounts: [{ number: '001', lines: 1 }, { number: '002', lines: 12 }] };
      return HttpResponse.json({ message: 'Choose.', reason: 'columns_unknown', columns: rows[0], current }, { status: 400 });
    }),
  );
  const client = newQueryClient();
  client.setQueryData(['school'], school);
  const router = createMemoryRouter([{ element: <Outlet context={{ duties: ['money'] }} />, children: [{ path: '/', element: <BankPage /> }] }]);
  render(<QueryClientProvider client={client}><RouterProvider router={router} /></QueryClientProvider>);
  const user = userEvent.setup();
  const file = Object.assign(new File(['x'], 'bank.csv', { type: 'text/csv' }), { slice: () => ({ arrayBuffer: () => Promise.resolve(new ArrayBuffer(1)) }) });
  const field = await screen.findByLabelText('File of the bank');
  expect(step()).toHaveTextContent('File');
  await user.upload(field, file);
  await user.selectOptions(await screen.findByLabelText('Account of the file'), '002 · 12 lines');
  expect(step()).toHaveTextContent('Columns');
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByRole('heading', { name: 'Match the Columns' })).toHaveFocus();
  expect(screen.getByLabelText('Date')).toHaveDisplayValue('1: When');
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect(screen.getByLabelText('Order of the date')).toHaveAccessibleDescription('Choose an order');
  await user.selectOptions(screen.getByLabelText('Order of the date'), 'Day, month, year');
  await user.click(screen.getByRole('button', { name: 'Import' }));
  await waitFor(() => expect(asked.at(-1)).toBe('?account=&accountNumber=002&date=1&text=2&amount=3&dateFormat=dmy'));
});

it.each([
  [['Date', 'Description', 'Amount', 'Balance'], { Date: '1: Date', Text: '2: Description', Amount: '3: Amount' }],
  [['Date', 'Libellé', 'Retrait', 'Dépôt', 'Solde'], { 'Text': '2: Libellé', 'Money in': '4: Dépôt', 'Money out': '3: Retrait' }],
  [['Posting Date', 'Update', 'Memo', 'Balance Amount', 'Amount'], { Date: '1: Posting Date', Text: '3: Memo', Amount: '5: Amount' }],
  [['Date', 'Memo', 'Amount CAD', 'Amount USD'], { Amount: 'Choose...' }],
  [['When', 'What', 'How much'], { Date: 'Choose...', Amount: 'Choose...' }],
])('chooses first what headings such as %s say', (row, chosen) => {
  render(<BankColumns words="" asked={{ asks: 'columns', rows: [row], chosen: null }} isPending={false} onChosen={() => {}} />);
  for (const [label, value] of Object.entries(chosen)) expect(screen.getByLabelText(label)).toHaveDisplayValue(value);
});

it('says what the chosen student’s payment looks like before it is recorded a second time', async () => {
  const refused = { lineId: 7, ok: false, status: 409, message: 'It looks like receipt 2026-000003.', known };
  const { user, sent } = showLines([{ ...line, id: 7, line: 2 }], [], [refused]);
  await user.click(await screen.findByRole('button', { name: 'Assign the line “J MORALES”' }));
  const dialog = await screen.findByRole('dialog', { name: 'Assign $640.00' });
  await user.type(within(dialog).getByRole('searchbox'), 'Tran');
  await user.click(await within(dialog).findByRole('button', { name: 'Choose Eve Tran' }));
  await user.click(within(dialog).getByRole('button', { name: 'Record Payment' }));
  expect(await within(dialog).findByText(/It looks like receipt 2026-000003, Nov 19, 2026/)).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Record All the Same' }));
  await waitFor(() => expect(sent).toEqual(['post [{"lineId":7,"studentId":4}]', 'post [{"lineId":7,"studentId":4,"again":true}]']));
});
