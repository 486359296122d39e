// Asks before a student removes a document that the office has not looked at, and does it.
import { useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { StudentDocument } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { removeDocument } from './queries.ts';
import { documentTypes } from './types.ts';

type RemoveDialogProps = { document: StudentDocument; onClose: () => void; onDone: () => void };

export function RemoveDialog({ document: { id, documentType, originalName }, onClose, onDone }: RemoveDialogProps) {
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
      // The office may have looked meanwhile: then the list offers this no longer.
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
        <strong><bdi>{originalName}</bdi></strong><span>{` (${documentTypes[documentType]}) leaves your list, and the office will not see it. This cannot be undone, but you may upload the file again.`}</span>
      </p>
    </ConfirmDialog>
  );
}
