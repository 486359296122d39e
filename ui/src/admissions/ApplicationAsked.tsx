// What the office asks of the family, and the family's answer.
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { documentTypes } from '../documents/types.ts';
import { sendAnswer } from './ownQueries.ts';
import { stillWanted } from './ownState.ts';
import type { Asked, OwnApplication } from './wire.ts';

type AskedProps = { token: string; application: OwnApplication; asked: Asked; onChanged: (now: OwnApplication) => void };

const schema = z.object({ text: z.string().check(z.trim(), z.minLength(1, 'Write an answer')) });
const fields = ['text'] as const;

export function ApplicationAsked({ token, application, asked, onChanged }: AskedProps) {
  const missing = stillWanted(application);
  const isWithOffice = application.status !== 'info_requested';
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { text: '' },
    fields,
    idPrefix: 'answer',
    send: async ({ text }) => {
      const now = await sendAnswer(token, text);
      showToast('Answer sent', 'The office continues with the application.');
      onChanged(now);
    },
  });
  const { question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <section className="card brass-edge" aria-labelledby="asked-title">
      <h2 id="asked-title">{isWithOffice ? 'Your Document Has Arrived' : 'What We Need from You'}</h2>
      {isWithOffice && <p>The office goes on with the application. You can still send more, or add words to what it asked:</p>}
      <p className="written" dir="auto">{asked.text}</p>
      {missing.length > 0 && <p><strong>{`Please upload: ${missing.map((type) => documentTypes[type]).join(', ')}.`}</strong><span> Use “Upload a Document” below. A document alone is an answer; you can add words here.</span></p>}
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The answer was not sent. Please try again in a moment.')}
        submitLabel="Send Answer"
        pendingLabel="Sending..."
        onSubmit={submit}
      >
        <Field {...field('text')} label="Your answer" hint={isWithOffice ? 'Not needed if the document says it all.' : 'With it, the application goes back to the office.'}>
          {(control) => <textarea {...control} {...register('text')} rows={4} maxLength={4000} dir="auto" />}
        </Field>
      </Form>
      {question}
    </section>
  );
}
