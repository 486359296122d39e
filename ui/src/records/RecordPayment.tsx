// Opens the dialog that records a payment of a student: a button, and the key p.
import type { StudentFile } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { useKeys } from '../components/useKeys.ts';
import { nameOf } from './words.ts';

export function RecordPayment({ file: { student, money } }: { file: StudentFile }) {
  const dialog = useDialogPart(() => import('../payments/RecordPaymentDialog.tsx'));
  useKeys({ p: dialog.open });
  return (
    <>
      <button type="button" className="button button-outline" aria-keyshortcuts="p" aria-disabled={dialog.isPending} onClick={dialog.open}><Icon name="dollar" /> Record Payment <kbd aria-hidden="true">P</kbd></button>
      {dialog.part && (
        <dialog.part.RecordPaymentDialog student={{ id: student.id, name: nameOf(student) }} items={money?.perItem ?? []} onClose={dialog.close} />
      )}
    </>
  );
}
