// The dialog that adds a section to a term, or edits one.
import { useQuery } from '@tanstack/react-query';
import { ApiError, failureWords } from '../api.ts';
import type { OfficeSection } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { managedCoursesQuery } from '../courses/queries.ts';
import { deliveries, placeOf, sectionKinds, weekdays } from '../meetings.ts';
import { moneyText } from '../money.ts';
import { useSchool } from '../school/queries.ts';
import { addSection, changeSection } from './queries.ts';
import { SectionMove } from './TermMove.tsx';
import { sectionChanges, sectionFields, sectionInput, sectionSchema, sectionValues } from './sectionSchema.ts';
import { type SectionDialogProps, toldOf } from './told.ts';
import { nameOf, studentsText } from './words.ts';
import '../components/Chips.css';

/** Without a section: of a new one. */
export function SectionDialog({ section, term, onChanged, onClose }: Omit<SectionDialogProps, 'section'> & { section: OfficeSection | null }) {
  const courses = useQuery(managedCoursesQuery).data ?? [];
  const place = placeOf(useSchool().timeZone.name);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: sectionSchema,
    values: sectionValues(section, term),
    fields: sectionFields,
    idPrefix: 'section',
    send: async (values) => {
      if (section) {
        const saved = await changeSection(section, sectionChanges(section, term, values));
        showToast('Section changed');
        onChanged(saved, toldOf(section, saved));
      } else {
        const added = await addSection({ ...sectionInput(values), termId: term.id });
        showToast(`${nameOf(added)} added`);
        onChanged(added, null);
      }
      onClose();
    },
    onFailure: (error) => showFailure('Nothing was saved', words(error)),
  });
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !isPending && leave(onClose);
  const days = form.watch('days');
  const toggle = (day: string) =>
    form.setValue('days', days.includes(day) ? days.replace(day, '') : [...days, day].toSorted().join(''), { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const course = courses.find(({ id }) => String(id) === form.watch('courseId'));
  const textField = (name: 'label' | 'link' | 'teacherName' | 'capacity' | 'price' | 'hours', label: string, hint?: string) => (
    <Field {...field(name)} label={label} {...(hint && { hint })}>
      {(control) => <input {...control} {...register(name)} type="text" autoComplete="off" dir="auto" inputMode={name === 'capacity' || name === 'price' ? 'decimal' : undefined} />}
    </Field>
  );

  return (
    <Dialog title={section ? `Edit ${nameOf(section)}` : `Add a Section to ${term.name}`} isWide onClose={close}>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && words(failure)}
        isToasted
        submitLabel={section ? 'Save Section' : 'Add Section'}
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={close}
      >
        {!section && (
          <Field {...field('courseId')} label="Course">
            {(control) => (
              <select {...control} {...register('courseId')}>
                <option value="">Choose a course</option>
                {courses.map(({ id, code, name }) => <option key={id} value={id}>{`${code} · ${name}`}</option>)}
              </select>
            )}
          </Field>
        )}
        {section ? textField('hours', 'Days and hours', `In ${place} time, such as “Tue Thu 19:00–20:30; Sat 10:00–11:00”. Leave empty for a course at the student’s own pace.`) : (
          <>
            <fieldset>
              <legend>{`Classes, in ${place} time`}</legend>
              <div className="choice section-days">
                {weekdays.map((day, at) => (
                  <label key={day}><input className="cover" type="checkbox" checked={days.includes(String(at + 1))} onChange={() => toggle(String(at + 1))} /><span>{day}</span></label>
                ))}
              </div>
            </fieldset>
            <div className="grid field-pair">
              <Field {...field('startsAt')} label="From">
                {(control) => <input type="time" {...control} {...register('startsAt')} />}
              </Field>
              <Field {...field('endsAt')} label="Until">
                {(control) => <input type="time" {...control} {...register('endsAt')} />}
              </Field>
            </div>
          </>
        )}
        {textField('link', 'Link of the online class (optional)', 'Only enrolled students see it, from the day before the start.')}
        <div className="grid field-pair">
          {textField('teacherName', 'Teacher (optional)')}
          <Field {...field('delivery')} label="Delivery">
            {(control) => (
              <select {...control} {...register('delivery')}>
                {optionsOf(deliveries).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
              </select>
            )}
          </Field>
          {textField('capacity', 'Seats (optional)', 'Leave empty for no limit.')}
          {textField('price', 'Price (optional)', `Otherwise ${moneyText(course?.price, 'the course’s price')}.`)}
          <Field {...field('startsOn')} label="First day">
            {(control) => <input type="date" {...control} {...register('startsOn')} />}
          </Field>
          <Field {...field('endsOn')} label="Last day">
            {(control) => <input type="date" {...control} {...register('endsOn')} />}
          </Field>
          {textField('label', 'Label (optional)', section ? undefined : 'Otherwise the next letter.')}
          <Field {...field('kind')} label="Kind" hint="An upgrade is for students who completed the course.">
            {(control) => (
              <select {...control} {...register('kind')}>
                {optionsOf(sectionKinds).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
              </select>
            )}
          </Field>
        </div>
        {section && <SectionMove section={section} startsOn={form.watch('startsOn')} endsOn={form.watch('endsOn')} />}
        {section && section.taken > 0 && <p className="fine-print">{`${studentsText(section.taken)} ${section.taken === 1 ? 'is' : 'are'} told of other dates or hours by email; you can undo that for a minute.`}</p>}
      </Form>
      {question}
    </Dialog>
  );
}

const words = (error: Error) => (error instanceof ApiError && error.fields.meetings) || failureWords(error, 'The section could not be saved. Please try again.');
