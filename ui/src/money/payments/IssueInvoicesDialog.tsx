// Issues invoices: of one student, or of everyone in a term. What would be issued is shown first, and keeps nothing.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { failureWords } from '../../api.ts';
import type { Invoicings } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Field } from '../../components/Field.tsx';
import { Form } from '../../components/Form.tsx';
import { showToast } from '../../components/toasts.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { moneyText } from '../../money.ts';
import { newKey } from '../../once.ts';
import { useSchool } from '../../school/queries.ts';
import { termsQuery } from '../../terms/queries.ts';
import { issueInvoices, previewInvoices } from './invoices.ts';
import { moneyKeys } from '../moneyQueries.ts';
import { todayIn } from '../words.ts';

const rest = { dueOn: z.string(), send: z.boolean() };
const schema = z.object({ termId: z.string(), ...rest });
const ofTerm = z.object({ termId: z.string().check(z.minLength(1, 'Choose a term')), ...rest });

type Values = z.infer<typeof schema>;

type IssueInvoicesDialogProps = { student: { id: number; name: string } | null; onClose: () => void };

export function IssueInvoicesDialog({ student, onClose }: IssueInvoicesDialogProps) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const [key] = useState(newKey);
  const terms = useQuery({ ...termsQuery, enabled: student === null }).data ?? [];
  const [preview, setPreview] = useState<Invoicings | null>(null);
  const calling = useMutation({
    mutationFn: ({ termId, dueOn, send }: Values) => {
      const scope = { ...(student ? { studentIds: [student.id] } : { termId: Number(termId) }), ...(dueOn && { dueOn }), send };
      return preview ? issueInvoices(key, scope) : previewInvoices(scope);
    },
  });
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema: student ? schema : ofTerm,
    values: { termId: '', dueOn: '', send: true },
    fields: student ? ['dueOn', 'send'] : ['termId', 'dueOn', 'send'],
    idPrefix: 'issue-invoices',
    send: async (values) => {
      const found = await calling.mutateAsync(values);
      if (!preview) {
        setPreview(found);
        return;
      }
      const { length } = found.invoices;
      showToast(length === 1 ? `Invoice ${found.invoices[0]?.number ?? ''} issued` : `${length} invoices issued`, values.send ? (length === 1 ? 'The student gets it by email.' : 'The students get them by email.') : null);
      onClose();
      for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
    },
  });
  const count = preview?.invoices.length ?? 0;
  const close = () => !isPending && onClose();
  return (
    <Dialog title={student ? 'Issue an Invoice' : 'Issue Invoices'} onClose={close}>
      <p>{student && <strong dir="auto">{`${student.name}: `}</strong>}<span>Every charge that is on no invoice yet, less what was waived. Balances don’t change.</span></p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'That did not work. Please try again: each invoice is issued once.')}
        submitLabel={preview && count > 0 ? (count === 1 ? 'Issue Invoice' : `Issue ${count} Invoices`) : 'Preview'}
        pendingLabel={preview ? 'Issuing...' : 'Looking...'}
        onSubmit={submit}
        onCancel={close}
      >
        {!student && (
          <Field {...field('termId')} label="Term" hint="Students who are or were in one of its classes.">
            {(control) => (
              <select {...control} {...register('termId', { onChange: () => setPreview(null) })} required>
                <option value="">Choose a term</option>
                {terms.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
              </select>
            )}
          </Field>
        )}
        <Field {...field('dueOn')} label="Due on" hint="Leave empty for the usual due date.">
          {(control) => <input {...control} {...register('dueOn', { onChange: () => setPreview(null) })} type="date" min={todayIn(timeZone)} />}
        </Field>
        <label className="tick"><input type="checkbox" {...register('send')} /> Email each as a PDF to the student and the guardians who get the student’s emails</label>
        {preview && <Preview found={preview} />}
      </Form>
    </Dialog>
  );
}

/** What would be issued. */
function Preview({ found: { invoices, nothingFor } }: { found: Invoicings }) {
  const sum = invoices.reduce((all, { total }) => all + total, 0);
  const rest = nothingFor.length === 1 ? `There is nothing to invoice for ${nothingFor[0]?.studentName}.` : `There is nothing to invoice for ${nothingFor.length} students.`;
  return (
    <div role="status">
      <p><strong>{invoices.length === 0 ? 'Nothing to invoice.' : `${invoices.length === 1 ? '1 invoice' : `${invoices.length} invoices`}, ${moneyText(sum, '')} in all.`}</strong> {nothingFor.length > 0 && <span>{rest}</span>}</p>
      <ul className="rows">
        {invoices.slice(0, 50).map(({ studentId, studentName, total, lines }) => (
          <li className="row" key={studentId}>
            <span><bdi>{studentName}</bdi><small className="muted">{` ${lines.map((line) => line.for.split(' · ')[0]).join(', ')}`}</small></span>
            <strong>{moneyText(total, '')}</strong>
          </li>
        ))}
      </ul>
      {invoices.length > 50 && <p className="muted">{`And ${invoices.length - 50} more.`}</p>}
    </div>
  );
}
