// The warning that a damaged database has made the site read-only.
import type { Dashboard } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';

/** Empty while all is well. */
export function ReadOnlyNotice({ dashboard }: { dashboard: Dashboard | undefined }) {
  if (!dashboard?.isReadOnly) return null;
  return (
    <Notice kind="error" title="The site is in read-only mode">
      <p>
        Its database is damaged, and every change is refused so that nothing gets worse. Please tell the server’s administrator now: the last backup has to be restored.
      </p>
    </Notice>
  );
}
