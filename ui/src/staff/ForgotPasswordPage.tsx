// Forgotten password of a staff member. The response is the same for any username.
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { failureWords } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { paths } from '../paths.ts';
import { PlainForm } from '../template.tsx';
import { forgotPassword } from './queries.ts';

const schema = z.object({ username: z.string().check(z.trim(), z.minLength(1, 'Username is required')) });

/** History state: the typed username and the server's response. */
type ForgotState = { username?: string; message?: string };

export function ForgotPasswordPage() {
  const navigate = useNavigate();
  const { username = '', message } = (useLocation().state as ForgotState | null) ?? {};
  const keep = (state: ForgotState) => void navigate(paths.adminForgotPassword, { replace: true, state });
  // The form was sent without scripts.
  const wasSent = useSearchParams()[0].has('sent');

  if (message || wasSent) {
    return (
      <AccountCard icon="mail" title="Check Your Inbox" takesFocus={!wasSent}>
        <p>{message ?? 'If an account with this username exists, a link to choose a new password is on its way to its address.'}</p>
        <p>{username && <span>You entered <strong>{username}</strong>. </span>}<span>The link is valid for one hour and works once.</span></p>
        <h2>Nothing there?</h2>
        <p>Give it a few minutes and check your spam folder. An administrator of the school can tell you your username, or send you a link.</p>
        <div className="cluster account-actions">
          <button type="button" className="button button-outline" onClick={() => keep({ username })}>Try Another Name</button>
          <Link className="button button-quiet" to={paths.adminLogin}>Back to Login</Link>
        </div>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="key" title="Forgot Your Password" takesFocus={username !== ''}>
      <p>Tell us the username of your account in the office. We will send a link to choose a new password to its email address.</p>
      <PlainForm><NameForm username={username} onSent={keep} /></PlainForm>
      <p className="auth-other"><Link to={paths.adminLogin}>Back to Login</Link></p>
    </AccountCard>
  );
}

function NameForm({ username, onSent }: { username: string; onSent: (state: ForgotState) => void }) {
  const sending = useMutation(forgotPassword);
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { username },
    fields: ['username'],
    idPrefix: 'forgot',
    send: async (account) => {
      const { message } = await sending.mutateAsync(account);
      onSent({ ...account, message });
    },
  });
  return (
    <Form
      isPlain
      isPending={isPending}
      summary={summary}
      error={failure && failureWords(failure, 'The link could not be sent. Please try again in a moment.')}
      submitLabel="Send the Link"
      pendingLabel="Sending..."
      onSubmit={submit}
    >
      <Field {...field('username')} label="Username">
        {(control) => <input {...control} {...register('username')} type="text" autoComplete="username" spellCheck={false} autoCapitalize="none" />}
      </Field>
    </Form>
  );
}
