// Correct Email: the old address, the new one, and how it is verified.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { StudentFile } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { email } from '../components/email.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { Failure } from './Failure.tsx';
import { correctEmail } from './queries.ts';

const schema = z
  .object({
    email: email(),
    way: z.enum(['link', 'phone']),
    reason: z.string().check(z.trim()),
  })
  .check(
    z.refine(({ way, reason }) => way === 'link' || reason.length >= 3, {
      path: ['reason'],
      error: 'Please say how you made sure that the address is the student’s',
    }),
  );

export function CorrectEmailDialog({ file: { student }, onClose }: { file: StudentFile; onClose: () => void }) {
  const client = useQueryClient();
  const correcting = useMutation(correctEmail);
  const isVerified = student.status !== 'unverified';
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { email: '', way: student.status === 'suspended' ? ('phone' as const) : ('link' as const), reason: '' },
    fields: ['email', 'reason'],
    idPrefix: 'correct-email',
    send: async ({ email, way, reason }) => {
      const confirmed = way === 'phone';
      await correcting.mutateAsync({ id: student.id, email, confirmed, ...(reason && { reason }) });
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast(confirmed ? 'Email address corrected' : 'A link is on its way', confirmed ? null : `To ${email}.`);
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  const isOnPhone = form.watch('way') === 'phone';

  return (
    <Dialog title="Correct Email" onClose={() => leave(onClose)}>
      <p>Now: <strong><EmailAddress address={student.email} /></strong><span>{`. ${isVerified ? 'The old address is notified.' : 'It was never verified, so the new one gets a link.'}`}</span></p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && <Failure error={failure} otherwise="The address could not be changed. Please try again." />}
        submitLabel={isOnPhone ? 'Change Address' : 'Send Link'}
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('email')} label="New email">
          {(control) => <input {...control} {...register('email')} type="email" autoComplete="off" spellCheck={false} />}
        </Field>
        {isVerified && (
          <fieldset>
            <legend className="sr-only">Verification</legend>
            <label className="tick"><input type="radio" value="link" {...register('way')} /> Send a confirmation link to the new address</label>
            <label className="tick"><input type="radio" value="phone" {...register('way')} /> Confirmed by me on the phone: it takes effect at once</label>
          </fieldset>
        )}
        <Field {...field('reason')} label={isOnPhone ? 'How you verified it' : 'Reason (optional)'} hint="For the history.">
          {(control) => <input {...control} {...register('reason')} type="text" autoComplete="off" maxLength={500} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
