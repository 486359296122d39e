// Dialogs that suspend or close an account: ask for a reason, and say what happens.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { StudentFile, StudentRecord } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import type { Elements } from '../components/elements.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { shutAccount } from './queries.ts';
import { nameOf } from './words.ts';

const schema = z.object({ reason: z.string().check(z.trim(), z.minLength(3, 'Please say why: the office reads it later')) });

type ReasonDialogProps = {
  student: StudentRecord;
  verb: 'suspend' | 'close';
  title: string;
  submitLabel: string;
  done: string;
  onClose: () => void;
  children: Elements;
};

function ReasonDialog({ student, verb, title, submitLabel, done, onClose, children }: ReasonDialogProps) {
  const client = useQueryClient();
  const acting = useMutation(shutAccount);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: verb,
    send: async ({ reason }) => {
      await acting.mutateAsync({ id: student.id, verb, reason });
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast(done);
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title={title} onClose={() => leave(onClose)}>
      {children}
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'That did not work. Please try again.')}
        submitLabel={submitLabel}
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('reason')} label="Reason" hint="Only the office sees it.">
          {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={500} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}

export function SuspendDialog({ file: { student }, onClose }: { file: StudentFile; onClose: () => void }) {
  return (
    <ReasonDialog student={student} verb="suspend" title={`Suspend ${nameOf(student)}?`} submitLabel="Suspend" done="The student is suspended" onClose={onClose}>
      <p>The student is logged out everywhere at once and cannot log in until you reinstate the account. Courses and documents stay as they are.</p>
    </ReasonDialog>
  );
}

export function CloseDialog({ file: { student, enrollments }, onClose }: { file: StudentFile; onClose: () => void }) {
  const open = enrollments.filter(({ status }) => ['pending', 'waitlisted', 'active'].includes(status)).length;
  return (
    <ReasonDialog student={student} verb="close" title={`Close the account of ${nameOf(student)}?`} submitLabel="Close Account" done="The account is closed" onClose={onClose}>
      <p>The student is logged out everywhere, every link ends, and the account leaves the lists. The record stays.</p>
      {open > 0 && <p><strong>{open === 1 ? 'One course is still open' : `${open} courses are still open`}</strong> and stay as they are; withdraw them first if they should end.</p>}
    </ReasonDialog>
  );
}
