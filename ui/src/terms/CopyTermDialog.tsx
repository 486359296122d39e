// The dialog that copies a term with its sections, with the dates of the copy.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ApiError, failureWords } from '../api.ts';
import type { Term } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { dateText, dayNumber } from '../dates.ts';
import { copiedDates, daysOffSentence, nextYear } from './daysOff.ts';
import { copyTerm, refreshSections, sectionsQuery } from './queries.ts';

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Name is required'), z.maxLength(60, 'Name must be at most 60 characters')),
  startsOn: z.string().check(z.minLength(1, 'First day is required')),
  again: z.boolean(),
});

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });

/** "Tue, Sep 7, 2027". */
const dayText = (date: string) => `${weekday.format((dayNumber(date) ?? 0) * 86_400_000)}, ${dateText(date, '')}`;

export function CopyTermDialog({ term, onCopied, onClose }: { term: Term; onCopied: (term: Term) => void; onClose: () => void }) {
  const client = useQueryClient();
  const sections = useQuery(sectionsQuery(term.id)).data;
  const copied = sections?.filter(({ status }) => status !== 'cancelled').length;

  return (
    <FormDialog
      title={`Copy ${term.name}`}
      schema={schema}
      values={{ ...nextYear(term), again: false }}
      fields={['name', 'startsOn', 'again']}
      idPrefix="copy-term"
      submitLabel="Copy Term"
      pendingLabel="Copying..."
      failed={words}
      failureTitle="Nothing was copied"
      send={async (values) => {
        const copy = await copyTerm(term.id, values);
        showToast('Term copied', `${copy.term.name} has ${countOf(copy.sections.length)}, all planned.`);
        refreshSections(client);
        onCopied(copy.term);
      }}
      onClose={onClose}
    >
      {({ form, register, field, failure }) => {
        const startsOn = form.watch('startsOn');
        const isSecond = failure instanceof ApiError && failure.status === 409;
        return (
          <>
            <div className="grid field-pair">
              <Field {...field('name')} label="Name">
                {(control) => <input {...control} {...register('name')} type="text" autoComplete="off" dir="auto" />}
              </Field>
              <Field {...field('startsOn')} label="First day">
                {(control) => <input {...control} {...register('startsOn')} type="date" />}
              </Field>
            </div>
            {(isSecond || form.watch('again')) && (
              <label className="tick">
                <input id={field('again').id} type="checkbox" {...register('again')} /> Copy it all the same
              </label>
            )}
            <p className="fine-print">
              <span>{copied === undefined ? '' : `${countOf(copied)} with hours, links and teachers. `}</span>
              <span>Seats start empty, every section is planned, and the copy is not public until you publish it.</span>
            </p>
            <div role="status">{dayNumber(startsOn) !== null && <CopiedDates term={term} startsOn={startsOn} />}</div>
          </>
        );
      }}
    </FormDialog>
  );
}

function CopiedDates({ term, startsOn }: { term: Term; startsOn: string }) {
  const { endsOn, joinUntil, daysOff } = copiedDates(term, startsOn);
  const line = (label: string, before: string, after: string) => (
    <div><dt>{label}</dt><dd><strong>{dayText(after)}</strong> <small>{`now ${dayText(before)}`}</small></dd></div>
  );
  return (
    <dl className="pairs tinted">
      {line('First day', term.startsOn, startsOn)}
      {line('Last day', term.endsOn, endsOn)}
      {line('Late entry until', term.joinUntil, joinUntil)}
      {daysOff.length > 0 && <div><dt>Days off</dt><dd>{daysOffSentence(daysOff)}</dd></div>}
    </dl>
  );
}

const countOf = (sections: number) => (sections === 1 ? '1 section' : `${sections} sections`);

const words = (error: Error) => failureWords(error, 'The term could not be copied. Please try again.');
