// The dialog that moves a student to another section or course, with the difference in price.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ApiError } from '../../api.ts';
import type { OfficeSection } from '../../api-types.ts';
import { Field } from '../../components/Field.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { managedCoursesQuery } from '../../courses/queries.ts';
import { dateText } from '../../dates.ts';
import { sectionText, whenText } from '../../meetings.ts';
import { moneyText } from '../../money.ts';
import { officeSectionsQuery, transferEnrollment } from '../queries.ts';
import { DecisionDialog, type DecisionProps, StudentAndCourse } from './DecisionDialog.tsx';
import { differenceWords, transferBody, transferSchema } from './transfer.ts';

export function TransferDialog(props: DecisionProps) {
  const { enrollment } = props;
  const courses = useQuery(managedCoursesQuery).data ?? [];
  const own = courses.find(({ code }) => code === enrollment.courseCode);
  const charged = enrollment.chargedPrice ?? 0;
  return (
    <DecisionDialog
      {...props}
      idPrefix="transfer"
      title="Transfer this student"
      intro={<StudentAndCourse enrollment={enrollment} />}
      schema={transferSchema}
      values={{ courseId: '', sectionId: '', startDate: enrollment.startDate, endDate: enrollment.endDate, price: '', reason: '', guardian: '' }}
      fields={['courseId', 'sectionId', 'startDate', 'endDate', 'price', 'reason', 'guardian']}
      send={(values, expected) => transferEnrollment(enrollment.id, { ...transferBody(values), expected })}
      submitLabel="Transfer"
      done="Student transferred"
    >
      {({ field, register, form, failure }) => {
        const courseId = Number(form.watch('courseId')) || own?.id;
        const course = courses.find(({ id }) => id === courseId);
        const section = form.watch('sectionId');
        const isOther = course !== undefined && course.id !== own?.id;
        return (
          <>
            <Field {...field('courseId')} label="Course">
              {(control) => (
                <select {...control} {...register('courseId', { onChange: () => form.setValue('sectionId', '') })}>
                  <option value="">{`${enrollment.courseCode} · the same course`}</option>
                  {courses.filter(({ id }) => id !== own?.id).map(({ id, code, name }) => <option key={id} value={id}>{`${code} · ${name}`}</option>)}
                </select>
              )}
            </Field>
            {courseId !== undefined && (
              <Sections courseId={courseId} without={enrollment.section?.id}>
                {(sections) => {
                  const chosen = sections.find(({ id }) => String(id) === section);
                  const price = chosen?.price ?? course?.price ?? null;
                  return (
                    <>
                      {sections.length > 0 && (
                        <Field {...field('sectionId')} label="Section" hint={chosen && `${dateText(chosen.startsOn, '')} – ${dateText(chosen.endsOn, '')}, ${chosen.capacity === null ? 'no limit of seats' : `${chosen.taken} of ${chosen.capacity} seats taken`}`}>
                          {(control) => (
                            <select {...control} {...register('sectionId')}>
                              <option value="">{isOther ? 'None: own dates' : 'Choose a section'}</option>
                              {sections.map((one) => <option key={one.id} value={one.id}>{optionText(one)}</option>)}
                            </select>
                          )}
                        </Field>
                      )}
                      {sections.length === 0 && !isOther && <p>This course has no other open section. Choose another course.</p>}
                      {isOther && !chosen && (
                        <div className="grid field-pair">
                          <Field {...field('startDate')} label="Start date">{(control) => <input type="date" {...control} {...register('startDate')} />}</Field>
                          <Field {...field('endDate')} label="End date">{(control) => <input type="date" {...control} {...register('endDate')} />}</Field>
                        </div>
                      )}
                      {price !== null && price !== charged && (
                        <Field {...field('price')} label="Price" hint={form.watch('price') === 'new' || (isOther && form.watch('price') === '') ? differenceWords(charged, price) : 'Nothing is charged.'}>
                          {(control) => (
                            <select {...control} {...register('price')}>
                              {!isOther && <option value="">{`Keep ${moneyText(charged, '$0.00')}`}</option>}
                              <option value={isOther ? '' : 'new'}>{`The new price, ${moneyText(price, '')}`}</option>
                              {isOther && <option value="keep">{`Keep ${moneyText(charged, '$0.00')}`}</option>}
                            </select>
                          )}
                        </Field>
                      )}
                    </>
                  );
                }}
              </Sections>
            )}
            <Field {...field('reason')} label="Reason" hint="The student sees it in the email and in the student portal.">
              {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={1000} />}
            </Field>
            {(lacksGuardian(failure) || form.getValues('guardian')) && (
              <Field {...field('guardian')} label="Reason for not waiting for the guardian" hint="Kept with the decision; the student does not see it. The guardian is asked again all the same.">
                {(control) => <input {...control} {...register('guardian')} maxLength={500} />}
              </Field>
            )}
          </>
        );
      }}
    </DecisionDialog>
  );
}

/** Whether the guardian has agreed to the class before, and not to this one. */
const lacksGuardian = (failure: Error | null) => failure instanceof ApiError && failure.reason === 'guardian_missing';

type SectionsProps = { courseId: number; without: number | undefined; children: (sections: OfficeSection[]) => ReactElement };

/** The open sections of a course, except the student's own. */
function Sections({ courseId, without, children }: SectionsProps) {
  const { data, isError } = useQuery(officeSectionsQuery(courseId));
  if (isError) return <p role="alert">The sections could not be loaded. Please try again later.</p>;
  if (!data) return <Spinner label="Loading the sections..." />;
  return children(data.filter(({ id, status }) => id !== without && (status === 'open' || status === 'closed')));
}

const optionText = (one: OfficeSection) => `${sectionText(one)} · ${whenText(one)}`;
