// Confirms the reset of a student's second factor.
import type { StudentFile } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { useAccountAction } from './useAccountAction.ts';
import { nameOf } from './words.ts';

export function ResetFactorDialog({ file: { student }, onClose }: { file: StudentFile; onClose: () => void }) {
  const act = useAccountAction(student);
  return (
    <ConfirmDialog
      title={`Reset the second factor of ${nameOf(student)}?`}
      confirmLabel="Reset"
      isDangerous
      onConfirm={() => {
        onClose();
        act('reset-second-factor');
      }}
      onClose={onClose}
    >
      <p>For a student who has lost both phone and recovery codes. Verify who is asking first: until a new one is set up, the password alone opens the account. They are logged out everywhere and notified by email.</p>
    </ConfirmDialog>
  );
}
