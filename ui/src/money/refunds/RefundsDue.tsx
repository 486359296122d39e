// What is to be paid back by when: the bursar's list, from which each is paid back or settled in another way.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../accounts/signedIn.ts';
import { getJson } from '../../api.ts';
import type { RefundDue } from '../../api-types.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { SearchBox } from '../../components/SearchBox.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { useAction } from '../../components/useAction.ts';
import { typing_pause_ms } from '../../components/useUrlView.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { officePaths } from '../../officePaths.ts';
import { useSchool } from '../../school/queries.ts';
import type { EntryDialog, MoneyEntry } from '../charges/EntryDialog.tsx';
import { refundsDueQuery } from '../moneyQueries.ts';
import type { SectionProps } from '../moneyView.ts';
import { refundOf } from '../payments/moving.ts';
import { todayIn } from '../words.ts';

const titleId = 'refunds-due';

type OpenDialog = { row: RefundDue; wish: MoneyEntry; Dialog: typeof EntryDialog };

export function RefundsDue({ view, onView }: SectionProps) {
  const refunds = useQuery(refundsDueQuery(view.page, view.q));
  const mayWrite = useUser().duties.includes('money');
  const facts = columns(todayIn(useSchool().timeZone));
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const opening = useAction<OpenDialog, { row: RefundDue; isSettled: boolean }>({
    mutationFn: async ({ row, isSettled }) => {
      const { EntryDialog: Dialog } = await loadPart(() => import('../charges/EntryDialog.tsx'));
      if (isSettled) return { row, wish: { what: 'settle', due: row }, Dialog };
      const { perItem } = await getJson(`/api/admin/students/${row.studentId}/ledger`);
      return { row, wish: refundOf(row, perItem), Dialog };
    },
    onSuccess: setOpened,
  });
  return (
    <>
      <ListCard
        titleId={titleId}
        title="Refunds Due"
        countText={(total) => (total === 1 ? '1 refund' : `${total} refunds`)}
        tools={
          <SearchBox label="Search students..." value={view.q} onChange={(q) => onView({ ...view, q, page: 1 }, typing_pause_ms)} />
        }
        query={refunds}
        page={view.page}
        onTurn={(page) => onView({ ...view, page })}
        loading="Loading refunds..."
        failed="Failed to load the refunds. Please try again later."
        empty={<EmptyState icon="check" title="No refunds due"><p>{view.q ? 'No refund matches.' : 'When a student leaves a course that was paid for, the refund is listed here with its due date.'}</p></EmptyState>}
      >
        {(found) => <Table labelledBy={titleId} columns={mayWrite ? [...facts, action((row, isSettled) => opening.run({ row, isSettled }))] : facts} rows={found} name={({ studentName }) => studentName} />}
      </ListCard>
      {opened && <opened.Dialog student={{ id: opened.row.studentId, name: opened.row.studentName }} wish={opened.wish} onClose={() => setOpened(null)} />}
    </>
  );
}

const columns = (today: string): Column<RefundDue>[] => [
  {
    label: 'Student',
    place: 'lead',
    cell: ({ studentId, studentName }) => <Link to={officePaths.studentMoney(studentId)}><strong><bdi>{studentName}</bdi></strong></Link>,
    folded: (row) => lastDay(row, today, 'by '),
  },
  { label: 'Course', place: 'side', from: 'tablet', cell: (row) => <span dir="auto">{row.for}</span> },
  { label: 'Refund', isNumber: true, cell: ({ amount }) => moneyText(amount, '') },
  { label: 'By', from: 'tablet', cell: (row) => lastDay(row, today) },
  { label: 'Notice given', from: 'desk', cell: ({ noticeOn }) => dateText(noticeOn, '') },
];

const lastDay = ({ dueOn }: RefundDue, today: string, by = '') => <span className={dueOn < today ? 'flag' : undefined}>{`${by}${dateText(dueOn, '')}${dueOn < today ? ', late' : ''}`}</span>;

const action = (onOpen: (row: RefundDue, isSettled: boolean) => void): Column<RefundDue> => ({
  label: 'Action',
  place: 'action',
  cell: (row) => (
    <ActionMenu
      isCompact
      label={`Pay back ${row.studentName}`}
      items={[
        { label: 'Record Refund…', onPress: () => onOpen(row, false) },
        { label: 'Mark as Not Needed…', onPress: () => onOpen(row, true) },
      ]}
    />
  ),
});
