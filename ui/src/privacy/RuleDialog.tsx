// The dialog that changes a retention rule from a day on; the earlier rule stays on record.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { RetentionRule } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { addRule, privacyKey } from './queries.ts';
import { retentionClasses } from './words.ts';

const schema = z.object({
  years: z.string().check(z.trim(), z.regex(/^\d{1,3}$/, 'Must be a whole number of years from 0 to 100')),
  inForceFrom: z.string().check(z.minLength(1, 'Must be a real date in the form YYYY-MM-DD')),
  reason: z.string().check(z.trim(), z.minLength(10, 'Please say in at least 10 characters why: it is shown beside the rule')),
});

export function RuleDialog({ rule, onClose }: { rule: RetentionRule; onClose: () => void }) {
  const client = useQueryClient();
  const today = useSchoolDay();
  const adding = useMutation(addRule);
  return (
    <FormDialog
      title={`Retention Period: ${retentionClasses[rule.class]}`}
      intro={<p>This deletes nothing: records that are old enough are listed for you to review.</p>}
      schema={schema}
      values={{ years: String(rule.years ?? ''), inForceFrom: today, reason: '' }}
      fields={['years', 'inForceFrom', 'reason']}
      idPrefix="rule"
      submitLabel="Change Rule"
      failed="The rule could not be changed. Please try again."
      send={async ({ years, ...rest }) => {
        await adding.mutateAsync({ class: rule.class, years: Number(years), ...rest });
        await client.invalidateQueries({ queryKey: privacyKey });
        showToast('Rule changed');
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          <div className="grid field-pair">
            <Field {...field('years')} label="Years">
              {(control) => <input {...control} {...register('years')} type="text" inputMode="numeric" />}
            </Field>
            <Field {...field('inForceFrom')} label="From">
              {(control) => <input {...control} {...register('inForceFrom')} type="date" min={today} />}
            </Field>
          </div>
          <Field {...field('reason')} label="Reason" hint="Shown beside the rule.">
            {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={500} dir="auto" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
