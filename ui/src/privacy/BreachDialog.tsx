// The dialog that records or updates a breach.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { ApiError, failureWords } from '../api.ts';
import type { Breach, Risk } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { dateText } from '../dates.ts';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { breachesQuery, privacyKey, saveBreach } from './queries.ts';
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

type Values = z.infer<typeof schema>;

const labels: Record<keyof Values, string> = {
  what: 'What happened',
  happenedOn: 'Happened on (if known)',
  discoveredOn: 'Discovered on',
  affected: 'Who is affected',
  affectedCount: 'How many people (if known)',
  risk: 'Real risk of significant harm',
  riskReason: 'Reason for this assessment',
  reportedToOpcOn: 'Privacy Commissioner told on',
  peopleToldOn: 'People told on',
  measures: 'What was done about it (optional)',
};

const fields = Object.keys(labels) as (keyof Values)[];

function valuesOf(breach: Breach | undefined, today: string): Values {
  return {
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
  };
}

/** A colleague's changes to fields untouched here, in words. */
export function remoteChanges(before: Values, now: Values, typed: Values): string[] {
  const isTaken = (name: keyof Values) => now[name] !== before[name] && typed[name] === before[name];
  return fields.filter(isTaken).map((name) => `${labels[name]}: ${valueWords(name, now[name])}`);
}

function valueWords(name: keyof Values, value: string): string {
  if (value === '') return 'empty';
  if (name === 'risk') return risks[value as Risk];
  // Shortened: the field shows the rest.
  return name.endsWith('On') ? dateText(value, value) : `“${value.length > 80 ? `${value.slice(0, 80)}…` : value}”`;
}

/** The whole entry is sent with the version it is based on, so that no colleague's change is overwritten unseen. */
function useBreachForm(breach: Breach | undefined, today: string, onClose: () => void) {
  const client = useQueryClient();
  const saving = useMutation(saveBreach);
  // Not the row behind the dialog: that may be asked for again at any time.
  const [base, setBase] = useState(breach);
  const [taken, setTaken] = useState<string[]>([]);
  const server = useServerForm<Values>({
    schema,
    values: valuesOf(breach, today),
    fields,
    idPrefix: 'breach',
    send: async ({ affectedCount, risk, ...rest }) => {
      await saving.mutateAsync({
        ...(base && { id: base.id, version: base.version }),
        ...rest,
        risk: risk as Risk,
        affectedCount: affectedCount === '' ? null : Number(affectedCount),
      });
      await client.invalidateQueries({ queryKey: privacyKey });
      showToast(base ? 'Breach updated' : 'Breach recorded');
      onClose();
    },
    onFailure: (error) => {
      setTaken([]);
      if (error instanceof ApiError && error.status === 409) void showChanges();
    },
  });
  const { form, takeOver } = server;

  async function showChanges() {
    const { rows } = await client.fetchQuery({ ...breachesQuery, staleTime: 0 }).catch(() => ({ rows: [] }));
    const now = rows.find(({ id }) => id === base?.id);
    if (!now) return;
    setTaken(remoteChanges(valuesOf(base, today), valuesOf(now, today), form.getValues()));
    setBase(now);
    takeOver(valuesOf(now, today));
    // The select shows labels, not values.
    if (form.getFieldState('risk').error) form.setError('risk', { message: `This has been changed to “${risks[now.risk]}” in the meantime` });
  }

  return { ...server, taken };
}

export function BreachDialog({ breach, onClose }: { breach?: Breach; onClose: () => void }) {
  const today = useSchoolDay();
  const { register, field, failure, isDirty, isPending, summary, submit, taken } = useBreachForm(breach, today, onClose);
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  const labelled = (name: keyof Values) => ({ ...field(name), label: labels[name] });
  const date = (name: 'happenedOn' | 'discoveredOn' | 'reportedToOpcOn' | 'peopleToldOn') => (
    <Field {...labelled(name)}>{(control) => <input {...control} {...register(name)} type="date" max={today} />}</Field>
  );
  return (
    <Dialog title={breach ? 'Update a Breach' : 'Record a Breach'} isWide onClose={() => leave(onClose)}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && <Failure error={failure} taken={taken} />}
        submitLabel="Save"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...labelled('what')} hint="Do not name people: the book is kept longer than their records.">
          {(control) => <textarea {...control} {...register('what')} rows={3} dir="auto" />}
        </Field>
        <div className="grid field-pair">{date('happenedOn')}{date('discoveredOn')}</div>
        <div className="grid field-pair">
          <Field {...labelled('affected')}>{(control) => <input {...control} {...register('affected')} type="text" dir="auto" />}</Field>
          <Field {...labelled('affectedCount')}>{(control) => <input {...control} {...register('affectedCount')} type="text" inputMode="numeric" />}</Field>
        </div>
        <Field {...labelled('risk')} hint="Consider how sensitive the data is and how likely it is to be misused. If the risk is significant, the Privacy Commissioner and the people affected must be told.">
          {(control) => <select {...control} {...register('risk')}>{optionsOf(risks).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
        </Field>
        <Field {...labelled('riskReason')}>
          {(control) => <textarea {...control} {...register('riskReason')} rows={2} dir="auto" />}
        </Field>
        <div className="grid field-pair">{date('reportedToOpcOn')}{date('peopleToldOn')}</div>
        <Field {...labelled('measures')}>
          {(control) => <textarea {...control} {...register('measures')} rows={2} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}

function Failure({ error, taken }: { error: Error; taken: readonly string[] }) {
  return (
    <>
      <p>{failureWords(error, 'The breach could not be saved. Please try again.')}</p>
      {taken.length > 0 && (
        <>
          <p>A colleague has changed these fields:</p>
          <ul>{taken.map((words) => <li key={words} dir="auto">{words}</li>)}</ul>
        </>
      )}
    </>
  );
}
