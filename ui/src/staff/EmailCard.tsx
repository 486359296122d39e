// One's own email address; a new one takes effect once it is confirmed from its mailbox.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { PasswordInput } from '../accounts/PasswordInput.tsx';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords } from '../api.ts';
import { email } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { Notice } from '../components/Notice.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { changeEmail } from './queries.ts';

const schema = z.object({
  email: email(),
  current: z.string().check(z.minLength(1, 'Current password is required')),
});

const empty = { email: '', current: '' };

export function EmailCard() {
  const { email } = useUser();
  const changing = useMutation(changeEmail);
  const [asked, setAsked] = useState<string | null>(null);
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: empty,
    fields: ['email', 'current'],
    idPrefix: 'own-email',
    send: async (change) => {
      await changing.mutateAsync(change);
      setAsked(change.email);
      form.reset(empty);
    },
  });
  return (
    <section className="card" aria-labelledby="own-email">
      <h2 id="own-email">Email</h2>
      <p>Messages about your account, and links to a new password, go to <strong><bdi>{email}</bdi></strong>.</p>
      <div role="status">
        {asked && <Notice kind="success" title="Please open the link that we sent"><p>It is on its way to <bdi>{asked}</bdi> and valid for 48 hours. Until then nothing changes.</p></Notice>}
      </div>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'Your address could not be changed. Please try again in a moment.')}
        submitLabel="Change Address"
        pendingLabel="Sending..."
        onSubmit={submit}
      >
        <Field {...field('email')} label="New Address">
          {(control) => <input {...control} {...register('email')} type="email" autoComplete="email" spellCheck={false} />}
        </Field>
        <Field {...field('current')} label="Your Password">
          {(control) => <PasswordInput {...control} {...register('current')} autoComplete="current-password" />}
        </Field>
      </Form>
    </section>
  );
}
