// The dialog that moves students to another section of their course, all of a section at once.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords, postJson } from '../../api.ts';
import type { OfficeEnrollment, OfficeSection } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { sectionText, whenText } from '../../meetings.ts';
import { moneyText } from '../../money.ts';
import { useAction } from '../../components/useAction.ts';
import { officeSectionsQuery } from '../queries.ts';
import { type BulkOutcome, decideInBatches } from './bulk.ts';
import { bySection } from './moves.ts';

const no_section = 'Please choose the section to go on in';

type MoveDialogProps = { rows: readonly OfficeEnrollment[]; onDone: (outcome: BulkOutcome) => void; onClose: () => void };

export function MoveDialog({ rows, onDone, onClose }: MoveDialogProps) {
  const groups = bySection(rows);
  const [chosen, setChosen] = useState<Record<number, string>>({});
  const [attempt, setAttempt] = useState(0);
  const [guardian, setGuardian] = useState('');
  const moving = useAction({
    mutationFn: async () => {
      const outcome: BulkOutcome = { decided: {}, failures: [], undos: [] };
      for (const { sectionId, ids } of groups) {
        const send = (enrollmentIds: number[]) => postJson(`/api/admin/sections/${sectionId}/transfer`, { toSectionId: Number(chosen[sectionId]), enrollmentIds, ...(guardian.trim() && { override: { guardian: guardian.trim() } }) });
        // Sequential: earlier ones are kept if a later one fails.
        // oxlint-disable-next-line no-await-in-loop
        await decideInBatches(send, ids, outcome);
      }
      return outcome;
    },
    onSuccess: onDone,
  });
  const open = groups.filter(({ sectionId }) => !chosen[sectionId]);
  const errors = attempt > 0 ? open.map(({ sectionId }) => ({ id: `move-${sectionId}`, message: no_section })) : [];
  const close = () => !moving.isPending && onClose();
  return (
    <Dialog title={rows.length === 1 ? 'Move 1 student?' : `Move ${rows.length} students?`} onClose={close}>
      <p>Enrolled students are charged the new section’s price, and what they paid for the cancelled one counts for it. Requests keep their place. Each student gets an email.</p>
      <Form
        isPending={moving.isPending}
        summary={{ errors, attempt }}
        error={moving.error && failureWords(moving.error, 'The students could not be moved. Please try again.')}
        submitLabel="Move"
        pendingLabel="Moving..."
        onSubmit={(event) => {
          event.preventDefault();
          setAttempt((before) => before + 1);
          if (open.length === 0) moving.run();
        }}
        onCancel={close}
      >
        {groups.map((group) => (
          <Target
            key={group.sectionId}
            group={group}
            value={chosen[group.sectionId] ?? ''}
            error={errors.find(({ id }) => id === `move-${group.sectionId}`)?.message}
            onChoose={(id) => setChosen((before) => ({ ...before, [group.sectionId]: id }))}
          />
        ))}
        <Field id="move-guardian" error={undefined} label="Reason for not waiting for the guardians (optional)" hint="Only where your school requires their agreement. Kept with the decision; they are asked again all the same.">
          {(control) => <input {...control} maxLength={500} value={guardian} onChange={({ target }) => setGuardian(target.value)} />}
        </Field>
      </Form>
    </Dialog>
  );
}

type TargetProps = { group: ReturnType<typeof bySection>[number]; value: string; error: string | undefined; onChoose: (id: string) => void };

function Target({ group: { sectionId, courseId, label, ids }, value, error, onChoose }: TargetProps) {
  const { data, isError } = useQuery(officeSectionsQuery(courseId));
  if (isError) return <p role="alert">The sections could not be loaded. Please try again later.</p>;
  if (!data) return <Spinner label="Loading the sections..." />;
  const sections = data.filter(({ id, status }) => id !== sectionId && (status === 'open' || status === 'closed'));
  const count = ids.length === 1 ? '1 student' : `${ids.length} students`;
  if (sections.length === 0) return <p>{`${label} has no other section for ${count}. Add one under Terms, or transfer each student to another course.`}</p>;
  return (
    <Field id={`move-${sectionId}`} label={`${label}: ${count} to`} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChoose(event.target.value)}>
          <option value="">Choose a section</option>
          {sections.map((one) => <option key={one.id} value={one.id}>{optionText(one)}</option>)}
        </select>
      )}
    </Field>
  );
}

const optionText = (one: OfficeSection) => [sectionText(one), whenText(one), moneyText(one.price, ''), seats(one)].filter(Boolean).join(' · ');

const seats = ({ capacity, taken }: OfficeSection) => (capacity === null ? '' : `${Math.max(0, capacity - taken)} free`);
