// The page of an invitation: choose a username and a password. Opening it does not use up the link.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import * as z from 'zod/mini';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { newPassword, repeated } from '../accounts/newPassword.ts';
import { NewPasswords } from '../accounts/NewPasswords.tsx';
import { ApiError, failureWords } from '../api.ts';
import type { StaffInvitation } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { momentText } from '../dates.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { acceptInvitation, invitationQuery } from './queries.ts';
import { roleTitle } from './roles.ts';
import { username } from './username.ts';

const schema = z
  .object({
    username,
    password: newPassword,
    confirmPassword: newPassword,
  })
  .check(repeated);

export function InvitationPage() {
  const { token = '' } = useParams();
  const invitation = useQuery(invitationQuery(token));
  const [isAccepted, setIsAccepted] = useState(false);
  const [died, setDied] = useState<string | null>(null);

  if (isAccepted) {
    return (
      <AccountCard icon="check" kind="success" title="Your Account Is Ready" takesFocus>
        <p>You can now log in to the office with the username and the password that you chose.</p>
        <Link className="button button-primary button-wide" to={paths.adminLogin} replace>Proceed to Login</Link>
      </AccountCard>
    );
  }
  const isDead = invitation.error instanceof ApiError && invitation.error.status === 404;
  if (died !== null || isDead) {
    return (
      <AccountCard icon="alert" kind="error" title="This Link No Longer Works" takesFocus>
        <p>{died ?? failureWords(invitation.error, 'This invitation has expired or was used already.')}</p>
        <Link className="button button-primary button-wide" to={paths.adminLogin} replace>Go to the Office Login</Link>
      </AccountCard>
    );
  }
  if (invitation.isError) {
    return (
      <AccountCard icon="alert" kind="error" title="Your Invitation">
        <p>{failureWords(invitation.error, 'The invitation could not be loaded. Please try again in a moment.')}</p>
        <button type="button" className="button button-primary button-wide" onClick={() => void invitation.refetch()}>Try Again</button>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="key" title="Your Invitation">
      {invitation.data
        ? <Acceptance token={token} invitation={invitation.data} onAccepted={() => setIsAccepted(true)} onDied={setDied} />
        : <Spinner label="Loading your invitation..." />}
    </AccountCard>
  );
}

type AcceptanceProps = { token: string; invitation: StaffInvitation; onAccepted: () => void; onDied: (words: string) => void };

function Acceptance({ token, invitation, onAccepted, onDied }: AcceptanceProps) {
  const { name, timeZone } = useSchool();
  const accepting = useMutation(acceptInvitation);
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { username: '', password: '', confirmPassword: '' },
    fields: ['username', 'password', 'confirmPassword'],
    idPrefix: 'invitation',
    send: async (account) => {
      await accepting.mutateAsync({ token, ...account });
      onAccepted();
    },
    onFailure: (error) => {
      if (error instanceof ApiError && error.status === 404) onDied(failureWords(error, 'This invitation has expired or was used already.'));
    },
  });
  return (
    <>
      <p>
        Welcome, <bdi>{invitation.fullName}</bdi>. <bdi>{invitation.invitedBy}</bdi><span>{` invites you to the office of ${name} as `}</span>
        <strong>{roleTitle(invitation.role)}</strong>. Choose how you will log in; messages go to <bdi>{invitation.email}</bdi>.
      </p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'Your account could not be created. Please try again in a moment.')}
        submitLabel="Create My Account"
        pendingLabel="Saving..."
        onSubmit={submit}
      >
        <Field {...field('username')} label="Username" hint="Letters (a to z), digits and . _ - only. Colleagues see it beside what you did.">
          {(control) => <input {...control} {...register('username')} type="text" autoComplete="username" spellCheck={false} autoCapitalize="none" />}
        </Field>
        <NewPasswords
          field={field}
          password={register('password', { deps: 'confirmPassword' })}
          confirmPassword={register('confirmPassword')}
          typed={form.watch('password')}
          own={[invitation.email, form.watch('username')]}
        />
      </Form>
      <p className="fine-print">{`The link works until ${momentText(invitation.expiresAt, timeZone)}.`}</p>
    </>
  );
}
