// Asks for a link to the family page by email. The answer is the same for every address.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { failureWords } from '../api.ts';
import { email } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { askForLink } from './queries.ts';

const schema = z.object({ email: email() });

export function FamilyLink({ isDead }: { isDead: boolean }) {
  const asking = useMutation(askForLink);
  const [sent, setSent] = useState<{ email: string; message: string } | null>(null);
  const { register, field, failure, isPending, summary, submit } = useServerForm<{ email: string }>({
    schema,
    values: { email: '' },
    fields: ['email'],
    idPrefix: 'family',
    isLogin: true,
    send: async (values) => {
      const { message } = await asking.mutateAsync(values);
      setSent({ email: values.email, message });
    },
  });

  if (sent) {
    return (
      <AccountCard icon="mail" title="Check Your Inbox" takesFocus>
        <p>{sent.message}</p>
        <p>You entered <strong>{sent.email}</strong>. Nothing there after a few minutes? Look in the spam folder, or ask the office which address the school has of you.</p>
        <button type="button" className="button button-outline" onClick={() => setSent(null)}>Try Another Address</button>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon={isDead ? 'alert' : 'mail'} kind={isDead ? 'error' : 'plain'} title={isDead ? 'This Link No Longer Works' : 'Family Page'} takesFocus={isDead}>
      {isDead
        ? <p>It has expired, or is not complete. Nothing was decided. We can send you a new one.</p>
        : <p>For parents and guardians of students under 18: see their courses, and confirm their requests. There is no password; we send a link to the address that the student names.</p>}
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The link could not be sent. Please try again.')}
        submitLabel="Send Me a Link"
        pendingLabel="Sending..."
        onSubmit={submit}
      >
        <Field {...field('email')} label="Your email address">
          {(control) => <input {...control} {...register('email')} type="email" autoComplete="email" spellCheck={false} />}
        </Field>
      </Form>
    </AccountCard>
  );
}
