// Records a request by phone, on paper or in person: the 30 days start on the day it was received.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ApiError } from '../api.ts';
import type { AskedBy, PrivacyRequestKind } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { searchQuery } from '../staff/search.ts';
import { noteRequest, privacyKey } from './queries.ts';
import { askers, requestKinds } from './words.ts';

const wanted = 'Type the student number, such as 2026-0042, or paste the address of the student’s page';

const schema = z.object({
  student: z.string().check(z.trim(), z.refine((text) => namedStudent(text) !== null, wanted)),
  askedBy: z.string(),
  kind: z.string(),
  details: z.string().check(z.trim(), z.maxLength(2000, 'Must be at most 2000 characters')),
  receivedOn: z.string().check(z.minLength(1, 'Must be a real date in the form YYYY-MM-DD')),
});

export function NoteRequestDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const today = useSchoolDay();
  const noting = useMutation(noteRequest);
  return (
    <FormDialog
      title="Record a Request"
      intro={<p>Verify who it is before you answer: ask for something that only this person knows.</p>}
      schema={schema}
      values={{ student: '', askedBy: 'guardian', kind: 'access', details: '', receivedOn: today }}
      fields={['student', 'askedBy', 'kind', 'details', 'receivedOn']}
      idPrefix="note-request"
      submitLabel="Record Request"
      failed="The request could not be recorded. Please try again."
      onFailure={(error, { form }) => {
        const fields = 'fields' in error ? (error.fields as Record<string, string>) : {};
        if (fields.studentId) form.setError('student', { message: fields.studentId });
      }}
      send={async ({ student, askedBy, kind, ...rest }) => {
        const studentId = await idOf(client, student);
        await noting.mutateAsync({ studentId, askedBy: askedBy as AskedBy, kind: kind as PrivacyRequestKind, ...rest });
        await client.invalidateQueries({ queryKey: privacyKey });
        showToast('Request recorded', 'Answer it within 30 days.');
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          <Field {...field('student')} label="Student number" hint="Such as 2026-0042; or the address of the student’s page.">
            {(control) => <input {...control} {...register('student')} type="text" autoComplete="off" />}
          </Field>
          <div className="grid field-pair">
            <Field {...field('kind')} label="Request">
              {(control) => <select {...control} {...register('kind')}>{optionsOf(requestKinds).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
            </Field>
            <Field {...field('askedBy')} label="Requested by">
              {(control) => <select {...control} {...register('askedBy')}>{optionsOf(askers).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
            </Field>
          </div>
          <Field {...field('receivedOn')} label="Received on">
            {(control) => <input {...control} {...register('receivedOn')} type="date" max={today} />}
          </Field>
          <Field {...field('details')} label="What they said (optional)">
            {(control) => <textarea {...control} {...register('details')} rows={3} dir="auto" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

/** The account id of the student in the field. */
async function idOf(client: QueryClient, student: string): Promise<number> {
  const named = namedStudent(student);
  if (named === null || 'id' in named) return named?.id ?? NaN;
  const { students } = await client.fetchQuery({ ...searchQuery(named.number), staleTime: 0 });
  const found = students.find(({ number }) => number === named.number);
  // Like a field error of the server.
  if (!found) throw new ApiError(400, JSON.stringify({ fields: { student: `No student has the number ${named.number}` } }));
  return found.id;
}

/**
 * Reads the field: a student number with any kind of dash, or the account id from the address of the student’s page.
 */
export function namedStudent(text: string): { number: string } | { id: number } | null {
  const [, year, place] = /^(\d{4})\s*[-‐‑–]\s*(\d{4,})$/.exec(text) ?? [];
  if (year) return { number: `${year}-${place}` };
  // Leading zeros belong to a student number, not to an account id.
  const id = /\/students\/(\d+)/.exec(text)?.[1] ?? /^[1-9]\d*$/.exec(text)?.[0];
  return id === undefined ? null : { id: Number(id) };
}
