// How families pay, by when, and when they are reminded; empty fields are as the configuration says.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import * as z from 'zod/mini';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords, putJson } from '../api.ts';
import type { MoneySettingsPage } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { Notice } from '../components/Notice.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { priceProblem, readPrice } from '../courses/price.ts';
import { at } from '../pages.ts';
import { moneyKey, moneySettingsQuery } from './moneyQueries.ts';

export function MoneySettings() {
  const settings = useQuery(moneySettingsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="card stack money-settings" aria-labelledby="money-settings">
      <header>
        <h2 id="money-settings" ref={heading} tabIndex={-1}>Payment Settings</h2>
        <p className="muted">Families see the first two. Changes apply once they are saved.</p>
      </header>
      {settings.isPending && <Spinner label="Loading the settings..." />}
      {settings.isError && <LoadFailed words="Failed to load the settings. Please try again later." query={settings} heading={heading} />}
      {settings.data && <SettingsForm page={settings.data} />}
      {settings.data && <HowToPay page={settings.data} />}
    </section>
  );
}

const wholeDays = z.string().check(z.refine((text) => /^\s*\d{0,3}\s*$/.test(text), 'Must be a whole number from 0 to 366'));
const amount = z.string().check(z.trim(), z.refine((text) => priceProblem(text) === null, 'Enter an amount, such as 500.00'));

const schema = z.object({
  eTransfer: z.string(), dueDays: wholeDays, reminders: z.enum(['', 'on', 'off']), reminderDays: z.string(),
  offerFee: amount, offerDeposit: amount, offerAnswerDays: wholeDays, offerDepositDays: wholeDays, offerFeeDays: wholeDays,
});

function SettingsForm({ page: { settings, defaults } }: { page: MoneySettingsPage }) {
  const client = useQueryClient();
  const saving = useMutation({ mutationFn: (values: z.infer<typeof schema>) => putJson('/api/admin/settings/money', input(values)) });
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: {
      eTransfer: settings.eTransfer ?? '',
      dueDays: settings.dueDays?.toString() ?? '',
      reminders: (settings.reminders === null ? '' : settings.reminders ? 'on' : 'off') as '' | 'on' | 'off',
      reminderDays: settings.reminderDays?.join(', ') ?? '',
      offerFee: settings.offerFee?.toFixed(2) ?? '',
      offerDeposit: settings.offerDeposit?.toFixed(2) ?? '',
      offerAnswerDays: settings.offerAnswerDays?.toString() ?? '',
      offerDepositDays: settings.offerDepositDays?.toString() ?? '',
      offerFeeDays: settings.offerFeeDays?.toString() ?? '',
    },
    fields: ['eTransfer', 'dueDays', 'reminders', 'reminderDays', 'offerFee', 'offerDeposit', 'offerAnswerDays', 'offerDepositDays', 'offerFeeDays'],
    idPrefix: 'money',
    send: async (values) => {
      await saving.mutateAsync(values);
      showToast('Payment settings saved');
      await client.invalidateQueries({ queryKey: moneyKey });
    },
  });
  return (
    <Form
      isPending={isPending}
      summary={summary}
      error={failure && failureWords(failure, 'The settings could not be saved. Please try again.')}
      submitLabel="Save"
      pendingLabel="Saving..."
      onSubmit={submit}
    >
      <div className="grid field-pair">
        <Field {...field('eTransfer')} label="Address for e-Transfers" hint={`Default: ${defaults.eTransfer || 'none'}.`}>
          {(control) => <input {...control} {...register('eTransfer')} type="email" autoComplete="off" />}
        </Field>
        <Field {...field('dueDays')} label="Days until a fee is due" hint={`After the approval. Default: ${defaults.dueDays}.`}>
          {(control) => <input {...control} {...register('dueDays')} type="text" inputMode="numeric" autoComplete="off" />}
        </Field>
        <Field {...field('reminders')} label="Reminders by the schedule" hint="Sent on school days at 09:00.">
          {(control) => (
            <select {...control} {...register('reminders')}>
              <option value="">{`As configured: ${defaults.reminders ? 'on' : 'off'}`}</option>
              <option value="on">On</option>
              <option value="off">Off</option>
            </select>
          )}
        </Field>
        <Field {...field('reminderDays')} label="Days after the due date" hint={`Use a minus for days before. Default: ${defaults.reminderDays?.join(', ') ?? ''}.`}>
          {(control) => <input {...control} {...register('reminderDays')} type="text" autoComplete="off" />}
        </Field>
      </div>
      <h3>Offers of a Place</h3>
      <p className="muted">Filled in when the office offers a place; each offer can say otherwise. Days count from the offer.</p>
      <div className="grid field-pair">
        <Field {...field('offerFee')} label="Usual fee in dollars" hint="Empty: typed in each offer.">
          {(control) => <input {...control} {...register('offerFee')} type="text" inputMode="decimal" autoComplete="off" />}
        </Field>
        <Field {...field('offerFeeDays')} label="Days until it is due" hint={`Default: ${defaults.offerFeeDays ?? ''}.`}>
          {(control) => <input {...control} {...register('offerFeeDays')} type="text" inputMode="numeric" autoComplete="off" />}
        </Field>
        <Field {...field('offerDeposit')} label="Usual deposit in dollars" hint="Part of the fee; empty: none.">
          {(control) => <input {...control} {...register('offerDeposit')} type="text" inputMode="decimal" autoComplete="off" />}
        </Field>
        <Field {...field('offerDepositDays')} label="Days until the deposit is due" hint={`Default: ${defaults.offerDepositDays ?? ''}.`}>
          {(control) => <input {...control} {...register('offerDepositDays')} type="text" inputMode="numeric" autoComplete="off" />}
        </Field>
        <Field {...field('offerAnswerDays')} label="Days to answer an offer" hint={`Default: ${defaults.offerAnswerDays ?? ''}.`}>
          {(control) => <input {...control} {...register('offerAnswerDays')} type="text" inputMode="numeric" autoComplete="off" />}
        </Field>
      </div>
    </Form>
  );
}

/** The text that stands beside the address wherever families read it. */
function HowToPay({ page: { settings, defaults, howToPay, otherAddress } }: { page: MoneySettingsPage }) {
  const mayEdit = useUser().duties.includes('settings');
  return (
    <div>
      <h3>How to Pay</h3>
      {otherAddress && <Notice kind="error" isQuiet><p>{`This text names ${otherAddress}, so families do not see ${settings.eTransfer ?? defaults.eTransfer ?? ''}. Change one of them.`}</p></Notice>}
      <p className="prose" dir="auto">{howToPay}</p>
      <p className="muted">{mayEdit ? <Link to={`${at('/admin/settings')}#texts`}>Change it in Site Settings</Link> : 'An administrator changes it in Site Settings.'}</p>
    </div>
  );
}

const whole = (text: string) => (text.trim() ? Number(text) : null);

function input({ eTransfer, dueDays, reminders, reminderDays, offerFee, offerDeposit, offerAnswerDays, offerDepositDays, offerFeeDays }: z.infer<typeof schema>) {
  const days = reminderDays.split(/[\s,;]+/).filter(Boolean).map(Number);
  return {
    eTransfer: eTransfer.trim() || null,
    dueDays: whole(dueDays),
    reminders: reminders === '' ? null : reminders === 'on',
    reminderDays: days.length > 0 ? days : null,
    offerFee: readPrice(offerFee),
    offerDeposit: readPrice(offerDeposit),
    offerAnswerDays: whole(offerAnswerDays),
    offerDepositDays: whole(offerDepositDays),
    offerFeeDays: whole(offerFeeDays),
  };
}
