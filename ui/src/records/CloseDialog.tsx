// The dialog that closes an account: shows what is open and ends with it, before it is saved.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import type { Decided } from '../enrollments/decisionResults.ts';
import { closingQuery } from '../enrollments/office/studentFile.ts';
import { WhatEnds } from '../enrollments/office/WhatEnds.tsx';
import { closeAccount, closingKeys } from './queries.ts';
import { messageRule, reasonRule } from './ReasonDialog.tsx';
import { nameOf } from './words.ts';

type CloseDialogProps = { file: StudentFile; onClose: () => void; onDecided: (decided: Decided) => void };

export function CloseDialog({ file: { student }, onClose, onDecided }: CloseDialogProps) {
  const client = useQueryClient();
  const { data: closing, isError } = useQuery(closingQuery(student.id));
  const closingAccount = useMutation(closeAccount);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: z.object({ reason: reasonRule, message: messageRule }),
    values: { reason: '', message: '' },
    fields: ['reason', 'message'],
    idPrefix: 'close',
    send: async ({ reason, message }) => {
      const { undo, decidedAt } = await closingAccount.mutateAsync({ id: student.id, reason, message: message || null, expected: student.status });
      onDecided({ status: 'withdrawn', words: null, undo: undo && { ...undo, decidedAt } });
      await Promise.all(closingKeys.map((queryKey) => client.invalidateQueries({ queryKey })));
      showToast('The account is closed');
      onClose();
    },
    onFailure: () => closingKeys.forEach((queryKey) => void client.invalidateQueries({ queryKey })),
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title={`Close the account of ${nameOf(student)}?`} onClose={() => leave(onClose)}>
      <p>The student is logged out everywhere, every link ends, and the account leaves the lists. The record stays.</p>
      {isError && <p role="alert">What is open could not be loaded. Please try again later.</p>}
      {!closing && !isError && <Spinner label="Looking for what is open..." />}
      {closing && (
        <>
          <WhatEnds closing={closing} />
          <Form
            isPending={isPending}
            summary={summary}
            error={failure && failureWords(failure, 'The account could not be closed. Please try again.')}
            submitLabel="Close Account"
            pendingLabel="Closing..."
            onSubmit={submit}
            onCancel={() => leave(onClose)}
          >
            <Field {...field('reason')} label="Reason" hint="Only the office sees it.">
              {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={500} dir="auto" />}
            </Field>
            {closing.emails > 0 && (
              <Field {...field('message')} label="Your words to the family (optional)" hint="They read them in the email, above the list of what has ended.">
                {(control) => <textarea {...control} {...register('message')} rows={3} maxLength={2000} dir="auto" />}
              </Field>
            )}
          </Form>
        </>
      )}
      {question}
    </Dialog>
  );
}
