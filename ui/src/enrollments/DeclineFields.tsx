// The fields of a decline: a category for statistics, and the message to the student.
import type { DeclineCode } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { Field } from '../components/Field.tsx';
import type { useServerForm } from '../components/useServerForm.ts';
import { DeclinePreview } from './DeclinePreview.tsx';
import { declineReasons, wordsFor } from './decline.ts';

type DeclineForm = ReturnType<typeof useServerForm<{ code: DeclineCode; reason: string }>>;

type DeclineFieldsProps = {
  form: Pick<DeclineForm, 'register' | 'field' | 'form'>;
  /** The enrollment of the previewed email; the first of several. */
  id: number;
};

export function DeclineFields({ form: { register, field, form }, id }: DeclineFieldsProps) {
  const [code, reason] = form.watch(['code', 'reason']);
  return (
    <>
      <Field {...field('code')} label="Reason">
        {(control) => (
          <select
            {...control}
            {...register('code', {
              onChange: ({ target }: { target: HTMLSelectElement }) =>
                form.setValue('reason', wordsFor(target.value as DeclineCode, form.getValues('reason')), { shouldDirty: true }),
            })}
          >
            {wordsOf(declineReasons).map((code) => <option key={code} value={code}>{declineReasons[code].label}</option>)}
          </select>
        )}
      </Field>
      <Field {...field('reason')} label="Message to the student" hint="Shown in the email and in the student portal.">
        {(control) => <textarea {...control} {...register('reason')} rows={4} maxLength={1000} />}
      </Field>
      <DeclinePreview id={id} code={code} reason={reason} />
    </>
  );
}
