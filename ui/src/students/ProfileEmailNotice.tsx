// A changed address waits until it is confirmed from its own mailbox (DESIGN, gaps).
import type { Student } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';

export function ProfileEmailNotice({ student: { email, pendingEmail } }: { student: Student }) {
  if (!pendingEmail) return null;
  return (
    <Notice kind="plain">
      <p>We sent a link to <strong>{pendingEmail}</strong>; until it is opened <strong>{email}</strong> stays in use.</p>
    </Notice>
  );
}
