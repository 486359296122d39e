// The warning about emails withheld by the mail budget; without addresses, which visitors could choose.
import type { Dashboard } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { notSentWords } from './emails.ts';

export function NotSentNotice({ dashboard }: { dashboard: Dashboard | undefined }) {
  const notSent = dashboard?.mailNotSent;
  if (!notSent) return null;
  const { mailbox, account, block, school } = notSent;
  const total = mailbox + account + block + school;
  if (total === 0) return null;
  return (
    <Notice kind="plain" title={`${total === 1 ? '1 email was' : `${total} emails were`} not sent in the last 24 hours`}>
      <p>
        Any address can be typed into a form, so emails triggered from outside the office are limited:
      </p>
      <ul>{notSentWords(notSent).map((words) => <li key={words}>{words}</li>)}</ul>
      {school > 0 && (
        <p>Families who register or request a new password now may not get an email. Please tell the server’s administrator.</p>
      )}
    </Notice>
  );
}
