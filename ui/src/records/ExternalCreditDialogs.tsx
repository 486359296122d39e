// Dialogs that record, correct and void a credit from another school.
import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { patchJson, postJson } from '../api.ts';
import type { ExternalCredit, StudentFile } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { dayText, today } from '../dates.ts';
import { documentTypes } from '../documents/types.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { officeKey } from '../enrollments/queries.ts';
import { useSchool } from '../school/queries.ts';

const text = (missing: string, min = 1) => z.string().check(z.trim(), z.minLength(min, missing));

const schema = z.object({
  code: text('Code is required'),
  name: text('Name is required'),
  credits: z.string().check(z.trim(), z.regex(/^([12]?\d|30)?(\.[05]0?)?$/, 'Credits must be from 0.5 to 30, in steps of 0.5'), z.minLength(1, 'Credits are required')),
  mark: z.string().check(z.trim(), z.regex(/^(\d{1,2}|100)?$/, 'Mark must be a whole number from 0 to 100')),
  completedOn: text('Completion date is required'),
  school: text('Name the school in at least 2 characters', 2),
  documentId: z.string(),
  reason: z.string().check(z.trim()),
});

const failed = 'The credit could not be saved. Please try again.';

/** Refreshes the page and the list of credits. */
function useReload() {
  const client = useQueryClient();
  return () => Promise.all([recordsKey, officeKey].map((queryKey) => client.invalidateQueries({ queryKey })));
}

type CreditDialogProps = { file: StudentFile; credit: ExternalCredit | null; onClose: () => void };

export function CreditDialog({ file: { student, documents }, credit, onClose }: CreditDialogProps) {
  const { timeZone } = useSchool();
  const reload = useReload();
  return (
    <FormDialog
      title={credit ? `Correct ${credit.code}` : 'Record a Credit'}
      schema={schema}
      values={{
        code: credit?.code ?? '',
        name: credit?.name ?? '',
        credits: String(credit?.credits ?? 1),
        mark: credit?.mark?.toString() ?? '',
        completedOn: credit?.completedOn ?? '',
        school: credit?.school ?? student.lastSchool ?? '',
        documentId: credit?.documentId?.toString() ?? '',
        reason: '',
      }}
      fields={['code', 'name', 'credits', 'mark', 'completedOn', 'school', 'documentId', 'reason']}
      idPrefix="credit"
      submitLabel={credit ? 'Correct' : 'Record'}
      failed={failed}
      send={async ({ reason, credits, mark, documentId, ...rest }) => {
        const facts = { ...rest, credits: Number(credits), mark: mark === '' ? null : Number(mark), documentId: documentId === '' ? null : Number(documentId) };
        const path = `/api/admin/students/${student.id}/external-credits` as const;
        await (credit ? patchJson(`${path}/${credit.id}`, { ...facts, version: credit.version, ...(reason && { reason }) }) : postJson(path, facts));
        await reload();
        showToast(credit ? 'Credit corrected' : 'Credit recorded');
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          <div className="grid field-pair">
            <Field {...field('code')} label="Code" hint="The Ontario code, or the other school’s.">
              {(control) => <input {...control} {...register('code')} maxLength={20} autoCapitalize="characters" dir="auto" />}
            </Field>
            <Field {...field('name')} label="Course">
              {(control) => <input {...control} {...register('name')} maxLength={100} dir="auto" />}
            </Field>
            <Field {...field('credits')} label="Credits" hint="Up to 30, for whole years granted together.">
              {(control) => <input {...control} {...register('credits')} inputMode="decimal" />}
            </Field>
            <Field {...field('mark')} label="Mark (optional)" hint="A mark below 50 earns no credit.">
              {(control) => <input {...control} {...register('mark')} inputMode="numeric" />}
            </Field>
          </div>
          <Field {...field('completedOn')} label="Completed on">
            {(control) => <input {...control} {...register('completedOn')} type="date" max={today()} />}
          </Field>
          <Field {...field('school')} label="School">
            {(control) => <input {...control} {...register('school')} maxLength={200} dir="auto" />}
          </Field>
          <Field {...field('documentId')} label="Supporting document (optional)">
            {(control) => (
              <select {...control} {...register('documentId')}>
                <option value="">None</option>
                {documents?.map(({ id, documentType, originalName, uploadedAt }) => (
                  <option key={id} value={id}>{`${documentTypes[documentType]}, ${originalName}, ${dayText(uploadedAt, timeZone, '')}`}</option>
                ))}
              </select>
            )}
          </Field>
          {credit && (
            <Field {...field('reason')} label="Reason for the correction (optional)" hint="Kept in the student’s history.">
              {(control) => <input {...control} {...register('reason')} maxLength={500} dir="auto" />}
            </Field>
          )}
        </>
      )}
    </FormDialog>
  );
}

export function VoidDialog({ studentId, credit, onClose }: { studentId: number; credit: ExternalCredit; onClose: () => void }) {
  const reload = useReload();
  return (
    <ReasonDialog
      title={`Void ${credit.code}?`}
      intro={<p>It no longer counts, and stays on the record with the reason. This cannot be undone: if it counts after all, record it again.</p>}
      idPrefix="void"
      hint="Only the office sees it."
      rows={3}
      wanted="Say in at least 3 characters why this credit is void"
      submitLabel="Void"
      failed={failed}
      send={async (reason) => {
        await patchJson(`/api/admin/students/${studentId}/external-credits/${credit.id}`, { version: credit.version, voided: true, reason });
        await reload();
        showToast('Credit voided');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
