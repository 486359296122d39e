// Warns the office how many emails a budget kept from being sent; names nobody, or whoever asks for
// emails would decide what stands here.
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
        Anybody can type anybody’s address into a form, so what people outside the office can have the school send is
        limited:
      </p>
      <ul>{notSentWords(notSent).map((words) => <li key={words}>{words}</li>)}</ul>
      {school > 0 && (
        <p>A family that registers or asks for a new password now may get no email. Please tell whoever looks after the server.</p>
      )}
    </Notice>
  );
}
