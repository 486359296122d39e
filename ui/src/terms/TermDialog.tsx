// The dialog of a new term, or of the dates of one.
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, failureWords } from '../api.ts';
import type { ChangedTerm, Term } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { DaysOffField } from './DaysOffField.tsx';
import { addTerm, changeTerm, refreshSections } from './queries.ts';
import { TermMove } from './TermMove.tsx';
import { termFields, termInput, termSchema, type TermValues, termValues } from './termSchema.ts';

type TermDialogProps = { term: Term | null; onSaved: (term: Term | ChangedTerm) => void; onClose: () => void };

type DateName = Exclude<keyof TermValues, 'name' | 'daysOff' | 'isPublished'>;

export function TermDialog({ term, onSaved, onClose }: TermDialogProps) {
  const client = useQueryClient();
  return (
    <FormDialog
      title={term ? `Edit ${term.name}` : 'Add a Term'}
      isWide
      schema={termSchema}
      values={termValues(term)}
      fields={termFields}
      idPrefix="term"
      submitLabel={term ? 'Save Term' : 'Add Term'}
      failed={words}
      failureTitle="Nothing was saved"
      onFailure={(error, { takeOver }) => {
        // A colleague changed it: their values, except where something was typed here.
        if (error instanceof ApiError && error.status === 409 && error.current) takeOver(termValues(error.current as Term));
      }}
      send={async (values) => {
        const input = termInput(values);
        const saved = await (term ? changeTerm(term, input) : addTerm(input));
        showToast(term ? 'Term changed' : 'Term added');
        refreshSections(client);
        onSaved(saved);
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => {
        const dateField = (name: DateName, label: string) => (
          <Field {...field(name)} label={label}>
            {(control) => <input type="date" {...control} {...register(name)} />}
          </Field>
        );
        return (
          <>
            <Field {...field('name')} label="Name">
              {(control) => <input {...control} {...register('name')} type="text" autoComplete="off" dir="auto" placeholder="Winter 2027" />}
            </Field>
            <div className="grid field-pair term-dates">
              {dateField('startsOn', 'First day')}
              {dateField('endsOn', 'Last day')}
              {dateField('joinUntil', 'Last day to join')}
            </div>
            {term && <TermMove term={term} startsOn={form.watch('startsOn')} endsOn={form.watch('endsOn')} />}
            <DaysOffField
              field={field('daysOff')}
              text={form.watch('daysOff')}
              term={form.watch()}
              onChange={(text) => form.setValue('daysOff', text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })}
            />
            <label className="tick">
              <input id={field('isPublished').id} {...register('isPublished')} type="checkbox" /> Published: families see the term and its open sections
            </label>
            <details className="fold">
              <summary>Requests and reports (optional)</summary>
              <div className="grid field-pair term-dates">
                {dateField('requestsFrom', 'Requests from')}
                {dateField('requestsUntil', 'Requests until')}
                {dateField('midtermOn', 'Midterm marks')}
                {dateField('firstReportOn', 'First report card')}
                {dateField('finalOn', 'Final marks')}
              </div>
            </details>
          </>
        );
      }}
    </FormDialog>
  );
}

function words(error: Error): string {
  if (error instanceof ApiError && error.status === 409) return 'A colleague changed this term in the meantime. Check the dates and save again.';
  return failureWords(error, 'The term could not be saved. Please try again.');
}
