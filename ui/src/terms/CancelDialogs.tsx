// The dialog that deletes an empty section.
import { useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { deleteSection, refreshSections } from './queries.ts';
import type { SectionDialogProps } from './told.ts';
import { nameOf, tellFailure } from './words.ts';

export function DeleteSectionDialog({ section, onClose }: SectionDialogProps) {
  const client = useQueryClient();
  const deleting = useAction({
    mutationFn: () => deleteSection(section.id),
    onSuccess: () => {
      showToast('Section deleted');
      refreshSections(client);
      onClose();
    },
    onError: tellFailure,
  });
  return (
    <ConfirmDialog
      title={`Delete ${nameOf(section)}?`}
      confirmLabel="Delete Section"
      pendingLabel="Deleting..."
      isDangerous
      isPending={deleting.isPending}
      onConfirm={() => deleting.run()}
      onClose={onClose}
    >
      <p>It has no students. A section that had any can only be cancelled.</p>
    </ConfirmDialog>
  );
}
