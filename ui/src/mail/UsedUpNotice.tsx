// The warning that the day's email limit was reached.
import { Link } from 'react-router';
import type { Dashboard } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { FoldingNotice } from '../components/FoldingNotice.tsx';
import { officePaths } from '../officePaths.ts';

export function UsedUpNotice({ dashboard }: { dashboard: Dashboard | undefined }) {
  const count = dashboard?.mailNotSent?.school ?? 0;
  if (count === 0) return null;
  return (
    <FoldingNotice name="used-up" title="The school’s emails for the day were used up">
      <p>
        {`${count === 1 ? '1 email was' : `${count} emails were`} not sent in the last 24 hours, perhaps to families who register or ask for a new password. Please tell the server’s administrator.`}
      </p>
      <Link className="card-link" to={officePaths.mail()}>View Mail <Icon name="arrow" /></Link>
    </FoldingNotice>
  );
}
