// Urgent notices. Those known when the page is opened stand above the table of requests; later ones stand below it, so
// that no row moves under the pointer.
import type { ComponentType } from 'react';
import type { Dashboard } from '../api-types.ts';
import { SpoolNotice } from '../mail/SpoolNotice.tsx';
import { UsedUpNotice } from '../mail/UsedUpNotice.tsx';
import { BackupNotice } from './BackupState.tsx';
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx';

type DashboardNotice = { key: string; isDue: (dashboard: Dashboard) => boolean; Notice: ComponentType<{ dashboard: Dashboard }> };

const notices: DashboardNotice[] = [
  { key: 'read-only', isDue: ({ isReadOnly }) => isReadOnly, Notice: ReadOnlyNotice },
  { key: 'spool', isDue: ({ isMailDelivered }) => !isMailDelivered, Notice: SpoolNotice },
  { key: 'used-up', isDue: ({ mailNotSent }) => Boolean(mailNotSent?.school), Notice: UsedUpNotice },
  { key: 'backup', isDue: ({ backup }) => Boolean(backup?.isLate || backup?.hasFailed), Notice: BackupNotice },
];

/** Known when the visit began. */
export function Notices({ dashboard }: { dashboard: Dashboard }) {
  return notices.filter(({ isDue }) => isDue(dashboard)).map(({ key, Notice }) => <Notice key={key} dashboard={dashboard} />);
}

/** Known since then. */
export function LateNotices({ dashboard, first }: { dashboard: Dashboard; first: Dashboard }) {
  return notices
    .filter(({ isDue }) => isDue(dashboard) && !isDue(first))
    .map(({ key, Notice }) => <Notice key={key} dashboard={dashboard} />);
}
