// Asks why a document that was uploaded in error is deleted.
import { useState } from 'react';
import type { ListedDocument } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { documentName } from '../types.ts';

type DeleteDialogProps = { document: ListedDocument; onClose: () => void; onDelete: (reason: string) => void };

const wanted = 'Please say why it is deleted';

export function DeleteDialog({ document, onClose, onDelete }: DeleteDialogProps) {
  const [reason, setReason] = useState('');
  const [attempt, setAttempt] = useState(0);
  const error = attempt > 0 && reason.trim().length < 3 ? wanted : undefined;
  function submit() {
    setAttempt(attempt + 1);
    if (reason.trim().length >= 3) onDelete(reason.trim());
  }
  return (
    <Dialog title={`Delete ${documentName(document)}?`} onClose={onClose}>
      <p>For documents uploaded in error, such as another person’s. It is removed from the student’s list and cannot be restored; its file is deleted a day later.</p>
      <Form
        isPending={false}
        summary={{ attempt, errors: error ? [{ id: 'delete-reason', message: error }] : [] }}
        error=""
        submitLabel="Delete"
        pendingLabel="Deleting..."
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field id="delete-reason" label="Reason" hint="Kept in the audit trail." error={error}>
          {(control) => <textarea {...control} rows={2} maxLength={500} dir="auto" value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
      </Form>
    </Dialog>
  );
}
