// Writes a breach down, or changes what the book says of it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { Breach, Risk } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { privacyKey, saveBreach } from './queries.ts';
import { useSchoolDay } from './useSchoolDay.ts';
import { risks } from './words.ts';

const text = (max: number) => z.string().check(z.trim(), z.maxLength(max, `Must be at most ${max} characters`));
const schema = z.object({
  what: z.string().check(z.trim(), z.minLength(10, 'Please say in at least 10 characters what happened'), z.maxLength(4000, 'Must be at most 4000 characters')),
  happenedOn: z.string(),
  discoveredOn: z.string().check(z.minLength(1, 'Must be a real date in the form YYYY-MM-DD')),
  affected: z.string().check(z.trim(), z.minLength(1, 'Please say who is affected'), z.maxLength(1000, 'Must be at most 1000 characters')),
  affectedCount: z.string().check(z.trim(), z.regex(/^\d{0,7}$/, 'Must be a whole number from 0 to 1,000,000')),
  risk: z.string(),
  riskReason: text(2000),
  reportedToOpcOn: z.string(),
  peopleToldOn: z.string(),
  measures: text(4000),
});

const fields = ['what', 'happenedOn', 'discoveredOn', 'affected', 'affectedCount', 'risk', 'riskReason', 'reportedToOpcOn', 'peopleToldOn', 'measures'] as const;

export function BreachDialog({ breach, onClose }: { breach?: Breach; onClose: () => void }) {
  const client = useQueryClient();
  const today = useSchoolDay();
  const saving = useMutation(saveBreach);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: {
      what: breach?.what ?? '',
      happenedOn: breach?.happenedOn ?? '',
      discoveredOn: breach?.discoveredOn ?? today,
      affected: breach?.affected ?? '',
      affectedCount: breach?.affectedCount?.toString() ?? '',
      risk: breach?.risk ?? 'not_assessed',
      riskReason: breach?.riskReason ?? '',
      reportedToOpcOn: breach?.reportedToOpcOn ?? '',
      peopleToldOn: breach?.peopleToldOn ?? '',
      measures: breach?.measures ?? '',
    },
    fields,
    idPrefix: 'breach',
    send: async ({ affectedCount, risk, ...rest }) => {
      await saving.mutateAsync({
        ...(breach && { id: breach.id, version: breach.version }),
        ...rest,
        risk: risk as Risk,
        affectedCount: affectedCount === '' ? null : Number(affectedCount),
      });
      await client.invalidateQueries({ queryKey: privacyKey });
      showToast(breach ? 'The breach book is changed' : 'The breach is on record');
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  const date = (name: 'happenedOn' | 'discoveredOn' | 'reportedToOpcOn' | 'peopleToldOn', label: string) => (
    <Field {...field(name)} label={label}>{(control) => <input {...control} {...register(name)} type="date" max={today} />}</Field>
  );
  return (
    <Dialog title={breach ? 'Change the Breach Book' : 'Record a Breach'} isWide onClose={() => leave(onClose)}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The breach could not be saved. Please try again.')}
        submitLabel="Save"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('what')} label="What happened" hint="Name nobody: the book outlives the records of the people.">
          {(control) => <textarea {...control} {...register('what')} rows={3} dir="auto" />}
        </Field>
        <div className="grid field-pair">{date('happenedOn', 'Happened on (if known)')}{date('discoveredOn', 'Discovered on')}</div>
        <div className="grid field-pair">
          <Field {...field('affected')} label="Who is affected">{(control) => <input {...control} {...register('affected')} type="text" dir="auto" />}</Field>
          <Field {...field('affectedCount')} label="How many people (if known)">{(control) => <input {...control} {...register('affectedCount')} type="text" inputMode="numeric" />}</Field>
        </div>
        <Field {...field('risk')} label="Real risk of significant harm" hint="Judge how sensitive the data is, and how likely it is misused. Where the risk is significant, the Privacy Commissioner and the people have to be told.">
          {(control) => <select {...control} {...register('risk')}>{optionsOf(risks).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
        </Field>
        <Field {...field('riskReason')} label="Why it is judged so">
          {(control) => <textarea {...control} {...register('riskReason')} rows={2} dir="auto" />}
        </Field>
        <div className="grid field-pair">{date('reportedToOpcOn', 'Privacy Commissioner told on')}{date('peopleToldOn', 'People told on')}</div>
        <Field {...field('measures')} label="What was done about it (optional)">
          {(control) => <textarea {...control} {...register('measures')} rows={2} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
