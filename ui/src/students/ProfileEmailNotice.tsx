// A pending email change, until it is confirmed from its mailbox (DESIGN, gaps): resend the link or keep the old
// address.
import { useQueryClient } from '@tanstack/react-query';
import { studentQuery } from '../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../api.ts';
import type { Student } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { updateProfile } from './queries.ts';

type ProfileEmailNoticeProps = {
  student: Student;
  /** Called when the notice disappears, to move the focus. */
  onKept: () => void;
};

export function ProfileEmailNotice({ student: { email, pendingEmail }, onKept }: ProfileEmailNoticeProps) {
  const client = useQueryClient();
  const updating = useAction({
    ...updateProfile,
    onSuccess: (student) => {
      client.setQueryData(studentQuery.queryKey, student);
      if (student.pendingEmail) return showToast('Link Sent', `Please check the inbox of ${student.pendingEmail}.`);
      showToast('Email Kept', `${student.email} stays the address of your account.`);
      onKept();
    },
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('Update Failed', failureWords(error, 'Please try again in a moment.'));
    },
  });

  if (!pendingEmail) return null;
  return (
    <Notice kind="plain">
      <p>We sent a link to <strong>{pendingEmail}</strong>; until it is opened <strong>{email}</strong> stays in use.</p>
      <p className="cluster">
        <button type="button" className="button button-outline" aria-disabled={updating.isPending} onClick={() => updating.run({ email: pendingEmail })}>
          Send the Link Again
        </button>
        <button type="button" className="button button-quiet" aria-disabled={updating.isPending} onClick={() => updating.run({ email })}>
          Keep the Old Address
        </button>
      </p>
    </Notice>
  );
}
