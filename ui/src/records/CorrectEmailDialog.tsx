// Correct Email: the old address, the new one, and how it is verified.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { StudentFile } from '../api-types.ts';
import { email } from '../components/email.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
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

const failed = (error: Error) => <Failure error={error} otherwise="The address could not be changed. Please try again." />;

export function CorrectEmailDialog({ file: { student }, onClose }: { file: StudentFile; onClose: () => void }) {
  const client = useQueryClient();
  const correcting = useMutation(correctEmail);
  const isVerified = student.status !== 'unverified';

  return (
    <FormDialog
      title="Correct Email"
      intro={<p>Now: <strong><EmailAddress address={student.email} /></strong><span>{`. ${isVerified ? 'The old address is notified.' : 'It was never verified, so the new one gets a link.'}`}</span></p>}
      schema={schema}
      values={{ email: '', way: student.status === 'suspended' ? ('phone' as const) : ('link' as const), reason: '' }}
      fields={['email', 'reason']}
      idPrefix="correct-email"
      submitLabel={({ form }) => (form.watch('way') === 'phone' ? 'Change Address' : 'Send Link')}
      failed={failed}
      send={async ({ email, way, reason }) => {
        const confirmed = way === 'phone';
        await correcting.mutateAsync({ id: student.id, email, confirmed, ...(reason && { reason }) });
        await client.invalidateQueries({ queryKey: recordsKey });
        showToast(confirmed ? 'Email address corrected' : 'A link is on its way', confirmed ? null : `To ${email}.`);
        onClose();
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => (
        <>
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
          <Field {...field('reason')} label={form.watch('way') === 'phone' ? 'How you verified it' : 'Reason (optional)'} hint="For the history.">
            {(control) => <input {...control} {...register('reason')} type="text" autoComplete="off" maxLength={500} dir="auto" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
