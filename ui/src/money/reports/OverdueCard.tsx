// The bursar's queue on the dashboard: who is late, the longest first, under the figures of the school's money.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BalanceRow } from '../../api-types.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { officePaths } from '../../officePaths.ts';
import { MoneyFigures } from './MoneyFigures.tsx';
import { balancesQuery, summaryQuery } from '../moneyQueries.ts';
import { readMoneyView } from '../moneyView.ts';
import { RecordAnyPayment } from '../payments/RecordAnyPayment.tsx';
import { studentCount } from '../words.ts';

const overdue = readMoneyView(new URLSearchParams('filter=overdue&sort=since'));
/** No list of the money is open here; what is due is in the figures above. */
const nothing = readMoneyView(new URLSearchParams());

export function OverdueCard() {
  const { data: summary, isError } = useQuery(summaryQuery(''));
  const rows = useQuery(balancesQuery(overdue));
  return (
    <>
      <MoneyFigures view={nothing} summary={summary} isFailed={isError} hasDue={false} />
      <ListCard
        titleId="overdue"
        title="Overdue"
        countText={(total) => studentCount(total, ', the longest overdue first')}
        tools={<><Link className="button button-outline" to={officePaths.money('overdue')}>All Overdue</Link><RecordAnyPayment /></>}
        query={rows}
        loading="Loading what is overdue..."
        failed="Failed to load what is overdue. Please try again later."
        empty={<EmptyState icon="check" title="Nothing is overdue"><p>A student is listed here from the day after something was due.</p></EmptyState>}
      >
        {(found) => <Table labelledBy="overdue" columns={columns} rows={found.map((row) => Object.assign({ id: row.studentId }, row))} name={({ studentName }) => studentName} />}
      </ListCard>
    </>
  );
}

const columns: Column<BalanceRow & { id: number }>[] = [
  { label: 'Student', place: 'lead', cell: ({ id, studentName, email }) => <Link to={officePaths.studentMoney(id)} title={email}><strong><bdi>{studentName}</bdi></strong></Link> },
  { label: 'Overdue', isNumber: true, cell: ({ overdue: amount }) => moneyText(amount, '') },
  { label: 'Since', cell: ({ overdueSince }) => dateText(overdueSince, '–'), from: 'tablet' },
  { label: 'On account', isNumber: true, cell: ({ unapplied }) => (unapplied > 0 ? moneyText(unapplied, '') : '–'), from: 'desk' },
  { label: 'Last payment', cell: ({ lastPaymentOn }) => dateText(lastPaymentOn, '–'), from: 'tablet' },
  { label: 'Last reminder', cell: ({ lastReminderOn }) => dateText(lastReminderOn, '–'), from: 'desk' },
];
