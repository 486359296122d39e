// The form of a new password, by the link of an email. A link that expired or was used ends it.
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { ApiError, failureWords } from '../api.ts';
import type { Answer } from '../api-types.ts';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { newPasswordSchema } from './newPassword.ts';
import { NewPasswords } from './NewPasswords.tsx';

type Reset = { token: string; password: string; confirmPassword: string };

type NewPasswordFormProps = {
  token: string;
  /** The call of the room whose account it is. */
  reset: UseMutationOptions<Answer, Error, Reset>;
  /** "New Password" where there was one before. */
  label?: string;
  submitLabel?: string;
  onExpired: (words: string) => void;
  onChanged: () => void;
};

export function NewPasswordForm(props: NewPasswordFormProps) {
  const { token, reset, label = 'New Password', submitLabel = 'Change My Password', onExpired, onChanged } = props;
  const resetting = useMutation(reset);
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
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
      submitLabel={submitLabel}
      pendingLabel="Saving..."
      onSubmit={submit}
    >
      <NewPasswords
        label={label}
        field={field}
        password={register('password', { deps: 'confirmPassword' })}
        confirmPassword={register('confirmPassword')}
        typed={form.watch('password')}
      />
    </Form>
  );
}
