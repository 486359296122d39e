// Shown instead of a page, or a part of one, to which the role has no access.
import { Link } from 'react-router';
import { Notice } from '../components/Notice.tsx';
import { PageHead } from '../components/PageHead.tsx';
import type { Page } from '../pages.ts';
import { paths } from '../paths.ts';

export function ClosedSection({ page: { nav, title = '' } }: { page: Page }) {
  const label = nav?.label ?? title;
  return (
    <>
      <PageHead
        eyebrow="Office"
        title={label}
        actions={<Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>}
      />
      <NoAccess label={label} />
    </>
  );
}

export function NoAccess({ label }: { label: string }) {
  return (
    <Notice kind="plain" title={`You don’t have access to ${label}`}>
      <p>If you need it for your work, please ask an administrator of the school.</p>
    </Notice>
  );
}
