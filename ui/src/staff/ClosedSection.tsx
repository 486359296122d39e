// Shown instead of a page to which the role has no access.
import { Link } from 'react-router';
import { Notice } from '../components/Notice.tsx';
import { PageHead } from '../components/PageHead.tsx';
import type { OfficePage } from '../pages.ts';
import { paths } from '../paths.ts';

export function ClosedSection({ page: { nav } }: { page: OfficePage }) {
  return (
    <>
      <PageHead
        eyebrow="Office"
        title={nav.label}
        actions={<Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>}
      />
      <Notice kind="plain" title={`You don’t have access to ${nav.label}`}>
        <p>If you need it for your work, please ask an administrator of the school.</p>
      </Notice>
    </>
  );
}
