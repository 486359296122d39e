// The form that requests a verification or password link by email.
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { failureWords } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { linkFailed } from './AccountResend.tsx';
import { accountEmailSchema } from './accountRules.ts';
import { useNextPage } from './nextPage.ts';
import type { forgotPassword, resendVerification } from './queries.ts';

export type SentLink = { email: string; message: string };

type AccountLinkFormProps = {
  /** Set if it works without scripts. */
  isPlain?: boolean;
  asking: typeof resendVerification | typeof forgotPassword;
  email?: string;
  /** Focuses the email field, to be corrected. */
  takesFocus?: boolean;
  submitLabel: string;
  onSent: (sent: SentLink) => void;
};

export function AccountLinkForm({ isPlain = false, asking, email = '', takesFocus = false, submitLabel, onSent }: AccountLinkFormProps) {
  const sending = useMutation(asking);
  const next = useNextPage();
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema: accountEmailSchema,
    values: { email },
    fields: ['email'],
    idPrefix: 'account',
    send: async (account) => {
      const { message } = await sending.mutateAsync({ ...account, ...next });
      onSent({ ...account, message });
    },
  });
  const { setFocus } = form;
  useEffect(() => {
    if (takesFocus) setFocus('email');
  }, [takesFocus, setFocus]);

  return (
    <Form
      isPlain={isPlain}
      isPending={isPending}
      summary={summary}
      error={failure && failureWords(failure, linkFailed)}
      submitLabel={submitLabel}
      pendingLabel="Sending..."
      onSubmit={submit}
    >
      <Field {...field('email')} label="Email">
        {(control) => <input {...control} {...register('email')} type="email" autoComplete="username" spellCheck={false} />}
      </Field>
    </Form>
  );
}
