// The offer of a place: its terms, the agreement, and the family's answer.
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { dateText, momentText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { useSchool } from '../school/queries.ts';
import { email } from '../components/email.ts';
import { FeeParts } from './FeeParts.tsx';
import { acceptOffer } from './ownQueries.ts';
import type { FeePart, Offer, OwnApplication } from './wire.ts';

type OfferProps = { token: string; application: OwnApplication; onChanged: (now: OwnApplication) => void; onReload: () => void };

export function ApplicationOffer(props: OfferProps) {
  const { offer, status } = props.application;
  const { timeZone } = useSchool();
  if (!offer) return null;
  return (
    <section className="card brass-edge" aria-labelledby="offer-title">
      <h2 id="offer-title">{status === 'accepted' ? 'The Offer You Accepted' : 'Our Offer'}</h2>
      <OfferTerms offer={offer} parts={props.application.feeParts} />
      {status === 'offered' && <Answer {...props} offer={offer} />}
      {offer.acceptedAt && <p className="fine-print"><span>Accepted by </span><bdi>{offer.acceptedName}</bdi><span>{` on ${momentText(offer.acceptedAt, timeZone)}.`}</span></p>}
    </section>
  );
}

function OfferTerms({ offer: { feeDue, expiresOn, conditions, agreement, acceptedAt }, parts }: { offer: Offer; parts: readonly FeePart[] }) {
  return (
    <>
      <dl className="grid offer-terms">
        <div><dt>Fee</dt><dd>{moneyText(feeDue, '–')}</dd></div>
        <FeeParts parts={parts} />
        {acceptedAt === null && <div><dt>Answer by</dt><dd><span>{dateText(expiresOn, '–')}</span><small>until midnight at the school</small></dd></div>}
      </dl>
      {conditions && <><h3>Conditions</h3><p className="written" dir="auto">{conditions}</p></>}
      <h3 id="agreement">Agreement</h3>
      {/* Focusable, so that keys scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="tinted written agreement" role="region" aria-labelledby="agreement" tabIndex={0}>{agreement}</div>
    </>
  );
}

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Type your full name')),
  studentEmail: z.string().check(z.trim(), z.refine((address) => address === '' || email().safeParse(address).success, 'Please enter a valid email address')),
  agreed: z.boolean().check(z.refine((is) => is, 'Tick this box to accept')),
});
const fields = ['studentEmail', 'name', 'agreed'] as const;

function Answer({ token, application, offer, onChanged, onReload }: OfferProps & { offer: Offer }) {
  const declining = useDialogPart(() => import('./EndDialog.tsx'));
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { name: '', studentEmail: '', agreed: false },
    fields,
    idPrefix: 'accept',
    send: async ({ name, studentEmail, agreed }) => onChanged(await acceptOffer(token, { name, agreed, offerId: offer.id, ...(studentEmail && { studentEmail }) })),
    // A new offer, or its end: the page shows what holds now.
    onFailure: onReload,
  });
  const agreed = field('agreed');
  return (
    <>
      <h3>Your Answer</h3>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'Your answer was not saved. Please try again in a moment.')}
        submitLabel="Accept the Offer"
        pendingLabel="Accepting..."
        onSubmit={submit}
      >
        <Field {...field('studentEmail')} label={application.needsStudentEmail ? 'The student’s own email' : 'The student’s own email (optional)'} hint={application.needsStudentEmail ? 'For the student account: another student here uses the address of the application.' : `For the student account. Without it we use ${application.email}.`}>
          {(control) => <input {...control} {...register('studentEmail')} type="email" autoComplete="off" spellCheck={false} />}
        </Field>
        <Field {...field('name')} label="Your full name" hint="Typing it signs the agreement.">
          {(control) => <input {...control} {...register('name')} type="text" autoComplete="name" dir="auto" />}
        </Field>
        <div className="field">
          <label className="tick">
            <input {...register('agreed')} id={agreed.id} type="checkbox" aria-invalid={agreed.error ? true : undefined} aria-describedby={agreed.error && `${agreed.id}-error`} />
            <span>{` I accept the offer and the agreement above, with a fee of ${moneyText(offer.feeDue, '–')}.`}</span>
          </label>
          {agreed.error && <p className="field-error" id={`${agreed.id}-error`}>{agreed.error}</p>}
        </div>
      </Form>
      <p className="offer-decline"><button type="button" className="button button-quiet" onClick={declining.open}>Decline the Offer…</button></p>
      {declining.part && <declining.part.EndDialog token={token} verb="decline" onChanged={onChanged} onClose={declining.close} />}
    </>
  );
}
