// Stops disclosing a request to one of its addresses, for example for custody, and resumes.
import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { resumeMailbox, stopMailbox } from './decisions.ts';
import { requestsKey } from './queries.ts';
import type { Mailbox } from './wire.ts';

const text = z.string().check(z.trim());

export function StopMailboxDialog({ id, mailbox: { email, stoppedAt }, onClose }: { id: number; mailbox: Mailbox; onClose: () => void }) {
  const client = useQueryClient();
  const isStopped = stoppedAt !== null;
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema: z.object({ reason: isStopped ? text : text.check(z.minLength(3, 'Please say why: the office reads it later')) }),
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'stop-mailbox',
    send: async ({ reason }) => {
      await (isStopped ? resumeMailbox(id, email) : stopMailbox(id, email, reason));
      await client.invalidateQueries({ queryKey: requestsKey });
      showToast(isStopped ? 'Resumed' : 'Stopped', isStopped ? `${email} gets letters again, with a new link.` : `Nothing more is sent or shown to ${email}.`);
      onClose();
    },
  });
  const close = () => !isPending && onClose();
  return (
    <Dialog title={isStopped ? 'Disclose Again' : 'Stop Disclosing'} onClose={close}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'That did not work. Please try again.')}
        submitLabel={isStopped ? 'Resume' : 'Stop'}
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={close}
      >
        {isStopped
          ? <p><EmailWords email={email} /> gets letters about the application again, and about the student it became. “Send the Link Again” sends a link.</p>
          : <p>The links and open pages of <EmailWords email={email} /> end at once, and no letter about the application, or about the student it became, goes there. Its reader is not told.</p>}
        {!isStopped && (
          <Field {...field('reason')} label="Why?" hint="Only the office reads this.">
            {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={1000} dir="auto" />}
          </Field>
        )}
      </Form>
    </Dialog>
  );
}

const EmailWords = ({ email }: { email: string }) => <strong dir="auto">{email}</strong>;
