// Dialogs that suspend an account or open it again: the reason for the office, and the office's words to the family.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { StudentFile, StudentRecord } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { setSuspended } from './queries.ts';
import { nameOf } from './words.ts';

export const reasonRule = z.string().check(z.trim(), z.minLength(3, 'Please say why: the office reads it later'));
export const messageRule = z.string().check(z.trim(), z.maxLength(2000, 'Must be at most 2000 characters'));

type AccountDialogProps = {
  student: StudentRecord;
  /** Whether the office notes why. */
  hasReason: boolean;
  title: string;
  submitLabel: string;
  done: string;
  onClose: () => void;
  children: Elements;
};

function AccountDialog({ student, hasReason, title, submitLabel, done, onClose, children }: AccountDialogProps) {
  const client = useQueryClient();
  const acting = useMutation(setSuspended);
  return (
    <FormDialog
      title={title}
      intro={children}
      schema={z.object({ reason: hasReason ? reasonRule : z.string(), message: messageRule })}
      values={{ reason: '', message: '' }}
      fields={['reason', 'message']}
      idPrefix="account"
      submitLabel={submitLabel}
      failed="That did not work. Please try again."
      onFailure={() => void client.invalidateQueries({ queryKey: recordsKey })}
      send={async ({ reason, message }) => {
        await acting.mutateAsync({ id: student.id, reason: hasReason ? reason : null, message: message || null, expected: student.status });
        await client.invalidateQueries({ queryKey: recordsKey });
        showToast(done);
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          {hasReason && (
            <Field {...field('reason')} label="Reason" hint="Only the office sees it.">
              {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={500} dir="auto" />}
            </Field>
          )}
          <Field {...field('message')} label="Your words to the family (optional)" hint="The student and the guardians read them in the email.">
            {(control) => <textarea {...control} {...register('message')} rows={4} maxLength={2000} dir="auto" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

type DialogProps = { file: StudentFile; onClose: () => void };

export function SuspendDialog({ file: { student }, onClose }: DialogProps) {
  return (
    <AccountDialog student={student} hasReason title={`Suspend ${nameOf(student)}?`} submitLabel="Suspend" done="The student is suspended" onClose={onClose}>
      <p>The student is logged out everywhere at once and cannot log in until you reinstate the account. Courses and documents stay as they are. The student and the guardians get an email.</p>
    </AccountDialog>
  );
}

export function ReinstateDialog({ file: { student }, onClose }: DialogProps) {
  return (
    <AccountDialog student={student} hasReason={false} title={`Reinstate ${nameOf(student)}?`} submitLabel="Reinstate" done="The account is open again" onClose={onClose}>
      <p>
        <span>
          {student.number === null
            ? 'The address was never confirmed: the student can log in once it is. No email is sent.'
            : 'The student can log in again, and gets an email about it, as do the guardians.'}
        </span>
        {student.status === 'closed' && <span> What ended when the account was closed stays ended.</span>}
      </p>
    </AccountDialog>
  );
}
