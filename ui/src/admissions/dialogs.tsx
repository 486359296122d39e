// The dialogs of decisions about one or several admission requests.
import * as z from 'zod/mini';
import type { DeclineCode, DocumentType } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { documentTypes } from '../documents/types.ts';
import { decisionFailure } from './decisions.ts';

export type DecisionProps = {
  /** The applicant's name, or "3 requests". */
  about: string;
  send: (body: object) => Promise<unknown>;
  onClose: () => void;
};

const askSchema = z.object({
  text: z.string().check(z.trim(), z.minLength(1, 'Write what the family should tell you')),
  wants: z.array(z.string()),
});

export function AskDialog({ about, send, onClose }: DecisionProps) {
  return (
    <FormDialog
      title={`Ask ${about} for information`}
      intro={<p>The family gets an email with your words and a link to answer and to upload.</p>}
      schema={askSchema}
      values={{ text: '', wants: [] }}
      fields={['text', 'wants']}
      idPrefix="ask"
      submitLabel="Ask"
      failed={decisionFailure}
      send={send}
      onClose={onClose}
    >
      {({ field, register }) => (
        <>
          <Field {...field('text')} label="What should the family tell you or send?">
            {(control) => <textarea {...control} {...register('text')} rows={4} maxLength={4000} dir="auto" />}
          </Field>
          <fieldset>
            <legend>Documents to upload</legend>
            <div className="grid">
              {wordsOf(documentTypes).map((type: DocumentType) => (
                <label className="tick" key={type}><input type="checkbox" value={type} {...register('wants')} /><span>{` ${documentTypes[type]}`}</span></label>
              ))}
            </div>
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}

const codes = {
  class_full: 'No place free',
  prerequisite_missing: 'Requirements not met',
  documents_missing: 'Documents missing',
  dates: 'Dates',
  other: 'Other',
} satisfies Record<DeclineCode, string>;

const declineSchema = z.object({
  code: z.string(),
  reason: z.string().check(z.trim(), z.minLength(1, 'Give the reason: the family reads it')),
});

export function DeclineDialog({ about, send, onClose }: DecisionProps) {
  return (
    <FormDialog
      title={`Decline ${about}?`}
      intro={<p>The family gets an email with the reason. You can reopen the request later.</p>}
      schema={declineSchema}
      values={{ code: 'other', reason: '' }}
      fields={['code', 'reason']}
      idPrefix="decline"
      submitLabel="Decline"
      failed={decisionFailure}
      send={send}
      onClose={onClose}
    >
      {({ field, register }) => (
        <>
          <Field {...field('reason')} label="Message to the family">
            {(control) => <textarea {...control} {...register('reason')} rows={4} maxLength={1000} dir="auto" />}
          </Field>
          <Field {...field('code')} label="Category" hint="For the school’s own figures.">
            {(control) => <select {...control} {...register('code')}>{wordsOf(codes).map((code) => <option key={code} value={code}>{codes[code]}</option>)}</select>}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

const nothingSchema = z.object({});

export function WaitlistDialog({ about, send, onClose }: DecisionProps) {
  return (
    <FormDialog title={`Put ${about} on the waiting list?`} intro={<p>Each family gets an email. You can offer a place at any time.</p>} schema={nothingSchema} values={{}} fields={[]} idPrefix="waitlist" submitLabel="Put on Waiting List" failed={decisionFailure} send={send} onClose={onClose}>
      {() => null}
    </FormDialog>
  );
}

const reasons = {
  'start-review': { title: 'Withdraw the offer?', text: 'The family can no longer accept it. The request goes back into review.', label: 'Withdraw the Offer' },
  withdraw: { title: 'Withdraw the request?', text: 'On the family’s word, for example on the phone. You can reopen it later.', label: 'Withdraw' },
  cancel: { title: 'Cancel the admission?', text: 'The place becomes free, and the charge of the fee is reversed. This cannot be undone.', label: 'Cancel Admission' },
} as const;

export function TakeBackDialog({ verb, send, onClose }: Omit<DecisionProps, 'about'> & { verb: keyof typeof reasons }) {
  const { title, text, label } = reasons[verb];
  return (
    <ReasonDialog
      title={title}
      intro={<p>{text}</p>}
      idPrefix="reason"
      rows={3}
      maxLength={1000}
      min={1}
      wanted="Give the reason"
      submitLabel={label}
      failed={decisionFailure}
      send={(reason) => send({ reason })}
      onClose={onClose}
    />
  );
}
