// What fell due and what was received, month by month: a picture and its table.
import { useQuery } from '@tanstack/react-query';
import type { MonthTotal } from '../../api-types.ts';
import { useRef } from 'react';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { moneyText } from '../../money.ts';
import { useSchool } from '../../school/queries.ts';
import { MonthsChart } from './MonthsChart.tsx';
import { monthsQuery } from '../moneyQueries.ts';
import type { SectionProps } from '../moneyView.ts';
import { monthName, yearAround } from './months.ts';
import { todayIn } from '../words.ts';

export function Months({ view }: SectionProps) {
  const { timeZone } = useSchool();
  const { from, to } = yearAround(view.asOf || todayIn(timeZone));
  const months = useQuery(monthsQuery(from, to));
  const heading = useRef<HTMLHeadingElement>(null);
  const rows = months.data?.map((month, id) => Object.assign({ id }, month));
  const hasMoney = rows?.some(({ due, received }) => due > 0 || received > 0);
  return (
    <section className="card list-card" aria-labelledby="months">
      <header className="row list-head">
        <div>
          <h2 id="months" ref={heading} tabIndex={-1}>By Month</h2>
          <p className="muted">{`${monthName(from, 'long')} to ${monthName(to, 'long')}, courses and admissions`}</p>
        </div>
      </header>
      {months.isPending && <Spinner label="Loading the months..." />}
      {months.isError && <LoadFailed words="Failed to load the months. Please try again later." query={months} heading={heading} />}
      {rows && !hasMoney && <EmptyState icon="dollar" title="No money in these months"><p>Fees are counted in the month they are due, payments in the month they were received.</p></EmptyState>}
      {rows && hasMoney && <MonthsChart months={rows} />}
      {rows && hasMoney && <Table labelledBy="months" columns={columns} rows={[...rows, totalOf(rows)]} name={({ month }) => (month ? monthName(month, 'long') : 'Total')} />}
    </section>
  );
}

const money = (amount: number) => (amount === 0 ? '–' : moneyText(amount, ''));

type Row = MonthTotal & { id: number };

const sumOf = (rows: readonly Row[], key: 'due' | 'open' | 'received') => rows.reduce((sum, row) => sum + row[key], 0);

/** The last row; it has no month. */
const totalOf = (rows: readonly Row[]): Row => ({ id: rows.length, month: '', due: sumOf(rows, 'due'), open: sumOf(rows, 'open'), received: sumOf(rows, 'received') });

const columns: Column<Row>[] = [
  { label: 'Month', place: 'lead', cell: ({ month }) => (month ? `${monthName(month, 'short')} ${month.slice(0, 4)}` : <strong>Total</strong>) },
  { label: 'Due', isNumber: true, cell: ({ due }) => money(due) },
  { label: 'Unpaid', isNumber: true, from: 'tablet', cell: ({ open }) => money(open) },
  { label: 'Received', isNumber: true, cell: ({ received }) => money(received) },
];
