// A dialog that confirms an action that cannot easily be undone.
import { Dialog } from './Dialog.tsx';
import type { Elements } from './elements.ts';

type ConfirmDialogProps = {
  title: string;
  /** Label of the confirming button. */
  confirmLabel: string;
  pendingLabel?: string;
  cancelLabel?: string;
  isPending?: boolean;
  isDangerous?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: Elements;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, pendingLabel = confirmLabel, cancelLabel = 'Cancel', isPending = false } = props;
  return (
    <Dialog title={title} onClose={props.onClose}>
      {props.children}
      <div className="cluster form-actions">
        <button type="button" className="button button-quiet" onClick={props.onClose}>{cancelLabel}</button>
        <button
          type="button"
          className={props.isDangerous ? 'button button-danger' : 'button button-primary'}
          aria-disabled={isPending}
          onClick={isPending ? undefined : props.onConfirm}
        >
          {isPending ? pendingLabel : confirmLabel}
        </button>
      </div>
    </Dialog>
  );
}
