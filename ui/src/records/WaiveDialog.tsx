// Notes that one of the missing documents is not needed, and why.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords, postJson } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { requirementsQuery } from '../documents/review/queries.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { Waivers } from './Waivers.tsx';

export function WaiveDialog({ file, onClose }: { file: StudentFile; onClose: () => void }) {
  const { student, wanted } = file;
  const client = useQueryClient();
  const requirements = useQuery(requirementsQuery);
  const offered = (requirements.data ?? []).filter(({ isActive, documentType, label }) => isActive && wanted?.some((one) => one.documentType === documentType && one.label === label));
  const [chosen, setChosen] = useState('');
  const [reason, setReason] = useState('');
  const [attempt, setAttempt] = useState(0);
  const requirementId = Number(chosen || offered[0]?.id);
  const waiving = useAction<unknown>({
    mutationFn: () => postJson(`/api/admin/students/${student.id}/waivers`, { requirementId, reason }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast('The document is asked for no longer');
      onClose();
    },
  });
  const missing = attempt > 0 && reason.trim().length < 3 ? 'Please say why it is not needed' : undefined;
  function submit() {
    setAttempt(attempt + 1);
    if (requirementId && reason.trim().length >= 3) waiving.run();
  }
  return (
    <Dialog title="A document is not needed" onClose={onClose}>
      <Waivers file={file} />
      <Form
        isPending={waiving.isPending}
        summary={{ attempt, errors: missing ? [{ id: 'waive-reason', message: missing }] : [] }}
        error={waiving.isError ? <p>{failureWords(waiving.error, 'That did not work. Please try again.')}</p> : ''}
        submitLabel="Save"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field id="waive-document" label="Document" error={undefined}>
          {(control) => (
            <select {...control} value={chosen} onChange={(event) => setChosen(event.target.value)}>
              {offered.map(({ id, label }) => <option key={id} value={id}>{label}</option>)}
            </select>
          )}
        </Field>
        <Field id="waive-reason" label="Reason" hint="Shown in the student’s history." error={missing}>
          {(control) => <textarea {...control} rows={2} maxLength={500} dir="auto" value={reason} onChange={(event) => setReason(event.target.value)} />}
        </Field>
      </Form>
    </Dialog>
  );
}
