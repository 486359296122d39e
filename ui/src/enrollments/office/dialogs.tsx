// The dialogs of decisions about an enrollment.
import { useQuery } from '@tanstack/react-query';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useUser } from '../../accounts/signedIn.ts';
import { ApiError, postJson } from '../../api.ts';
import type { OfficeEnrollment } from '../../api-types.ts';
import { Field } from '../../components/Field.tsx';
import { dateText, schoolDay, today } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { useSchool } from '../../school/queries.ts';
import { LeavingSteps } from '../LeavingSteps.tsx';
import { leavingQuery } from '../leaving.ts';
import { DecisionDialog, type DecisionProps, StudentAndCourse } from './DecisionDialog.tsx';
import { datesSchema, earnsCredit, markSchema, reasonSchema, withdrawalSchema } from './decisionForms.ts';
import { Proposal } from './Proposal.tsx';

type ReasonFieldProps = { field: { id: string; error: string | undefined }; register: UseFormRegisterReturn; label?: string };

function ReasonField({ field, register, label = 'Reason' }: ReasonFieldProps) {
  return (
    <Field {...field} label={label} hint="The student sees it in the email and in the student portal.">
      {(control) => <textarea {...control} {...register} rows={3} maxLength={1000} />}
    </Field>
  );
}

export function WithdrawStudentDialog(props: DecisionProps) {
  const { enrollment } = props;
  const hasBegun = enrollment.startDate < today();
  const charged = enrollment.chargedPrice ?? 0;
  const { timeZone } = useSchool();
  const mayPropose = useUser().duties.includes('money');
  const hasPolicy = typeof useQuery(leavingQuery('admin', enrollment.id)).data?.policy === 'string';
  const noticeOn = enrollment.leaveAskedAt ? schoolDay(timeZone, new Date(enrollment.leaveAskedAt)) : null;
  return (
    <DecisionDialog
      {...props}
      idPrefix="withdraw"
      title="Withdraw this student?"
      intro={<><span>This ends the enrollment of </span><StudentAndCourse enrollment={enrollment} /><span>{`, which ${hasBegun ? 'began' : 'begins'} on ${dateText(enrollment.startDate, '')}.`}</span></>}
      schema={withdrawalSchema}
      values={{ effectiveOn: today(), reason: '', mark: '', refund: hasBegun ? 'none' : 'full' }}
      fields={['effectiveOn', 'reason', 'mark', 'refund']}
      send={({ mark, ...rest }, expected) =>
        postJson(`/api/admin/enrollments/${enrollment.id}/withdraw`, { ...rest, ...(mark && { mark: Number(mark) }), expected })}
      submitLabel="Withdraw"
      done="Student withdrawn"
    >
      {({ field, register, form }) => (
        <>
          <Field {...field('effectiveOn')} label="Effective date" hint="The first day on which the student is no longer enrolled.">
            {(control) => <input type="date" {...control} {...register('effectiveOn')} />}
          </Field>
          {enrollment.leaveReason && <p><small>The student wrote: <q dir="auto">{enrollment.leaveReason}</q></small></p>}
          <ReasonField field={field('reason')} register={register('reason')} />
          <Field {...field('mark')} label="Mark on that day (optional)">
            {(control) => <input inputMode="numeric" {...control} {...register('mark')} />}
          </Field>
          {charged > 0 && (
            <Field {...field('refund')} label={`The charge of ${moneyText(charged, '')}`}>
              {(control) => (
                <select {...control} {...register('refund')}>
                  <option value="none">Stays as it is</option>
                  <option value="full">Is reversed, as if never enrolled</option>
                  {hasPolicy && <option value="policy">Follows the refund policy</option>}
                </select>
              )}
            </Field>
          )}
          {charged > 0 && form.watch('refund') === 'policy' && (mayPropose ? <Proposal enrollmentId={enrollment.id} effectiveOn={form.watch('effectiveOn')} noticeOn={noticeOn} /> : <LeavingSteps id={enrollment.id} portal="admin" />)}
          {charged > 0 && form.watch('refund') !== 'none' && <p className="fine-print">The refund becomes a task for the bursar, with its due date.</p>}
        </>
      )}
    </DecisionDialog>
  );
}

export function DatesDialog(props: DecisionProps) {
  const { enrollment } = props;
  return (
    <DecisionDialog
      {...props}
      idPrefix="dates"
      title="Change the dates"
      intro={<StudentAndCourse enrollment={enrollment} />}
      schema={datesSchema}
      values={{ startDate: enrollment.startDate, endDate: enrollment.endDate, reason: '', override: '', fee: '' }}
      fields={['startDate', 'endDate', 'fee', 'reason', 'override']}
      send={({ override, fee, ...dates }, expected) =>
        postJson(`/api/admin/enrollments/${enrollment.id}/dates`, { ...dates, expected, ...(fee.trim() && isLonger(enrollment, dates.endDate) && { fee: fee.trim() }), ...(override && { override: { capacity: override } }) })}
      submitLabel="Change Dates"
      done="Dates changed"
    >
      {({ field, register, failure, form }) => (
        <>
          <div className="grid">
            <Field {...field('startDate')} label="Start date">
              {(control) => <input type="date" {...control} {...register('startDate')} />}
            </Field>
            <Field {...field('endDate')} label="End date">
              {(control) => <input type="date" {...control} {...register('endDate')} />}
            </Field>
          </div>
          {isLonger(enrollment, form.watch('endDate')) && (
            <Field {...field('fee')} label="Fee for the extension (optional)" hint="In Canadian dollars. Leave empty for none.">
              {(control) => <input inputMode="decimal" autoComplete="off" {...control} {...register('fee')} />}
            </Field>
          )}
          <ReasonField field={field('reason')} register={register('reason')} />
          {(isFull(failure) || form.getValues('override')) && (
            <Field {...field('override')} label="Reason for exceeding the seats" hint="Kept with the decision; the student does not see it.">
              {(control) => <input {...control} {...register('override')} maxLength={500} />}
            </Field>
          )}
        </>
      )}
    </DecisionDialog>
  );
}

/** Only a longer active enrollment can have a fee. */
const isLonger = ({ status, endDate }: OfficeEnrollment, until: string) => status === 'active' && until > endDate;

/** Whether the class is full on the new dates. */
const isFull = (failure: Error | null) => failure instanceof ApiError && failure.reason === 'capacity_full';

export function MarkDialog(props: DecisionProps) {
  const { enrollment } = props;
  const isCorrection = enrollment.status === 'completed';
  const isEarly = !isCorrection && today() < enrollment.endDate;
  return (
    <DecisionDialog
      {...props}
      idPrefix="complete"
      title={isCorrection ? 'Correct the final mark' : 'Enter the final mark'}
      intro={<StudentAndCourse enrollment={enrollment} />}
      schema={markSchema}
      values={{ finalMark: enrollment.finalMark?.toString() ?? '', reason: '', mailReason: false }}
      fields={['finalMark', 'reason', 'mailReason']}
      send={({ finalMark, reason, mailReason }, expected) =>
        postJson(`/api/admin/enrollments/${enrollment.id}/complete`, { finalMark: Number(finalMark), ...(reason && { reason }), ...(isEarly && { mailReason }), expected })}
      submitLabel={isCorrection ? 'Correct Mark' : 'Complete'}
      done={isCorrection ? 'Mark corrected' : 'Course completed'}
    >
      {({ field, register, form }) => {
        const mark = form.watch('finalMark');
        return (
          <>
            <Field {...field('finalMark')} label="Final mark, 0 to 100" hint={mark ? credit(mark) : '50 earns the credit.'}>
              {(control) => <input inputMode="numeric" {...control} {...register('finalMark')} />}
            </Field>
            {isCorrection && <ReasonField field={field('reason')} register={register('reason')} label="Reason for the correction" />}
            {isEarly && (
              <>
                <Field {...field('reason')} label={`Reason for entering it before the last day, ${dateText(enrollment.endDate, '')}`} hint="For the office.">
                  {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={1000} />}
                </Field>
                <label className="tick">
                  <input id={field('mailReason').id} type="checkbox" {...register('mailReason')} /> <span>The student reads the reason in the email</span>
                </label>
              </>
            )}
          </>
        );
      }}
    </DecisionDialog>
  );
}

function credit(mark: string): string {
  return earnsCredit(mark) ? 'Earns the credit.' : 'Earns no credit.';
}

const explanations = {
  reopen: {
    title: 'Reopen this enrollment?',
    submitLabel: 'Reopen',
    done: 'Enrollment reopened',
    text: 'A declined request waits for a decision again; a completed course is active again, without its mark.',
  },
  'reverse-approval': {
    title: 'Reverse this approval?',
    submitLabel: 'Reverse Approval',
    done: 'Approval reversed',
    text: 'It becomes a pending request again, its charge is reversed, and the student gets a correction by email.',
  },
  'refuse-leave': {
    title: 'Keep this student in the course?',
    submitLabel: 'Keep in Course',
    done: 'The student stays',
    text: 'The student asked to leave and will see your reason for declining.',
  },
} as const;

export type ExplainedDecision = keyof typeof explanations;

export function ExplanationDialog({ verb, ...props }: DecisionProps & { verb: ExplainedDecision }) {
  const { title, submitLabel, done, text } = explanations[verb];
  const { leaveReason } = props.enrollment;
  return (
    <DecisionDialog
      {...props}
      idPrefix={verb}
      title={title}
      intro={<><StudentAndCourse enrollment={props.enrollment} /><span>{`. ${text}`}</span></>}
      schema={reasonSchema}
      values={{ reason: '' }}
      fields={['reason']}
      send={({ reason }, expected) => postJson(`/api/admin/enrollments/${props.enrollment.id}/${verb}`, { reason, expected })}
      submitLabel={submitLabel}
      done={done}
    >
      {({ field, register }) => (
        <>
          {verb === 'refuse-leave' && leaveReason && <p><small>The student wrote: <q dir="auto">{leaveReason}</q></small></p>}
          <ReasonField field={field('reason')} register={register('reason')} />
        </>
      )}
    </DecisionDialog>
  );
}
