// Opens the dialog that records a payment: a button, and the key p.
import { useRef } from 'react';
import type { ItemFees } from '../../api-types.ts';
import { Icon } from '../../components/Icon.tsx';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { useKeys } from '../../components/useKeys.ts';

type RecordPaymentButtonProps = { student: { id: number | null; name: string }; items: readonly ItemFees[] };

export function RecordPaymentButton(props: RecordPaymentButtonProps) {
  const dialog = useDialogPart(() => import('./RecordPaymentDialog.tsx'));
  const button = useRef<HTMLButtonElement>(null);
  useKeys({
    p: () => {
      // Where nothing has the focus, the dialog gives it to the button.
      if (document.activeElement === document.body) button.current?.focus();
      dialog.open();
    },
  });
  return (
    <>
      <button type="button" ref={button} className="button button-outline" aria-keyshortcuts="p" aria-disabled={dialog.isPending} onClick={dialog.open}><Icon name="dollar" /> Record Payment <kbd aria-hidden="true">P</kbd></button>
      {dialog.part && <dialog.part.RecordPaymentDialog {...props} onClose={dialog.close} />}
    </>
  );
}
