// The enrollment request dialog: course facts, and a section or dates (section 2, Student courses).
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError, failureWords } from '../api.ts';
import type { Course, Enrollment, PrerequisiteCheck } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { usePartLater } from '../components/usePartLater.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { levelText, titleText } from '../courses/catalogue.ts';
import { LevelLetter } from '../courses/Level.tsx';
import { addMonths, today } from '../dates.ts';
import { moneyText } from '../money.ts';
import { AcceptedTexts, useAcceptedTexts } from '../school/AcceptedTexts.tsx';
import { useSchool } from '../school/queries.ts';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { repeatWords } from './earlierEnrollments.ts';
import { EnrollTerms } from './EnrollTerms.tsx';
import { enrollmentDatesQuery, ownEnrollmentsQuery, requestEnrollment, sectionsQuery } from './queries.ts';
import { Prerequisite } from './Prerequisite.tsx';
import { onlyChoice } from './sectionWords.ts';
import { bySectionSchema, datesOf, ownDatesSchema, usualDates, usualEnd } from './schema.ts';
import { SemesterPicker } from './SemesterPicker.tsx';
import { creditsText } from './words.ts';

type EnrollDialogProps = {
  course: Course;
  /** The section to begin with, from a link. */
  sectionId?: number | undefined;
  catalogue: readonly Course[];
  check: PrerequisiteCheck | undefined;
  earlier: Enrollment | undefined;
  onClose: () => void;
  onEnrolled: () => void;
};

export function EnrollDialog({ course, sectionId, catalogue, check, earlier, onClose, onEnrolled }: EnrollDialogProps) {
  const client = useQueryClient();
  const { data: dates } = useQuery(enrollmentDatesQuery);
  const requesting = useMutation(requestEnrollment);
  const accepted = useAcceptedTexts(['terms', 'refunds']);
  const { semesters } = useSchool();
  const day = useSchoolDay();
  const isBySection = course.hasSections === true;
  const offered = useQuery({ ...sectionsQuery(course.code), enabled: isBySection });
  const picker = usePartLater(() => import('./SectionPicker.tsx'), isBySection);
  const endIsChosen = useRef(false);
  const choice = useRef<HTMLParagraphElement>(null);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: isBySection ? bySectionSchema : ownDatesSchema,
    // Section 5's defaults, if no semesters are published.
    values: { sectionId: sectionId ? String(sectionId) : '', ...(semesters[0] ? datesOf(semesters[0]) : usualDates(today())) },
    fields: ['sectionId', 'startDate', 'endDate'],
    idPrefix: 'enroll',
    send: async ({ sectionId: chosen, ...dates }) => {
      const wanted = isBySection ? { sectionId: Number(chosen) } : dates;
      const { isLateEntry } = await requesting.mutateAsync({ courseId: course.id, ...wanted, acceptedTextVersions: accepted.versions });
      await client.invalidateQueries({ queryKey: ownEnrollmentsQuery.queryKey });
      showToast('Enrollment Submitted', `Your enrollment has been submitted for approval.${isLateEntry ? ' The class has begun; the school helps you catch up.' : ''}`);
      onEnrolled();
    },
    onFailure: (error) => showFailure('Enrollment Failed', accepted.refusal(error) ?? words(error)),
  });
  const { leave, question } = useUnsavedChanges(isDirty);

  const hasCompleted = earlier?.status === 'completed';
  const only = onlyChoice(offered.data, hasCompleted)?.id;
  useEffect(() => {
    if (only && !form.getValues('sectionId')) form.setValue('sectionId', String(only));
  }, [only, form]);
  const section = offered.data?.find(({ id }) => String(id) === form.watch('sectionId'));
  const price = section ? section.price : course.price;
  const [startDate, endDate] = form.watch(['startDate', 'endDate']);
  const ownDays = !isBySection && startDate && endDate ? { courseId: course.id, startDate, endDate } : null;
  const wanted = section ? { courseId: course.id, sectionId: section.id } : ownDays;

  /** A cleared end date follows the start date again. */
  function rememberEnd(event: { target: HTMLInputElement }) {
    endIsChosen.current = event.target.value !== '';
  }

  function followStart() {
    const end = usualEnd(form.getValues('startDate'));
    if (end && !endIsChosen.current) form.setValue('endDate', end, { shouldValidate: form.formState.isSubmitted });
  }

  return (
    <Dialog title={`Enroll in ${titleText(course)}`} onClose={() => leave(onClose)}>
      <p className="cluster enroll-level" ref={choice} tabIndex={-1}><LevelLetter letter={course.level} /> <span>{levelText(course)}</span></p>
      <dl className="grid tinted enroll-facts">
        <div><dt>Code</dt><dd>{course.code}</dd></div>
        <div><dt>Credits</dt><dd>{creditsText(course.credits)}</dd></div>
        <div><dt>Price</dt><dd>{moneyText(price, 'Ask the office')}</dd></div>
      </dl>
      {earlier && hasCompleted && <p>{repeatWords(earlier)}</p>}
      {(course.prerequisite || check) && (
        <p>
          Prerequisite: <Prerequisite course={course} catalogue={catalogue} check={check} />. The office checks it.
        </p>
      )}
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && words(failure)}
        isToasted
        submitLabel="Submit Enrollment"
        pendingLabel="Submitting..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        {isBySection && !(picker && offered.data) && (offered.isError
          ? <LoadFailed words="Failed to load the classes. Please try again later." query={offered} heading={choice} />
          : <Spinner label="Loading the classes..." />)}
        {isBySection && picker && offered.data && (
          <picker.SectionPicker
            sections={offered.data}
            chosen={section?.id ?? null}
            day={day}
            hasCompleted={hasCompleted}
            field={field('sectionId')}
            onChoose={({ id }) => form.setValue('sectionId', String(id), { shouldDirty: true, shouldValidate: form.formState.isSubmitted })}
          />
        )}
        {!isBySection && (
          <>
            <SemesterPicker
              semesters={semesters}
              chosen={form.watch()}
              onChoose={(chosen) => {
                endIsChosen.current = false;
                for (const name of ['startDate', 'endDate'] as const) {
                  form.setValue(name, chosen[name], { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
                }
              }}
            />
            <div className="grid field-pair">
              <Field {...field('startDate')} label="Start date" hint="When you would like to begin">
                {(control) => <input {...control} {...register('startDate', { onChange: followStart })} type="date" min={dates?.earliestStart} max={dates?.latestStart} />}
              </Field>
              <Field {...field('endDate')} label="End date" hint="Typical course length is 4 months">
                {(control) => (
                  <input
                    {...control}
                    {...register('endDate', { onChange: rememberEnd })}
                    type="date"
                    min={dates?.earliestStart}
                    max={dates && addMonths(dates.latestStart, dates.maxMonths)}
                  />
                )}
              </Field>
            </div>
          </>
        )}
        {dates && <EnrollTerms course={{ ...course, price }} dates={dates} wanted={wanted} />}
        <AcceptedTexts doing="submitting" texts={accepted.texts} />
      </Form>
      {question}
    </Dialog>
  );
}

/** The failure message; a deleted course is reported on a field that this form does not show. */
function words(error: Error): string {
  const aboutCourse = error instanceof ApiError ? (error.fields.courseId ?? error.fields.acceptedTextVersions) : undefined;
  return aboutCourse ?? failureWords(error, 'Your enrollment could not be submitted. Please try again.');
}
