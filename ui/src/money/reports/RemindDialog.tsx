// Shows what a reminder of the chosen students would be, which of them get none and why, and sends them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords } from '../../api.ts';
import type { Reminder } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Notice } from '../../components/Notice.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { showToast } from '../../components/toasts.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { newKey } from '../../once.ts';
import { useSchool } from '../../school/queries.ts';
import { moneyKeys, remind, reminderPreviewQuery } from '../moneyQueries.ts';
import { reminderSteps, whyNot } from './reminderWords.ts';
import { todayIn } from '../words.ts';

export function RemindDialog({ ids, onClose, onDone }: { ids: number[]; onClose: () => void; onDone: () => void }) {
  const client = useQueryClient();
  const [key] = useState(newKey);
  const preview = useQuery(reminderPreviewQuery(ids));
  const sending = useMutation(remind);
  const reminders = preview.data?.reminders ?? [];
  const count = reminders.filter(({ send }) => send).length;
  const when = whenWords(reminders, todayIn(useSchool().timeZone));

  async function send() {
    await sending.mutateAsync({ key, ids });
    showToast(`${count === 1 ? '1 reminder' : `${count} reminders`} ${when ? 'queued' : 'sent'}`, when || null);
    for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    onDone();
  }

  return (
    <Dialog title="Remind Families" isWide onClose={() => !sending.isPending && onClose()}>
      {preview.isPending && <Spinner label="Looking at what is due..." />}
      {preview.isError && <Notice kind="error"><p>{failureWords(preview.error, 'What is due could not be loaded. Please try again.')}</p></Notice>}
      {preview.data && (
        <>
          <p>{count === 0 ? 'None of these families is reminded.' : `The student and the guardians get an email with everything owing, how to pay it, and the code. ${when}`}</p>
          <ul className="rows">{reminders.map((one) => <li className="row" key={one.studentId}><Line reminder={one} /></li>)}</ul>
        </>
      )}
      {sending.isError && <Notice kind="error"><p>{failureWords(sending.error, 'The reminders could not be sent. Please try again: none is sent twice.')}</p></Notice>}
      <div className="cluster form-actions">
        <button type="button" className="button button-quiet" onClick={onClose}>Cancel</button>
        {count > 0 && (
          <button type="button" className="button button-primary" aria-disabled={sending.isPending} onClick={() => !sending.isPending && void send().catch(() => undefined)}>
            {sending.isPending ? 'Sending...' : count === 1 ? 'Send 1 Reminder' : `Send ${count} Reminders`}
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** "They wait for the next school day, Nov 30, 2026, 09:00."; empty if they leave at once. */
function whenWords(reminders: readonly Reminder[], today: string): string {
  const day = reminders.find(({ sendOn }) => sendOn)?.sendOn;
  return day && day > today ? `They wait for the next school day, ${dateText(day, '')}, 09:00.` : '';
}

function Line({ reminder: { studentName, amount, step, send, why } }: { reminder: Reminder }) {
  return (
    <>
      <span><strong><bdi>{studentName}</bdi></strong><small className={send ? undefined : 'muted'}>{send ? ` ${reminderSteps[step]}` : why ? ` No email: ${whyNot[why]}` : ''}</small></span>
      <strong>{amount > 0 && moneyText(amount, '')}</strong>
    </>
  );
}
