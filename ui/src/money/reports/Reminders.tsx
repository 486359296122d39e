// Who is to be reminded: what is to be paid, the last reminder and the next, which is sent at once, skipped, or never sent.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { failureWords } from '../../api.ts';
import type { ReminderRow } from '../../api-types.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useSelection } from '../../components/useSelection.ts';
import { typing_pause_ms } from '../../components/useUrlView.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { officePaths } from '../../officePaths.ts';
import { newKey } from '../../once.ts';
import { moneyKeys, remindersQuery, unskipReminder } from '../moneyQueries.ts';
import type { SectionProps } from '../moneyView.ts';
import { RemindDialog } from './RemindDialog.tsx';
import { ReminderModeDialog } from './ReminderModeDialog.tsx';
import { reminderSteps, whyNot } from './reminderWords.ts';
import { SkipReminderDialog } from './SkipReminderDialog.tsx';
import { studentCount } from '../words.ts';

const titleId = 'reminders';

type Row = ReminderRow & { id: number };
type OpenDialog = { what: 'send'; ids: number[] } | { what: 'skip' | 'mode'; row: Row };

export function Reminders({ view, onView }: SectionProps) {
  const client = useQueryClient();
  const reminders = useQuery(remindersQuery(view.page, view.q));
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const close = () => setOpened(null);
  const choice = useSelection(view.q, rowsOf(reminders.data?.rows ?? []));
  const ids = choice.chosen.map(({ id }) => id);
  const unskipping = useAction({
    mutationFn: unskipReminder,
    onSuccess: (_, { on }) => {
      showToast('Not skipped', `The reminder will be sent on ${dateText(on, '')} after all.`);
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
    onError: (error) => showFailure('The reminder is still skipped', failureWords(error, 'Please try again.')),
  });
  return (
    <>
      <p className="muted">To pay: everything that is owed, with admission fees and courses the student has left, less what is on account.</p>
      <ListCard
        titleId={titleId}
        title="Reminders"
        countText={(total) => studentCount(total, ', the longest overdue first')}
        tools={
          <>
            <SearchBox label="Search students..." value={view.q} onChange={(q) => onView({ ...view, q, page: 1 }, typing_pause_ms)} />
            {ids.length > 0 && <button type="button" className="button button-primary" onClick={() => setOpened({ what: 'send', ids })}>{`Remind Selected (${ids.length})`}</button>}
          </>
        }
        query={reminders}
        page={view.page}
        onTurn={(page) => onView({ ...view, page })}
        loading="Loading reminders..."
        failed="Failed to load the reminders. Please try again later."
        empty={<EmptyState icon="check" title="No reminders"><p>{view.q ? 'No student matches.' : 'A student with something to pay is listed here with the day of the next reminder.'}</p></EmptyState>}
      >
        {(found) => <Table labelledBy={titleId} columns={[...columns, action(setOpened, unskipping.run)]} rows={rowsOf(found)} name={({ studentName }) => studentName} selection={choice.selection} />}
      </ListCard>
      {opened?.what === 'send' && (
        <RemindDialog
          ids={opened.ids}
          onClose={close}
          onDone={() => {
            close();
            choice.clear();
          }}
        />
      )}
      {opened?.what === 'skip' && opened.row.next && <SkipReminderDialog student={{ id: opened.row.id, name: opened.row.studentName }} next={opened.row.next} onClose={close} />}
      {opened?.what === 'mode' && <ReminderModeDialog student={{ id: opened.row.id, name: opened.row.studentName }} reminders={opened.row} onClose={close} />}
    </>
  );
}

const rowsOf = (found: readonly ReminderRow[]) => found.map((row): Row => Object.assign({ id: row.studentId }, row));

const columns: Column<Row>[] = [
  {
    label: 'Student',
    place: 'lead',
    cell: ({ id, studentName, email }) => <Link to={officePaths.studentMoney(id)} title={email}><strong><bdi>{studentName}</bdi></strong></Link>,
  },
  { label: 'To pay', isNumber: true, cell: ({ amount }) => moneyText(amount, '') },
  { label: 'Overdue since', from: 'tablet', cell: ({ overdueSince }) => dateText(overdueSince, '–') },
  { label: 'Sent so far', from: 'tablet', cell: ({ sentCount, lastReminderOn }) => (lastReminderOn ? `${sentCount === 1 ? '1 reminder' : `${sentCount} reminders`}, ${dateText(lastReminderOn, '')}` : 'No reminder yet') },
  { label: 'Next reminder', place: 'lead', from: 'tablet', cell: (row) => <Next row={row} /> },
];

type Unskip = { key: string; id: number; on: string };

const action = (open: (opened: OpenDialog) => void, unskip: (skipped: Unskip) => void): Column<Row> => ({
  label: 'Action',
  place: 'action',
  cell: (row) => (
    <ActionMenu
      isCompact
      label={`Reminders of ${row.studentName}`}
      items={[
        { label: 'Send Now…', onPress: () => open({ what: 'send', ids: [row.id] }) },
        { label: 'Skip Next Reminder…', why: row.next ? false : 'No reminder is scheduled.', onPress: () => open({ what: 'skip', row }) },
        ...row.skipped.map(({ on }) => ({ label: `Send on ${dateText(on, '')} After All`, onPress: () => unskip({ key: newKey(), id: row.id, on }) })),
        { label: 'Reminder Settings…', onPress: () => open({ what: 'mode', row }) },
      ]}
    />
  ),
});

/** The next reminder or why there is none, and what is skipped before it. */
function Next({ row: { next, why, skipped, state } }: { row: Row }) {
  const note = why && state?.note;
  return (
    <>
      {next ? <><span>{dateText(next.on, '')}</span><small className="muted">{` · ${next.isByHand ? 'asked for by the office' : reminderSteps[next.step].toLowerCase()}`}</small></> : <span>{why ? `None: ${whyNot[why]}` : 'No more scheduled'}</span>}
      {note && <> <small className="muted" dir="auto">{`${note}${state.until ? ` (until ${dateText(state.until, '')})` : ''}`}</small></>}
      {skipped.map(({ on, reason }) => <small key={on} className="muted" dir="auto">{` ${dateText(on, '')} skipped: ${reason}`}</small>)}
    </>
  );
}
