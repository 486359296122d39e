// The warning that no mail server is configured.
import type { Dashboard } from '../api-types.ts';
import { FoldingNotice } from '../components/FoldingNotice.tsx';

export function SpoolNotice({ dashboard }: { dashboard: Dashboard | undefined }) {
  if (dashboard?.isMailDelivered !== false) return null;
  return (
    <FoldingNotice name="spool" title="Mail is not being delivered">
      <p>
        No mail server is configured: emails to students and families are only saved in the server’s data folder. Please tell the server’s administrator.
      </p>
    </FoldingNotice>
  );
}
