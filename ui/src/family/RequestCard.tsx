// A request that waits for the reader: what it is about, and confirming or refusing it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { Family, FamilyChild, FamilyEnrollment } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { SectionHours } from '../courses/SectionHours.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { AcceptedTexts, useAcceptedTexts } from '../school/AcceptedTexts.tsx';
import { confirmRequest, familyQuery, refuseRequest } from './queries.ts';

type RequestCardProps = {
  enrollment: FamilyEnrollment;
  child: FamilyChild;
  family: Family;
  /** The name typed for an earlier request. */
  name: string;
  onName: (name: string) => void;
};

export function RequestCard({ enrollment, child, family, name, onName }: RequestCardProps) {
  const client = useQueryClient();
  const [isRefusing, setIsRefusing] = useState(false);
  const { course, section, startDate, endDate, price, status } = enrollment;
  // The office moved an enrollment that was approved: only the office undoes that.
  const isMoved = status === 'active';
  const titleId = `request-${enrollment.id}`;
  const isFree = price === 0;

  async function finish(title: string, words: string) {
    await client.invalidateQueries({ queryKey: familyQuery().queryKey });
    // The card is gone.
    flushSync(() => document.getElementById(`child-${child.id}`)?.focus());
    showToast(title, words);
  }

  return (
    <article className="card brass-edge" aria-labelledby={titleId}>
      <p className="course-code">{`${course.code} · Grade ${course.grade}`}</p>
      <h3 id={titleId} dir="auto">{course.name}</h3>
      <p><span dir="auto">{child.fullName ?? 'The student'}</span><span>{isMoved ? ' was moved to this course by the office. Do you agree?' : ' asks for this course. Do you agree?'}</span></p>
      {section && <p className="family-class"><SectionHours section={section} startsOn={startDate} endsOn={endDate} /></p>}
      <dl className="grid">
        <div><dt>Start date</dt><dd>{dateText(startDate, '')}</dd></div>
        <div><dt>End date</dt><dd>{dateText(endDate, '')}</dd></div>
        <div><dt>Price</dt><dd>{moneyText(price, 'The office will tell you before anything is charged.')}</dd></div>
      </dl>
      <details>
        <summary>Payment, cancelling and refunds</summary>
        <dl>
          {!isFree && <><dt>Due</dt><dd>{`${family.dueDays} days after the office approves the request. Nothing is due before.`}</dd></>}
          {!isFree && <><dt>How to pay</dt><dd>{family.howToPay}</dd></>}
          <dt>How to cancel</dt><dd>{family.howToCancel}</dd>
          {!isFree && <><dt>Refunds</dt><dd>{family.refunds}</dd></>}
        </dl>
      </details>
      {isRefusing
        ? <RefuseForm enrollment={enrollment} onCancel={() => setIsRefusing(false)} onRefused={() => void finish('Request refused', 'It is withdrawn, and we have told the student why.')} />
        : <ConfirmForm key={name} enrollment={enrollment} name={name} onName={onName} onRefuse={isMoved ? undefined : () => setIsRefusing(true)} onConfirmed={() => void finish('Confirmed', isMoved ? 'Thank you.' : 'Thank you. The office decides next.')} />}
    </article>
  );
}

const confirmSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter your full name')),
  scope: z.enum(['course', 'school_year']),
});

type ConfirmFormProps = { enrollment: FamilyEnrollment; name: string; onName: (name: string) => void; onRefuse: (() => void) | undefined; onConfirmed: () => void };

function ConfirmForm({ enrollment: { id, schoolYearEndsOn }, name, onName, onRefuse, onConfirmed }: ConfirmFormProps) {
  const confirming = useMutation(confirmRequest);
  const accepted = useAcceptedTexts(['terms', 'refunds']);
  const { register, field, failure, isPending, summary, submit } = useServerForm<z.infer<typeof confirmSchema>>({
    schema: confirmSchema,
    values: { name, scope: 'course' },
    fields: ['name', 'scope'],
    idPrefix: `confirm-${id}`,
    send: async (values) => {
      await confirming.mutateAsync({ id, ...values, acceptedTextVersions: accepted.versions });
      onName(values.name);
      onConfirmed();
    },
  });
  return (
    <>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && (accepted.refusal(failure) ?? failureWords(failure, 'Your answer could not be saved. Please try again.'))}
        submitLabel="I Agree"
        pendingLabel="Saving..."
        onSubmit={submit}
      >
        <Field {...field('name')} label="Your full name" hint="It counts as your signature.">
          {(control) => <input {...control} {...register('name')} type="text" autoComplete="name" dir="auto" />}
        </Field>
        <fieldset>
          <legend>I agree to</legend>
          <label className="tick"><input type="radio" {...register('scope')} value="course" /><span> this course</span></label>
          <label className="tick">
            <input type="radio" {...register('scope')} value="school_year" /><span>{` every course until ${dateText(schoolYearEndsOn, 'the end of the school year')}`}</span>
          </label>
        </fieldset>
        <AcceptedTexts doing="agreeing" texts={accepted.texts} />
      </Form>
      {onRefuse
        ? <button type="button" className="button button-quiet button-wide" onClick={onRefuse}>I Do Not Agree</button>
        : <p className="fine-print">You do not agree? Please write to the office or call, and we will find another way.</p>}
    </>
  );
}

const refuseSchema = z.object({ reason: z.string().check(z.trim(), z.minLength(1, 'Please say why; the student and the office read it')) });

type RefuseFormProps = { enrollment: FamilyEnrollment; onCancel: () => void; onRefused: () => void };

function RefuseForm({ enrollment: { id }, onCancel, onRefused }: RefuseFormProps) {
  const refusing = useMutation(refuseRequest);
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema: refuseSchema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: `refuse-${id}`,
    send: async (values) => {
      await refusing.mutateAsync({ id, ...values });
      onRefused();
    },
  });
  return (
    <>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'Your answer could not be saved. Please try again.')}
        submitLabel="Refuse the Request"
        pendingLabel="Saving..."
        onSubmit={submit}
      >
        <Field {...field('reason')} label="Why do you not agree?" hint="The request is withdrawn. The student and the office read this.">
          {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={1000} dir="auto" />}
        </Field>
      </Form>
      <button type="button" className="button button-quiet button-wide" onClick={onCancel}>Back</button>
    </>
  );
}
