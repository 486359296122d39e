// The signed-in user's password change, which needs the current password.
import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { MessageBody, PasswordChange } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { newPassword, repeated } from './newPassword.ts';
import { NewPasswords } from './NewPasswords.tsx';
import { PasswordInput } from './PasswordInput.tsx';

const schema = z
  .object({
    current: z.string().check(z.minLength(1, 'Current password is required')),
    password: newPassword,
    confirmPassword: newPassword,
  })
  .check(repeated);

const empty: PasswordChange = { current: '', password: '', confirmPassword: '' };

type ChangePasswordProps = {
  /** The account's username or email, for password managers. */
  username: string;
  /** The portal's API call. */
  change: UseMutationOptions<MessageBody, Error, PasswordChange>;
  /** Query of the signed-in devices: only this one is left. */
  devicesKey: readonly unknown[];
};

export function ChangePassword({ username, change, devicesKey }: ChangePasswordProps) {
  const client = useQueryClient();
  const changing = useMutation(change);
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: empty,
    fields: ['current', 'password', 'confirmPassword'],
    idPrefix: 'password',
    send: async (passwords) => {
      await changing.mutateAsync(passwords);
      showToast('Password changed', 'Every other device was logged out. We have emailed you about it.');
      form.reset(empty);
      await client.invalidateQueries({ queryKey: devicesKey });
    },
  });

  return (
    <section className="card" aria-labelledby="own-password">
      <h2 id="own-password">Password</h2>
      <p>Choose a password that you don’t use anywhere else. Every other device will be logged out, and password links sent earlier stop working.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'Your password could not be changed. Please try again in a moment.')}
        submitLabel="Change Password"
        pendingLabel="Saving..."
        onSubmit={submit}
      >
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <Field {...field('current')} label="Current Password">
          {(control) => <PasswordInput {...control} {...register('current')} autoComplete="current-password" />}
        </Field>
        <NewPasswords
          label="New Password"
          field={field}
          password={register('password', { deps: 'confirmPassword' })}
          confirmPassword={register('confirmPassword')}
          typed={form.watch('password')}
          own={[username]}
        />
      </Form>
    </section>
  );
}
