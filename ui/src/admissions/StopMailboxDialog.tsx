// Stops disclosing a request to one of its addresses, for example for custody, and resumes.
import { useQueryClient } from '@tanstack/react-query';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { resumeMailbox, stopMailbox } from './decisions.ts';
import { requestsKey } from './queries.ts';
import type { Mailbox } from './wire.ts';

export function StopMailboxDialog({ id, mailbox: { email, stoppedAt }, onClose }: { id: number; mailbox: Mailbox; onClose: () => void }) {
  const client = useQueryClient();
  const isStopped = stoppedAt !== null;
  return (
    <ReasonDialog
      title={isStopped ? 'Disclose Again' : 'Stop Disclosing'}
      intro={
        isStopped
          ? <p><EmailWords email={email} /> gets letters about the application again, and about the student it became. “Send the Link Again” sends a link.</p>
          : <p>The links and open pages of <EmailWords email={email} /> end at once, and no letter about the application, or about the student it became, goes there. Its reader is not told.</p>
      }
      idPrefix="stop-mailbox"
      isAsked={!isStopped}
      label="Why?"
      hint="Only the office reads this."
      maxLength={1000}
      wanted="Please say why: the office reads it later"
      submitLabel={isStopped ? 'Resume' : 'Stop'}
      failed="That did not work. Please try again."
      send={async (reason) => {
        await (isStopped ? resumeMailbox(id, email) : stopMailbox(id, email, reason));
        await client.invalidateQueries({ queryKey: requestsKey });
        showToast(isStopped ? 'Resumed' : 'Stopped', isStopped ? `${email} gets letters again, with a new link.` : `Nothing more is sent or shown to ${email}.`);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

const EmailWords = ({ email }: { email: string }) => <strong dir="auto">{email}</strong>;
