// Asks why a document that was uploaded in error is deleted.
import type { ListedDocument } from '../../api-types.ts';
import { ReasonDialog } from '../../components/ReasonDialog.tsx';
import { documentName } from '../types.ts';

type DeleteDialogProps = { document: ListedDocument; onClose: () => void; onDelete: (reason: string) => void };

export function DeleteDialog({ document, onClose, onDelete }: DeleteDialogProps) {
  return (
    <ReasonDialog
      title={`Delete ${documentName(document)}?`}
      intro={<p>For documents uploaded in error, such as another person’s. It is removed from the student’s list and cannot be restored; its file is deleted a day later.</p>}
      idPrefix="delete"
      hint="Kept in the audit trail."
      wanted="Please say why it is deleted"
      submitLabel="Delete"
      pendingLabel="Deleting..."
      failed="It could not be deleted. Please try again."
      send={async (reason) => onDelete(reason)}
      onClose={onClose}
    />
  );
}
