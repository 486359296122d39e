// Invite Colleague: emails a link with which the colleague creates the account.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { Role } from '../api-types.ts';
import { email } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { colleaguesKey, inviteColleague } from './queries.ts';
import { RoleField } from './RoleField.tsx';
import { roles } from './roles.ts';

const schema = z.object({
  fullName: z.string().check(z.trim(), z.minLength(1, 'Full name is required')),
  email: email(),
  role: z.enum(roles as [Role, ...Role[]]),
});

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const inviting = useMutation(inviteColleague);
  return (
    <FormDialog
      title="Invite a Colleague"
      intro={<p>The colleague gets an email with a link that works for 72 hours, and chooses a username and a password.</p>}
      schema={schema}
      values={{ fullName: '', email: '', role: 'registrar' as Role }}
      fields={['fullName', 'email', 'role']}
      idPrefix="invite"
      submitLabel="Send Invitation"
      pendingLabel="Sending..."
      failed="The invitation could not be sent. Please try again."
      send={async (values) => {
        const made = await inviting.mutateAsync(values);
        await client.invalidateQueries({ queryKey: colleaguesKey });
        showToast('Invitation sent', `It is on its way to ${made.email}.`);
        onClose();
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => (
        <>
          <Field {...field('fullName')} label="Full name">
            {(control) => <input {...control} {...register('fullName')} type="text" autoComplete="off" maxLength={100} dir="auto" />}
          </Field>
          <Field {...field('email')} label="Email">
            {(control) => <input {...control} {...register('email')} type="email" autoComplete="off" spellCheck={false} />}
          </Field>
          <RoleField field={field('role')} register={register('role')} role={form.watch('role')} />
        </>
      )}
    </FormDialog>
  );
}
