// The fields of an offer of a place, to one family or to many.
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Field } from '../components/Field.tsx';
import { priceProblem, readPrice } from '../courses/price.ts';
import type { useServerForm } from '../components/useServerForm.ts';
import { dateText, dayNumber, today } from '../dates.ts';
import { agreementsQuery } from './decisions.ts';
import type { Offer, UsualOffer } from './wire.ts';

const isAmount = (text: string) => text !== '' && priceProblem(text) === null;

export const offerSchema = z
  .object({
    feeDue: z.string().check(z.trim(), z.refine(isAmount, 'Enter an amount, such as 1,250.00')),
    feeDueOn: z.string(),
    deposit: z.string().check(z.trim(), z.refine((text) => text === '' || isAmount(text), 'Enter an amount, such as 500.00')),
    depositDueOn: z.string(),
    expiresOn: z.string().check(z.refine((date) => dayNumber(date) !== null && date >= today(), 'Choose today or a later day')),
    conditions: z.string().check(z.trim()),
    textVersionId: z.string(),
  })
  .check(z.refine(({ deposit, depositDueOn, feeDueOn }) => deposit === '' || feeDueOn === '' || depositDueOn <= feeDueOn, { path: ['depositDueOn'], message: 'The deposit cannot be due after the rest of the fee' }));

export type OfferValues = z.infer<typeof offerSchema>;

export const offerFields = ['feeDue', 'feeDueOn', 'deposit', 'depositDueOn', 'expiresOn', 'conditions', 'textVersionId'] as const;

const number = (text: string) => Number(readPrice(text));

/** The body of the call; the day of a deposit goes with it. */
export function offerBody({ feeDue, feeDueOn, expiresOn, deposit, depositDueOn, conditions, textVersionId }: OfferValues) {
  const hasDeposit = deposit !== '' && number(deposit) > 0;
  return {
    feeDue: number(feeDue),
    expiresOn,
    ...(feeDueOn && { feeDueOn }),
    ...(hasDeposit && { deposit: number(deposit), ...(depositDueOn && { depositDueOn }) }),
    ...(conditions && { conditions }),
    ...(textVersionId && { textVersionId: Number(textVersionId) }),
  };
}

/** The same, or null while something is wrong. */
export function bodyOf(values: OfferValues) {
  const checked = offerSchema.safeParse(values);
  return checked.success ? offerBody(checked.data) : null;
}

const amountText = (value: number | null | undefined) => (value === null || value === undefined ? '' : value.toFixed(2));

/** What the dialog begins with: the usual offer, with the amounts and conditions of the one before. */
export function offerValues({ feeDue, feeDueOn, deposit, depositDueOn, expiresOn }: UsualOffer, before: Offer | null = null): OfferValues {
  return {
    feeDue: amountText(before ? before.feeDue : feeDue),
    feeDueOn,
    deposit: amountText(before ? before.deposit : deposit),
    depositDueOn,
    expiresOn,
    conditions: before?.conditions ?? '',
    textVersionId: '',
  };
}

export function OfferFields({ field, register, form }: ReturnType<typeof useServerForm<OfferValues>>) {
  const versions = useQuery(agreementsQuery).data?.filter(({ effectiveOn }) => effectiveOn <= today()) ?? [];
  const chosen = versions.find(({ id }) => String(id) === form.watch('textVersionId')) ?? versions.toSorted((one, other) => other.version - one.version)[0];
  const hasDeposit = form.watch('deposit').trim() !== '';
  return (
    <>
      <div className="grid field-pair offer-fields">
        <Field {...field('feeDue')} label="Fee in dollars">
          {(control) => <input {...control} {...register('feeDue')} inputMode="decimal" autoComplete="off" />}
        </Field>
        <Field {...field('feeDueOn')} label={hasDeposit ? 'Rest of the fee due' : 'Fee due'}>
          {(control) => <input type="date" {...control} {...register('feeDueOn')} min={today()} />}
        </Field>
        <Field {...field('deposit')} label="Deposit (optional)" hint="Part of the fee.">
          {(control) => <input {...control} {...register('deposit')} inputMode="decimal" autoComplete="off" />}
        </Field>
        <Field {...field('depositDueOn')} label="Deposit due" hint={hasDeposit ? 'Without a day, on acceptance.' : 'Counts with a deposit.'}>
          {(control) => <input type="date" {...control} {...register('depositDueOn')} min={today()} />}
        </Field>
        <Field {...field('expiresOn')} label="Answer by" hint="The whole day counts.">
          {(control) => <input type="date" {...control} {...register('expiresOn')} min={today()} />}
        </Field>
        {versions.length > 1 && (
          <Field {...field('textVersionId')} label="Agreement">
            {(control) => (
              <select {...control} {...register('textVersionId')}>
                <option value="">The newest version</option>
                {versions.map(({ id, version, language, effectiveOn }) => <option key={id} value={id}>{`Version ${version}, ${language === 'fr' ? 'French' : 'English'}, from ${dateText(effectiveOn, '')}`}</option>)}
              </select>
            )}
          </Field>
        )}
      </div>
      <Field {...field('conditions')} label="Conditions (optional)" hint="For example, “with a final mark of 70 in grade 10 mathematics”.">
        {(control) => <textarea {...control} {...register('conditions')} rows={2} maxLength={4000} dir="auto" />}
      </Field>
      {chosen && <details><summary>The agreement that the family signs</summary><p className="written tinted">{chosen.body}</p></details>}
    </>
  );
}
