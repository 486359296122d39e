// The form 'Send a Message'. Keeps its input when sending fails.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { School } from '../api-types.ts';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { ContactFields } from './ContactFields.tsx';
import { failureText } from './failure.ts';
import { contactSchema, readSubject } from './schema.ts';
import { sendMessage } from './sendMessage.ts';

type ContactFormProps = { school: School; takesFocus: boolean; onSent: () => void };

const names = ['name', 'email', 'phone', 'subject', 'message'] as const;

export function ContactForm({ school, takesFocus, onSent }: ContactFormProps) {
  const [parameters] = useSearchParams();
  const sending = useMutation(sendMessage);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
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
  const { question } = useUnsavedChanges(isDirty);

  return (
    <>
      <h2 ref={heading} tabIndex={-1}>Send a Message</h2>
      <Form
        isPlain
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
