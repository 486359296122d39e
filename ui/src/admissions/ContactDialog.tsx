// A family corrects its contact data while the office has not begun, or waits for an answer.
import * as z from 'zod/mini';
import { email } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { countries } from '../school/countries.ts';
import { changeContact, type ContactData } from './ownQueries.ts';
import type { OwnApplication } from './wire.ts';

type ContactDialogProps = { token: string; application: OwnApplication; onChanged: (now: OwnApplication) => void; onClose: () => void };

const text = (message: string) => z.string().check(z.trim(), z.minLength(1, message));
const optional = z.string().check(z.trim());

const schema: z.ZodMiniType<ContactData, ContactData> = z.object({
  email: email(),
  phone: text('Enter a phone number'),
  country: text('Select a country'),
  address: text('Enter an address'),
  city: optional,
  province: optional,
  postalCode: optional,
  guardianPhone: optional,
});

const fields = ['email', 'phone', 'country', 'address', 'city', 'province', 'postalCode', 'guardianPhone'] as const;

const labels = {
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  city: 'City (optional)',
  province: 'Province or state (optional)',
  postalCode: 'Postal code (optional)',
  guardianPhone: 'Guardian’s phone (optional)',
} as const;

export function ContactDialog({ token, application, onChanged, onClose }: ContactDialogProps) {
  return (
    <FormDialog
      title="Correct Contact Details"
      schema={schema}
      values={Object.fromEntries(fields.map((name) => [name, application[name] ?? ''])) as ContactData}
      fields={fields}
      idPrefix="contact"
      submitLabel="Save"
      failed="The details were not saved. Please try again in a moment."
      send={async (contact, { form }) => {
        const changed = Object.fromEntries(fields.filter((name) => form.getFieldState(name).isDirty).map((name) => [name, contact[name]]));
        onChanged(await changeContact(token, changed));
        showToast('Details saved');
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => {
        const line = (name: keyof typeof labels, type = 'text') => (
          <Field {...field(name)} label={labels[name]}>
            {(control) => <input {...control} {...register(name)} type={type} dir="auto" />}
          </Field>
        );
        return (
          <>
            {line('email', 'email')}
            {line('phone', 'tel')}
            <Field {...field('country')} label="Country">
              {(control) => <select {...control} {...register('country')}>{countries.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}</select>}
            </Field>
            {line('address')}
            <div className="grid field-pair">
              {line('city')}
              {line('province')}
              {line('postalCode')}
              {line('guardianPhone', 'tel')}
            </div>
          </>
        );
      }}
    </FormDialog>
  );
}
