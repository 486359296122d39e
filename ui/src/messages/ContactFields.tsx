// The five fields of a contact message.
import type { FieldErrors, UseFormRegister } from 'react-hook-form';
import type { NewContactMessage } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { subjects } from './schema.ts';

type ContactFieldsProps = { register: UseFormRegister<NewContactMessage>; errors: FieldErrors<NewContactMessage> };

export function ContactFields({ register, errors }: ContactFieldsProps) {
  return (
    <>
      <Field id="contact-name" label="Name" error={errors.name?.message}>
        {(control) => <input {...control} {...register('name')} type="text" autoComplete="name" dir="auto" />}
      </Field>
      <div className="field-pair">
        <Field id="contact-email" label="Email" error={errors.email?.message}>
          {(control) => <input {...control} {...register('email')} type="email" autoComplete="email" spellCheck={false} />}
        </Field>
        <Field id="contact-phone" label="Phone (optional)" error={errors.phone?.message}>
          {(control) => <input {...control} {...register('phone')} type="tel" autoComplete="tel" />}
        </Field>
      </div>
      <Field id="contact-subject" label="Subject" error={errors.subject?.message}>
        {(control) => (
          <select {...control} {...register('subject')}>
            <option value="">Select a subject</option>
            {subjects.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </select>
        )}
      </Field>
      <Field id="contact-message" label="Message" error={errors.message?.message}>
        {(control) => <textarea {...control} {...register('message')} rows={6} dir="auto" />}
      </Field>
    </>
  );
}
