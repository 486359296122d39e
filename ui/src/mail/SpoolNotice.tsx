// Warns the office that e-mails leave for nobody: no mail server is configured.
import type { Dashboard } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';

export function SpoolNotice({ dashboard }: { dashboard: Dashboard | undefined }) {
  if (dashboard?.isMailDelivered !== false) return null;
  return (
    <Notice kind="plain" title="Mail is not being delivered">
      <p>
        No mail server is configured: e-mails to students and families are only written into the server’s data
        folder. Please tell whoever looks after the server.
      </p>
    </Notice>
  );
}
