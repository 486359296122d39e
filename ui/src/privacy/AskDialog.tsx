// The dialog of a student's privacy request, which explains each kind before it is sent.
import * as z from 'zod/mini';
import type { PrivacyRequest, PrivacyRequestKind } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';

const wishes = {
  correction: 'Have something corrected',
  access: 'See what the office has written about me',
  deletion: 'Close my account and delete what the law allows',
  consent_withdrawal: 'Withdraw my consent',
} satisfies Record<PrivacyRequestKind, string>;

const stays = 'The law requires the school to keep your marks and credits (55 years), your charges, and the record of who did what. Your documents and contact details are deleted.';

const meanings = {
  correction: 'You can change most of your profile yourself. For the rest, say what is wrong and what is right.',
  access: 'Your download contains everything except the office’s notes, which may mention other people. The office reviews them and sends you what is about you.',
  deletion: `Once the office grants it, your account is closed and you can no longer log in. ${stays} Download your data first.`,
  consent_withdrawal: `Without your consent the school cannot continue to teach you here: once the office grants this, your account is closed. ${stays} Download your data first.`,
} satisfies Record<PrivacyRequestKind, string>;

const schema = z
  .object({ kind: z.string(), details: z.string().check(z.trim(), z.maxLength(2000, 'Must be at most 2000 characters')) })
  .check(
    z.refine(({ kind, details }) => kind !== 'correction' || details.length >= 10, {
      path: ['details'],
      message: 'Please say in at least 10 characters what is wrong',
    }),
  );

interface AskDialogProps {
  open: readonly PrivacyRequest[];
  send: (request: { kind: PrivacyRequestKind; details: string }) => Promise<unknown>;
  onClose: () => void;
}

export function AskDialog({ open, send, onClose }: AskDialogProps) {
  return (
    <FormDialog
      title="Ask the School"
      schema={schema}
      values={{ kind: 'correction', details: '' }}
      fields={['kind', 'details']}
      idPrefix="ask"
      submitLabel="Send Request"
      pendingLabel="Sending..."
      failed="Your request could not be sent. Please try again."
      send={async ({ kind, details }) => {
        await send({ kind: kind as PrivacyRequestKind, details });
        onClose();
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => {
        const kind = form.watch('kind') as PrivacyRequestKind;
        const waits = open.some((request) => request.kind === kind && request.status === 'open');
        return (
          <>
            <Field {...field('kind')} label="What would you like?">
              {(control) => <select {...control} {...register('kind')}>{optionsOf(wishes).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
            </Field>
            <p role="status">{waits ? 'You have already asked for this; the office has not answered yet.' : meanings[kind]}</p>
            <Field {...field('details')} label={kind === 'correction' ? 'What is wrong?' : 'Anything to add? (optional)'}>
              {(control) => <textarea {...control} {...register('details')} rows={4} dir="auto" />}
            </Field>
            <p className="fine-print">The office answers within 30 days. You get an email, and you can withdraw the request until it is decided.</p>
          </>
        );
      }}
    </FormDialog>
  );
}
