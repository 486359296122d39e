// Warns the office of e-mails that were given up; says nothing when all is well.
import { Link } from 'react-router';
import type { Dashboard } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { FoldingNotice } from '../components/FoldingNotice.tsx';
import { paths } from '../paths.ts';

export function DeadMailNotice({ dashboard }: { dashboard: Dashboard | undefined }) {
  const count = dashboard?.deadMailCount ?? 0;
  if (count === 0) return null;
  return (
    <FoldingNotice name="dead-mail" title={count === 1 ? '1 e-mail could not be delivered' : `${count} e-mails could not be delivered`}>
      <p>
        {`The mail server refused ${count === 1 ? 'it' : 'them'}, or could not be used for two days. See why, and send ${count === 1 ? 'it' : 'them'} again once that is mended.`}
      </p>
      <Link className="card-link" to={paths.adminMail('dead')}>View Undelivered E-mails <Icon name="arrow" /></Link>
    </FoldingNotice>
  );
}
