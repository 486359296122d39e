// The dialog that records or withdraws a parent's or guardian's confirmation.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords } from '../api.ts';
import type { Guardian, GuardianHow, StudentRecord } from '../api-types.ts';
import { readWord, wordsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { confirmGuardian } from './queries.ts';
import { guardianWays } from './words.ts';

const nothing = { attempt: 0, errors: [] };
const none: never[] = [];

type GuardianDialogProps = {
  student: Pick<StudentRecord, 'id' | 'guardianConfirmed'>;
  /** Those who may confirm. */
  guardians?: readonly Pick<Guardian, 'id' | 'name'>[];
  /** Set if another guardian was named after a confirmation: the change can be recorded as seen. */
  isReplaced?: boolean;
  onSaved?: (how: GuardianHow | null) => void;
  onClose: () => void;
};

export function GuardianDialog({ student, guardians = none, isReplaced = false, onSaved, onClose }: GuardianDialogProps) {
  const client = useQueryClient();
  const before = student.guardianConfirmed?.how ?? null;
  const [how, setHow] = useState<GuardianHow | null>(before && before !== 'link' ? before : 'phone');
  const [guardianId, setGuardianId] = useState(guardians[0]?.id ?? null);
  const noting = useMutation({
    ...confirmGuardian,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast(how ? 'Confirmation recorded' : isReplaced ? 'Change recorded' : 'Confirmation withdrawn');
      if (onSaved) onSaved(how);
      else onClose();
    },
  });
  const choices: { value: GuardianHow | ''; label: string }[] = [
    ...wordsOf(guardianWays).filter((way) => way !== 'link').map((value) => ({ value, label: `Confirmed ${guardianWays[value]}` })),
    ...(before || isReplaced ? [{ value: '' as const, label: isReplaced ? 'Seen, not confirmed yet' : 'Not confirmed after all' }] : []),
  ];
  const close = () => !noting.isPending && onClose();
  return (
    <Dialog title="Parent or Guardian" onClose={close}>
      <Form
        isPending={noting.isPending}
        summary={nothing}
        error={noting.isError && failureWords(noting.error, 'That did not work. Please try again.')}
        submitLabel="Save"
        pendingLabel="Saving..."
        onSubmit={() => noting.mutate({ id: student.id, how, guardianId })}
        onCancel={close}
      >
        <p>It covers the requests there are today; later requests need a new one.</p>
        {guardians.length > 1 && (
          <label>Guardian
            <select value={guardianId ?? ''} onChange={(event) => setGuardianId(Number(event.target.value))}>
              {guardians.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
            </select>
          </label>
        )}
        <fieldset>
          <legend className="sr-only">What they said</legend>
          {choices.map(({ value, label }) => (
            <label className="tick" key={value}>
              <input type="radio" name="how" checked={(how ?? '') === value} onChange={() => setHow(readWord(guardianWays, value) || null)} /><span>{` ${label}`}</span>
            </label>
          ))}
        </fieldset>
      </Form>
    </Dialog>
  );
}
