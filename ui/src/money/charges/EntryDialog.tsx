// Posts a charge, a waiver, a refund or a plan, or takes an entry back: one form, whose fields follow from what it is.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { failureWords } from '../../api.ts';
import type { ItemFees, LedgerEntry, PaymentMethod, Payout, RefundDue, RefundProposal } from '../../api-types.ts';
import { optionsOf, wordsOf } from '../../closedSets.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { newKey, postOnce } from '../../once.ts';
import { Proposal } from '../../enrollments/office/Proposal.tsx';
import { useSchool } from '../../school/queries.ts';
import { amountToSend } from '../payments/division.ts';
import { moneyKeys, putOnce } from '../moneyQueries.ts';
import { kinds, methods, todayIn } from '../words.ts';
import './entry.css';

/** What is to be done, and to what. */
export type MoneyEntry =
  | { what: 'charge' | 'waive' | 'refund' | 'plan'; item: ItemFees }
  | { what: 'payBack'; unapplied: number }
  | { what: 'settle'; due: RefundDue }
  | { what: 'reverse'; entry: LedgerEntry }
  | { what: 'reversePayout'; payout: Payout };

type EntryKind = MoneyEntry['what'];

const schema = z.object({
  amount: z.string(), reason: z.string(), description: z.string(), dueOn: z.string(), firstDueOn: z.string(), method: z.enum(wordsOf(methods) as [PaymentMethod, ...PaymentMethod[]]),
  reference: z.string(), paidOn: z.string(), count: z.string(), waive: z.string(),
});

type Values = z.infer<typeof schema>;

/** The fields of each, in their order, with the server's names: its messages stand at them. */
const fieldsOf: Record<EntryKind, readonly (keyof Values)[]> = {
  charge: ['amount', 'dueOn', 'description'],
  waive: ['amount', 'reason'],
  refund: ['waive', 'amount', 'method', 'reference', 'paidOn', 'reason'],
  settle: ['reason'],
  payBack: ['amount', 'method', 'reference', 'paidOn', 'reason'],
  plan: ['count', 'firstDueOn'],
  reverse: ['reason'],
  reversePayout: ['reason'],
};

const done: Record<EntryKind, string> = {
  charge: 'Charge posted', waive: 'Fee waived', refund: 'Refund recorded', payBack: 'Refund recorded', settle: 'Marked as not needed', plan: 'Instalments saved', reverse: 'Entry reversed',
  reversePayout: 'Refund reversed',
};

const submits: Record<EntryKind, string> = {
  charge: 'Post Charge', waive: 'Waive', refund: 'Record Refund', payBack: 'Record Refund', settle: 'Mark as Not Needed', plan: 'Save Instalments', reverse: 'Reverse Entry',
  reversePayout: 'Reverse Refund',
};

const templates = ['Bursary', 'Sibling discount', 'Goodwill'];

type EntryDialogProps = { student: { id: number; name: string }; wish: MoneyEntry; onClose: () => void };

export function EntryDialog({ student, wish, onClose }: EntryDialogProps) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const [key] = useState(newKey);
  const sending = useMutation({ mutationFn: (values: Values) => send(key, student.id, wish, values) });
  const { what } = wish;
  const fields = what === 'refund' && toWaive(wish.item) <= 0 ? fieldsOf.payBack : fieldsOf[what];
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { amount: most(wish), reason: '', description: '', dueOn: '', firstDueOn: '', method: 'e_transfer' as PaymentMethod, reference: '', paidOn: todayIn(timeZone), count: '3', waive: '' },
    fields,
    idPrefix: 'entry',
    send: async (values) => {
      await sending.mutateAsync(values);
      showToast(done[what], isEmailed(wish) ? 'The student gets an email.' : null);
      flushSync(onClose);
      // The row that opened it leaves the list of refunds, or has no more actions.
      document.getElementById(what.startsWith('reverse') ? 'money-ledger' : 'refunds-due')?.focus();
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  const close = () => !isPending && leave(onClose);
  const [leavingOn, setLeavingOn] = useState(todayIn(timeZone));

  function use({ policy, waive, refund }: RefundProposal) {
    const write = (name: keyof Values, value: string) => form.setValue(name, value, { shouldDirty: true });
    if (what === 'refund') write('waive', waive > 0 ? waive.toFixed(2) : '');
    write('amount', (what === 'refund' ? refund : waive).toFixed(2));
    if (!form.getValues('reason')) write('reason', `Refund policy “${policy.name}”`);
  }

  function removePlan() {
    form.setValue('count', '0');
    void submit();
  }

  const has = (name: keyof Values) => fields.includes(name);
  return (
    <Dialog title={titleOf(wish)} onClose={close}>
      <p><strong dir="auto">{student.name}</strong><span>{`: ${about(wish)}`}</span></p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'That could not be saved. Please try again: it is posted once.')}
        submitLabel={submits[what]}
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={close}
      >
        {'item' in wish && what !== 'charge' && what !== 'plan' && wish.item.enrollmentId !== null && wish.item.credit === 0 && (
          <details className="entry-policy" open={what === 'refund'}>
            <summary>What the refund policy says</summary>
            <Field id="entry-leaving" label="The first day without the course" error={undefined}>
              {(control) => <input {...control} type="date" value={leavingOn} onChange={({ target }) => setLeavingOn(target.value)} />}
            </Field>
            <Proposal enrollmentId={wish.item.enrollmentId} effectiveOn={leavingOn} onUse={use} />
          </details>
        )}
        <div className="grid field-pair">
          {has('waive') && (
            <Field {...field('waive')} label="Waive of the fee (optional)" hint={wish.what === 'refund' ? `At most ${moneyText(toWaive(wish.item), '')}.` : ''}>
              {(control) => <input {...control} {...register('waive')} type="text" inputMode="decimal" autoComplete="off" />}
            </Field>
          )}
          {has('amount') && (
            <Field {...field('amount')} label={what === 'refund' ? 'Pay back' : 'Amount'}>
              {(control) => <input {...control} {...register('amount')} type="text" inputMode="decimal" autoComplete="off" />}
            </Field>
          )}
          {has('count') && (
            <Field {...field('count')} label="Monthly parts" hint="1 to 24; the last takes the rest.">
              {(control) => <input {...control} {...register('count')} type="text" inputMode="numeric" autoComplete="off" />}
            </Field>
          )}
          {has('dueOn') && (
            <Field {...field('dueOn')} label="Due date (optional)">
              {(control) => <input {...control} {...register('dueOn')} type="date" />}
            </Field>
          )}
          {has('firstDueOn') && (
            <Field {...field('firstDueOn')} label="First instalment due">
              {(control) => <input {...control} {...register('firstDueOn')} type="date" />}
            </Field>
          )}
          {has('method') && (
            <Field {...field('method')} label="Method">
              {(control) => <select {...control} {...register('method')}>{optionsOf(methods).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
            </Field>
          )}
          {has('reference') && (
            <Field {...field('reference')} label="Reference (optional)">
              {(control) => <input {...control} {...register('reference')} type="text" maxLength={200} autoComplete="off" dir="auto" />}
            </Field>
          )}
          {has('paidOn') && (
            <Field {...field('paidOn')} label="Refunded on">
              {(control) => <input {...control} {...register('paidOn')} type="date" max={todayIn(timeZone)} />}
            </Field>
          )}
        </div>
        {wish.what === 'plan' && wish.item.instalments.length > 0 && (
          <p><button type="button" className="button button-outline" aria-disabled={isPending} onClick={() => !isPending && removePlan()}>Remove Plan</button></p>
        )}
        {what === 'waive' && (
          <p className="cluster entry-reasons">
            {templates.map((words) => (
              <button key={words} type="button" className="button button-quiet" onClick={() => form.setValue('reason', words, { shouldDirty: true })}>{words}</button>
            ))}
          </p>
        )}
        {has('description') && (
          <Field {...field('description')} label="For (optional)" hint="If empty, the course’s name.">
            {(control) => <textarea {...control} {...register('description')} rows={2} maxLength={200} dir="auto" />}
          </Field>
        )}
        {has('reason') && (
          <Field {...field('reason')} label="Reason" hint={isEmailed(wish) ? 'The student gets it by email.' : 'For the office: the student gets no email.'}>
            {(control) => <textarea {...control} {...register('reason')} rows={2} maxLength={500} dir="auto" />}
          </Field>
        )}
      </Form>
      {question}
    </Dialog>
  );
}

/** A part of a payment that goes back on account, a settled refund and a plan send none. */
const isEmailed = (wish: MoneyEntry) => wish.what !== 'plan' && wish.what !== 'settle' && !(wish.what === 'reverse' && wish.entry.kind === 'payment');

/** Dollars of a fee that can still be waived. */
const toWaive = ({ charged, waived }: ItemFees) => charged - waived;

/** The amount to begin with: all that can be waived or paid back. */
function most(wish: MoneyEntry): string {
  if (wish.what === 'payBack') return wish.unapplied.toFixed(2);
  if (wish.what === 'waive') return wish.item.due > 0 ? wish.item.due.toFixed(2) : '';
  if (wish.what === 'refund') return (wish.item.credit || wish.item.paid - wish.item.refunded).toFixed(2);
  return '';
}

function titleOf(wish: MoneyEntry): string {
  switch (wish.what) {
    case 'charge': return 'Post a Charge';
    case 'waive': return 'Waive a Fee';
    case 'refund': return 'Refund a Payment';
    case 'payBack': return 'Refund Money on Account';
    case 'settle': return 'Mark Refund as Not Needed';
    case 'plan': return 'Pay in Instalments';
    case 'reversePayout': return 'Reverse this refund?';
    default: return `Reverse this ${kinds[wish.entry.kind].toLowerCase()}?`;
  }
}

function about(wish: MoneyEntry): string {
  switch (wish.what) {
    case 'payBack': return `${moneyText(wish.unapplied, '')} is on account.`;
    case 'settle': return `${moneyText(wish.due.amount, '')} for ${wish.due.for}, refund due by ${dateText(wish.due.dueOn, '')}. The money stays where it is: say why no refund is needed.`;
    case 'reverse': {
      const { kind, amount, for: label } = wish.entry;
      const what = `${moneyText(amount, '')} for ${label}.`;
      return kind === 'payment' ? `${what} The money is on account again; the receipt stays.` : what;
    }
    case 'reversePayout': return `${moneyText(wish.payout.amount, '')} refunded from the account. It is on account again.`;
    case 'refund': {
      const { for: label, paid, refunded, credit } = wish.item;
      const words = `${label}, paid ${moneyText(paid - refunded, '')}${credit > 0 ? `, a credit of ${moneyText(credit, '')}` : ''}.`;
      return toWaive(wish.item) > 0 ? `${words} A refunded amount${credit > 0 ? ' above the credit' : ''} is owing again unless it is waived too.` : words;
    }
    case 'plan': return `${wish.item.for}, ${moneyText(toWaive(wish.item), '')} in all.`;
    default: return `${wish.item.for}, due ${moneyText(wish.item.due, '')}.`;
  }
}

async function send(key: string, studentId: number, wish: MoneyEntry, values: Values): Promise<unknown> {
  const { reason, description, dueOn, firstDueOn, method, reference, paidOn } = values;
  const amount = amountToSend(values.amount);
  const on = 'item' in wish ? (wish.item.enrollmentId === null ? { admissionId: wish.item.admissionId } : { enrollmentId: wish.item.enrollmentId }) : {};
  const student = `/api/admin/students/${studentId}` as const;
  switch (wish.what) {
    case 'charge': return postOnce(key, `${student}/charges`, { ...on, amount, description, dueOn: dueOn || null });
    case 'waive': return postOnce(key, `${student}/waivers`, { ...on, amount, reason });
    case 'settle': return postOnce(key, `/api/admin/money/refunds-due/${wish.due.id}/settle`, { reason });
    case 'refund':
      // A fee of which nothing was paid is waived alone.
      if (Number(amount) === 0 && values.waive.trim()) return postOnce(key, `${student}/waivers`, { ...on, amount: amountToSend(values.waive), reason });
      return postOnce(key, `${student}/refunds`, { ...on, waive: values.waive.trim() ? amountToSend(values.waive) : null, amount, method, reference, paidOn, reason });
    case 'payBack': return postOnce(key, `${student}/refunds`, { ...on, amount, method, reference, paidOn, reason });
    case 'plan': {
      const plan = values.count.trim() === '0' ? { instalments: [] } : { count: Number(values.count), firstDueOn };
      return putOnce(key, `/api/admin/enrollments/${wish.item.enrollmentId ?? 0}/instalments`, plan);
    }
    case 'reversePayout': return postOnce(key, `/api/admin/payouts/${wish.payout.id}/reverse`, { reason });
    default: return postOnce(key, `/api/admin/ledger/${wish.entry.id}/reverse`, { reason });
  }
}
