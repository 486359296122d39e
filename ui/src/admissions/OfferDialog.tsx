// The dialog that offers a place: fee, last day, deposit, conditions and agreement.
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Field } from '../components/Field.tsx';
import { dateText, dayNumber, today } from '../dates.ts';
import { type DecisionProps, FormDialog } from './dialogs.tsx';
import { agreementsQuery } from './decisions.ts';
import { OfferPreview } from './OfferPreview.tsx';
import type { RequestFile } from './wire.ts';

const amount = /^\d{1,8}([.,]\d{1,2})?$/;
const isAmount = (text: string) => amount.test(plain(text));

/** "$1,250.50" → "1250.50". */
export function plain(text: string): string {
  return text.replace(/[$\s]|,(?=\d{3})/g, '');
}

export const offerSchema = z
  .object({
    feeDue: z.string().check(z.trim(), z.refine(isAmount, 'Enter an amount, such as 1,250.00')),
    expiresOn: z.string().check(z.refine((date) => dayNumber(date) !== null && date >= today(), 'Choose today or a later day')),
    deposit: z.string().check(z.trim(), z.refine((text) => text === '' || isAmount(text), 'Enter an amount, such as 500.00')),
    depositDueOn: z.string(),
    conditions: z.string().check(z.trim()),
    textVersionId: z.string(),
  })
  .check(z.refine(({ deposit, depositDueOn }) => depositDueOn === '' || deposit !== '', { path: ['deposit'], message: 'Enter the deposit, or clear its date' }));

type OfferValues = z.infer<typeof offerSchema>;

const number = (text: string) => Number(plain(text).replace(',', '.'));

/** The body of the call. */
export function offerBody({ feeDue, expiresOn, deposit, depositDueOn, conditions, textVersionId }: OfferValues) {
  return {
    feeDue: number(feeDue),
    expiresOn,
    ...(deposit && { deposit: number(deposit) }),
    ...(depositDueOn && { depositDueOn }),
    ...(conditions && { conditions }),
    ...(textVersionId && { textVersionId: Number(textVersionId) }),
  };
}

/** The same, or null while something is wrong. */
function bodyOf(values: OfferValues) {
  const checked = offerSchema.safeParse(values);
  return checked.success ? offerBody(checked.data) : null;
}

/** Two weeks to answer. */
export function inTwoWeeks(day: string = today()): string {
  return new Date(((dayNumber(day) ?? 0) + 14) * 86_400_000).toISOString().slice(0, 10);
}

const amountText = (value: number | null | undefined) => (value === null || value === undefined ? '' : value.toFixed(2));

const fields = ['feeDue', 'expiresOn', 'deposit', 'depositDueOn', 'conditions', 'textVersionId'] as const;

export function OfferDialog({ request, about, send, onClose }: DecisionProps & { request: RequestFile }) {
  const versions = useQuery(agreementsQuery).data?.filter(({ effectiveOn }) => effectiveOn <= today()) ?? [];
  const { offer, status, email, guardianEmail } = request;
  const others = guardianEmail && guardianEmail.toLowerCase() !== email.toLowerCase() ? ` and ${guardianEmail}` : '';
  return (
    <FormDialog
      title={`Offer ${about} a place`}
      isWide
      intro={<p>{`${status === 'offered' ? 'The new offer takes the place of the one before. ' : ''}The offer goes to ${email}${others} by email, with a link to accept or decline.`}</p>}
      schema={offerSchema}
      values={{ feeDue: amountText(offer?.feeDue), expiresOn: inTwoWeeks(), deposit: amountText(offer?.deposit), depositDueOn: '', conditions: offer?.conditions ?? '', textVersionId: '' }}
      fields={fields}
      idPrefix="offer"
      submitLabel="Send Offer"
      send={(values) => send(offerBody(values))}
      onClose={onClose}
    >
      {({ field, register, form }) => {
        const chosen = versions.find(({ id }) => String(id) === form.watch('textVersionId')) ?? versions.toSorted((one, other) => other.version - one.version)[0];
        return (
          <>
            <div className="grid field-pair offer-fields">
              <Field {...field('feeDue')} label="Fee in dollars">
                {(control) => <input {...control} {...register('feeDue')} inputMode="decimal" autoComplete="off" />}
              </Field>
              <Field {...field('expiresOn')} label="Answer by" hint="The whole day counts.">
                {(control) => <input type="date" {...control} {...register('expiresOn')} min={today()} />}
              </Field>
              <Field {...field('deposit')} label="Deposit (optional)" hint="Part of the fee.">
                {(control) => <input {...control} {...register('deposit')} inputMode="decimal" autoComplete="off" />}
              </Field>
              <Field {...field('depositDueOn')} label="Deposit due (optional)">
                {(control) => <input type="date" {...control} {...register('depositDueOn')} />}
              </Field>
            </div>
            <Field {...field('conditions')} label="Conditions (optional)" hint="For example, “with a final mark of 70 in grade 10 mathematics”.">
              {(control) => <textarea {...control} {...register('conditions')} rows={2} maxLength={4000} dir="auto" />}
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
            <OfferPreview id={request.id} body={bodyOf(form.watch())} />
            {chosen && <details><summary>The agreement that the family signs</summary><p className="written tinted">{chosen.body}</p></details>}
          </>
        );
      }}
    </FormDialog>
  );
}
