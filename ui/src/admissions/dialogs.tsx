// The dialogs of decisions about one or several admission requests.
import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import type { DeclineCode, DocumentType } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import type { Elements } from '../components/elements.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { documentTypes } from '../documents/types.ts';
import { decisionFailure } from './decisions.ts';

export type DecisionProps = {
  /** The applicant's name, or "3 requests". */
  about: string;
  send: (body: object) => Promise<unknown>;
  onClose: () => void;
};

type FormDialogProps<Values extends FieldValues> = {
  title: string;
  intro: Elements;
  schema: z.ZodMiniType<Values, Values>;
  values: DefaultValues<NoInfer<Values>>;
  fields: readonly FieldPath<NoInfer<Values>>[];
  idPrefix: string;
  isWide?: boolean;
  submitLabel: string;
  send: (values: Values) => Promise<unknown>;
  onClose: () => void;
  children: (form: ReturnType<typeof useServerForm<Values>>) => Elements;
};

export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { title, intro, schema, values, fields, idPrefix, isWide = false, submitLabel, send, onClose } = props;
  const form = useServerForm<Values>({ schema, values, fields, idPrefix, send });
  const { leave, question } = useUnsavedChanges(form.isDirty && !form.isPending);
  const close = () => !form.isPending && leave(onClose);
  return (
    <Dialog title={title} isWide={isWide} onClose={close}>
      {intro}
      <Form
        isPending={form.isPending}
        summary={form.summary}
        error={form.failure && decisionFailure(form.failure)}
        submitLabel={submitLabel}
        pendingLabel="Saving..."
        onSubmit={form.submit}
        onCancel={close}
      >
        {props.children(form)}
      </Form>
      {question}
    </Dialog>
  );
}

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
    <FormDialog title={`Put ${about} on the waiting list?`} intro={<p>Each family gets an email. You can offer a place at any time.</p>} schema={nothingSchema} values={{}} fields={[]} idPrefix="waitlist" submitLabel="Put on Waiting List" send={send} onClose={onClose}>
      {() => null}
    </FormDialog>
  );
}

const reasonSchema = z.object({ reason: z.string().check(z.trim(), z.minLength(1, 'Give the reason')) });

const reasons = {
  'start-review': { title: 'Withdraw the offer?', text: 'The family can no longer accept it. The request goes back into review.', label: 'Withdraw the Offer' },
  withdraw: { title: 'Withdraw the request?', text: 'On the family’s word, for example on the phone. You can reopen it later.', label: 'Withdraw' },
  cancel: { title: 'Cancel the admission?', text: 'The place becomes free, and the charge of the fee is reversed. This cannot be undone.', label: 'Cancel Admission' },
} as const;

export function ReasonDialog({ verb, send, onClose }: Omit<DecisionProps, 'about'> & { verb: keyof typeof reasons }) {
  const { title, text, label } = reasons[verb];
  return (
    <FormDialog title={title} intro={<p>{text}</p>} schema={reasonSchema} values={{ reason: '' }} fields={['reason']} idPrefix="reason" submitLabel={label} send={send} onClose={onClose}>
      {({ field, register }) => (
        <Field {...field('reason')} label="Reason">
          {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={1000} dir="auto" />}
        </Field>
      )}
    </FormDialog>
  );
}
