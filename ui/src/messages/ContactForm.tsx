// The form 'Send a Message'. Keeps its input when sending fails.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useInsertionEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { School } from '../api-types.ts';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { paths } from '../paths.ts';
import { isTemplate } from '../template.tsx';
import { ContactFields } from './ContactFields.tsx';
import { failureText } from './failure.ts';
import { contactSchema, readSubject } from './schema.ts';
import { sendMessage } from './sendMessage.ts';

type ContactFormProps = { school: School; takesFocus: boolean; onSent: () => void };

const names = ['name', 'email', 'phone', 'subject', 'message'] as const;

/** Input typed into the prerendered form before the script ran. */
function readTyped(): { [name in (typeof names)[number]]?: string } {
  const drawn = isTemplate ? null : document.querySelector<HTMLFormElement>(`#root[data-drawn] form[action="${paths.contact()}"]`);
  return drawn ? Object.fromEntries(new FormData(drawn)) as Record<string, string> : {};
}

export function ContactForm({ school, takesFocus, onSent }: ContactFormProps) {
  const [parameters] = useSearchParams();
  const sending = useMutation(sendMessage);
  const typed = useRef<ReturnType<typeof readTyped>>({});
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: contactSchema,
    values: { name: '', email: '', phone: '', subject: readSubject(parameters.get('subject')), message: '' },
    fields: names,
    idPrefix: 'contact',
    send: async (message) => {
      await sending.mutateAsync(message);
      onSent();
    },
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  // Read at the last moment: after this the form library writes its values into the fields.
  useInsertionEffect(() => {
    typed.current = readTyped();
  }, []);
  useEffect(() => {
    for (const name of names) if (typed.current[name]) form.setValue(name, typed.current[name], { shouldDirty: true });
  }, [form]);
  const { question } = useUnsavedChanges(isDirty);

  return (
    <>
      <h2 ref={heading} tabIndex={-1}>Send a Message</h2>
      <Form
        action={paths.contact()}
        isPending={isPending}
        summary={summary}
        error={failure && failureText(failure, school.email)}
        submitLabel="Send Message"
        pendingLabel="Sending..."
        onSubmit={submit}
      >
        <ContactFields register={register} field={field} />
      </Form>
      {question}
    </>
  );
}
