// Confirms and performs the removal of a document that the office has not opened.
import { useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { StudentDocument } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { removeDocument } from './queries.ts';
import { restoredName } from './replacement.ts';
import { documentTypes } from './types.ts';

type RemoveDialogProps = {
  document: StudentDocument;
  /** All of the student's documents, newest first. */
  documents: readonly StudentDocument[];
  onClose: () => void;
  onDone: () => void;
};

export function RemoveDialog({ document, documents, onClose, onDone }: RemoveDialogProps) {
  const { id, documentType, originalName } = document;
  const before = restoredName(document, documents);
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['documents'] });
  const removing = useAction({
    ...removeDocument,
    onSuccess: async () => {
      await refresh();
      showToast('Document Removed', `${originalName} has been removed.`);
      onDone();
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      // The office may have opened it in the meantime; the refetched list then does not offer this.
      await refresh();
      showFailure('Removal Failed', failureWords(error, 'The document could not be removed. Please try again.'));
      onDone();
    },
  });

  return (
    <ConfirmDialog
      title="Remove this document?"
      confirmLabel="Remove"
      pendingLabel="Removing..."
      cancelLabel="Keep Document"
      isPending={removing.isPending}
      isDangerous
      onConfirm={() => removing.run(id)}
      onClose={() => !removing.isPending && onClose()}
    >
      <p>
        <strong><bdi>{originalName}</bdi></strong><span>{` (${documentTypes[documentType]}) is removed from your list. The office sees in your history that you removed it. This cannot be undone, but you can upload the file again.`}</span>
      </p>
      {before && <p><bdi>{before}</bdi><span> counts again.</span></p>}
    </ConfirmDialog>
  );
}
