// The five fields of a contact message.
import type { UseFormRegister } from 'react-hook-form';
import { optionsOf } from '../closedSets.ts';
import { Field } from '../components/Field.tsx';
import { type NewMessage, subjectLabels } from './schema.ts';

type ContactFieldsProps = {
  register: UseFormRegister<NewMessage>;
  field: (name: keyof NewMessage) => { id: string; error: string | undefined };
};

export function ContactFields({ register, field }: ContactFieldsProps) {
  return (
    <>
      <Field {...field('name')} label="Name">
        {(control) => <input {...control} {...register('name')} type="text" required autoComplete="name" dir="auto" />}
      </Field>
      <div className="grid field-pair">
        <Field {...field('email')} label="Email">
          {(control) => <input {...control} {...register('email')} type="email" required autoComplete="email" spellCheck={false} />}
        </Field>
        <Field {...field('phone')} label="Phone (optional)">
          {(control) => <input {...control} {...register('phone')} type="tel" autoComplete="tel" />}
        </Field>
      </div>
      <Field {...field('subject')} label="Subject">
        {(control) => (
          <select {...control} {...register('subject')} required>
            <option value="">Select a subject</option>
            {optionsOf(subjectLabels).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
          </select>
        )}
      </Field>
      <Field {...field('message')} label="Message">
        {(control) => <textarea {...control} {...register('message')} rows={6} required minLength={10} dir="auto" />}
      </Field>
    </>
  );
}
