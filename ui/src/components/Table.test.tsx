import { fireEvent, render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Column, Table } from './Table.tsx';

type Row = { id: number; name: string; day: string; fee: number };
const rows: Row[] = [
  { id: 1, name: 'Amara', day: 'Today', fee: 10 },
  { id: 2, name: 'Noor', day: 'Today', fee: 20 },
  { id: 3, name: 'Wei', day: 'Yesterday', fee: 30 },
];
const name: Column<Row> = { label: 'Name', place: 'lead', cell: (row) => row.name };
const fee: Column<Row> = { label: 'Fee', isNumber: true, from: 'desk', cell: (row) => `$${row.fee}` };
const shared = { labelledBy: 'title', rows, name: (row: Row) => row.name };

test('a column that has no room in the line is told where the row opens', () => {
  render(<Table {...shared} columns={[name, fee]} />);
  expect(screen.getByRole('columnheader', { name: 'Fee' }).dataset['from']).toBe('desk');
  const opener = screen.getByRole('button', { name: 'More about Noor' });
  fireEvent.click(opener);
  expect(opener.getAttribute('aria-expanded')).toBe('true');
  const term = screen.getByText('Fee', { selector: 'dt' });
  expect(term.parentElement?.textContent).toBe('Fee$20');
  fireEvent.click(opener);
  expect(screen.queryByText('Fee', { selector: 'dt' })).toBeNull();
});

test('where all of a row stands in its line, nothing opens', () => {
  render(<Table {...shared} columns={[name]} />);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getAllByRole('columnheader')).toHaveLength(1);
});

test('rows that follow each other stand below one heading', () => {
  render(<Table {...shared} columns={[name]} group={{ key: ({ day }) => day, heading: (some) => some[0]?.day }} />);
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Today', 'Yesterday']);
  const groups = screen.getAllByRole('rowgroup').slice(1);
  expect(groups.map((group) => within(group).getAllByRole('cell').map(({ textContent }) => textContent))).toEqual([['Amara', 'Noor'], ['Wei']]);
});

test('figures stand at the end of their cells, below their heading', () => {
  render(<Table {...shared} columns={[name, fee]} />);
  expect(screen.getByRole('columnheader', { name: 'Fee' }).className).toBe('number');
  expect(screen.getByRole('cell', { name: '$10' }).className).toBe('number');
});
