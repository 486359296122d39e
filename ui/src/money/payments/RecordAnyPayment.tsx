// Records a payment of any student: a button, and the key p.
import { useRef } from 'react';
import { Icon } from '../../components/Icon.tsx';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { useKeys } from '../../components/useKeys.ts';

export function RecordAnyPayment() {
  const dialog = useDialogPart(() => import('./PayerDialog.tsx'));
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
      <button type="button" ref={button} className="button button-primary" aria-keyshortcuts="p" aria-disabled={dialog.isPending} onClick={dialog.open}><Icon name="dollar" /> Record Payment <kbd aria-hidden="true">P</kbd></button>
      {dialog.part && <dialog.part.PayerDialog onClose={dialog.close} />}
    </>
  );
}
