// The state of the server's backup: a quiet line, or a warning.
import type { Dashboard } from '../api-types.ts';
import { FoldingNotice } from '../components/FoldingNotice.tsx';
import { useSchool } from '../school/queries.ts';
import { backupText, keyText } from './backupText.ts';

type Props = { backup: Dashboard['backup'] | undefined };

/** Empty while all is well. */
export function BackupNotice({ dashboard: { backup } }: { dashboard: Dashboard }) {
  const { timeZone } = useSchool();
  if (!backup?.isLate && !backup?.hasFailed) return null;
  return (
    <FoldingNotice name="backup" title={backup.isLate ? 'The backup is overdue' : 'A backup failed'}>
      <p>
        {`${backupText(backup.lastBackupAt, timeZone)} ${backup.isLate
          ? 'Please tell the server’s administrator now.'
          : 'The last backup or the last restore drill failed. It is retried every hour; if this message is still here tomorrow, please tell the server’s administrator.'}`}
      </p>
    </FoldingNotice>
  );
}

/** Empty while the notice is shown. */
export function BackupLine({ backup }: Props) {
  const { timeZone } = useSchool();
  if (!backup || backup.isLate || backup.hasFailed) return null;
  return <p><small>{backupText(backup.lastBackupAt, timeZone) + keyText(backup, timeZone)}</small></p>;
}
