// The form of a new password. A link that expired or was used ends it.
import { useMutation } from '@tanstack/react-query';
import { ApiError, failureWords } from '../api.ts';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { AccountPasswords } from './AccountPasswords.tsx';
import { newPasswordSchema } from './accountRules.ts';
import { resetPassword } from './queries.ts';

type ResetPasswordFormProps = { token: string; onExpired: (words: string) => void; onChanged: () => void };

export function ResetPasswordForm({ token, onExpired, onChanged }: ResetPasswordFormProps) {
  const resetting = useMutation(resetPassword);
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema: newPasswordSchema,
    values: { password: '', confirmPassword: '' },
    fields: ['password', 'confirmPassword'],
    idPrefix: 'reset',
    send: async (passwords) => {
      await resetting.mutateAsync({ token, ...passwords });
      onChanged();
    },
    onFailure: (error) => {
      if (error instanceof ApiError && error.status === 404) onExpired(failureWords(error, 'This link has expired or was used already.'));
    },
  });

  return (
    <Form
      isPending={isPending}
      summary={summary}
      error={failure && failureWords(failure, 'Your password could not be changed. Please try again in a moment.')}
      submitLabel="Change My Password"
      pendingLabel="Saving..."
      onSubmit={submit}
    >
      <AccountPasswords
        label="New Password"
        field={field}
        password={register('password', { deps: 'confirmPassword' })}
        confirmPassword={register('confirmPassword')}
      />
    </Form>
  );
}
