// The action of an emailed link. It needs a button press, because mail scanners open links.
import type { UseMutationOptions } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { ApiError, failureWords } from '../api.ts';
import type { MessageBody } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { useAction } from '../components/useAction.ts';
import { paths } from '../paths.ts';
import { AccountCard } from './AccountCard.tsx';

type LinkActionProps = {
  action: UseMutationOptions<MessageBody, Error, { token: string }>;
  title: string;
  label: string;
  pendingLabel: string;
  doneTitle: string;
  /** What is about to happen. */
  children: Elements;
  /** Shown after it has succeeded. */
  next: Elements;
  /** Path of the account's login. */
  login: string;
};

export function LinkAction({ action, title, label, pendingLabel, doneTitle, children, next, login }: LinkActionProps) {
  const { token = '' } = useParams();
  const { run, isPending, data, error } = useAction(action);
  const isDead = error instanceof ApiError && (error.status === 404 || error.status === 409);

  if (data) {
    return (
      <AccountCard icon="check" kind="success" title={doneTitle} takesFocus>
        <p>{data.message}</p>
        {next}
      </AccountCard>
    );
  }
  if (isDead) {
    return (
      <AccountCard icon="alert" kind="error" title="This Link No Longer Works" takesFocus>
        <p>{failureWords(error, 'This link has expired or was used already.')}</p>
        <div className="cluster account-actions">
          <Link className="button button-primary" to={paths.contact()}>Contact the Office</Link>
          <Link className="button button-quiet" to={login}>Back to Login</Link>
        </div>
      </AccountCard>
    );
  }
  return (
    <AccountCard icon="alert" title={title}>
      {children}
      <button type="button" className="button button-primary button-wide" aria-disabled={isPending} onClick={() => run({ token })}>
        {isPending ? pendingLabel : label}
      </button>
      <p className="account-status field-error" role="status">
        {error && failureWords(error, 'That did not work. Please try again in a moment.')}
      </p>
    </AccountCard>
  );
}
