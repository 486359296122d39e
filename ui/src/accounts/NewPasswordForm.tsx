// The form for a new password by an emailed link, until the link has expired or been used.
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { ApiError, failureWords } from '../api.ts';
import type { MessageBody } from '../api-types.ts';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { PlainForm } from '../template.tsx';
import { newPasswordSchema } from './newPassword.ts';
import { NewPasswords } from './NewPasswords.tsx';

type PasswordReset = { token: string; password: string; confirmPassword: string };

type NewPasswordFormProps = {
  token: string;
  /** The portal's API call. */
  reset: UseMutationOptions<MessageBody, Error, PasswordReset>;
  /** "New Password" if there was one before. */
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
    <PlainForm>
      <Form
        isPlain
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
    </PlainForm>
  );
}
