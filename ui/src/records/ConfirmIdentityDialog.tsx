// Asks before an identity is confirmed, and says what that means.
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { IdentityChange } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import type { Decision } from '../components/useStableRows.ts';
import { officePaths } from '../officePaths.ts';
import { confirmIdentity, nameOf } from './identityChange.ts';
import { IdentityFields } from './IdentityFields.tsx';

type ConfirmIdentityDialogProps = {
  student: Pick<IdentityChange, 'id' | 'fullName' | 'email' | 'changes'> & { changedAt: string | null; isGuardianChanged?: boolean };
  onConfirmed: (decision: Decision) => void;
  onClose: () => void;
};

export function ConfirmIdentityDialog({ student, onConfirmed, onClose }: ConfirmIdentityDialogProps) {
  const mayOpenDocuments = useUser().duties.includes('documents');
  const confirming = useAction({
    ...confirmIdentity,
    onSuccess: () => {
      showToast('Identity confirmed', `The details of ${nameOf(student)} are recorded as checked.`);
      onConfirmed({ status: 'Confirmed', words: null });
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('Failed to confirm the identity', failureWords(error, 'The changes could not be confirmed. Please try again.'));
      const isOutOfDate = error instanceof ApiError && [404, 409].includes(error.status);
      if (isOutOfDate) onConfirmed({ status: 'Not confirmed', words: 'Changed again' });
    },
  });

  return (
    <ConfirmDialog
      title={student.changes.length > 0 ? 'Confirm these changes?' : 'Confirm the identity?'}
      confirmLabel="Confirm Identity"
      pendingLabel="Confirming..."
      isPending={confirming.isPending}
      onConfirm={() => confirming.run(student)}
      onClose={() => !confirming.isPending && onClose()}
    >
      <p>
        You confirm that you have compared the name and date of birth of <strong dir="auto">{nameOf(student)}</strong> with an
        accepted document. This is recorded under your name; no email is sent.
      </p>
      {student.isGuardianChanged && <p>The new parent or guardian still has to confirm.</p>}
      {student.changes.length > 0 && <IdentityFields student={student} />}
      {mayOpenDocuments && <p><Link to={officePaths.documents(student.email)}>View this student’s documents</Link></p>}
    </ConfirmDialog>
  );
}
