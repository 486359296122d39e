// The form that asks for the link to an application.
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { email } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { askForLink } from './ownQueries.ts';

const schema = z.object({ email: email() });
const fields = ['email'] as const;

export function LostLinkForm({ onSent }: { onSent: () => void }) {
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { email: '' },
    fields,
    idPrefix: 'lost',
    send: async ({ email: address }) => {
      await askForLink(address);
      onSent();
    },
  });
  return (
    <Form
      isPlain
      isPending={isPending}
      summary={summary}
      error={failure && failureWords(failure, 'The link could not be sent. Please try again in a moment.')}
      submitLabel="Send the Link"
      pendingLabel="Sending..."
      onSubmit={submit}
    >
      <Field {...field('email')} label="Email">
        {(control) => <input {...control} {...register('email')} type="email" required autoComplete="email" spellCheck={false} />}
      </Field>
    </Form>
  );
}
