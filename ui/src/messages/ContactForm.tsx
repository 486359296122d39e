// The form 'Send a Message'. It keeps what was typed when sending fails.
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router';
import { ApiError } from '../api.ts';
import type { NewContactMessage, School } from '../api-types.ts';
import { ErrorSummary } from '../components/ErrorSummary.tsx';
import { Form } from '../components/Form.tsx';
import { ContactFields } from './ContactFields.tsx';
import { failureText } from './failure.ts';
import { sendMessage } from './queries.ts';
import { contactSchema, readSubject } from './schema.ts';

const fieldNames = ['name', 'email', 'phone', 'subject', 'message'] as const;

type ContactFormProps = { school: School; takesFocus: boolean; onSent: () => void };

export function ContactForm({ school, takesFocus, onSent }: ContactFormProps) {
  const [parameters] = useSearchParams();
  const [attempt, setAttempt] = useState(0);
  const sending = useMutation(sendMessage);
  const form = useForm<NewContactMessage>({
    resolver: zodResolver(contactSchema),
    defaultValues: { name: '', email: '', phone: '', subject: readSubject(parameters.get('subject')), message: '' },
    shouldFocusError: false,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  useLeaveWarning(form.formState.isDirty);

  function rejectInput() {
    sending.reset();
    setAttempt((count) => count + 1);
  }

  async function send(message: NewContactMessage) {
    try {
      await sending.mutateAsync(message);
      onSent();
    } catch (error) {
      if (!(error instanceof ApiError)) return;
      const refused = refusedFields(error);
      for (const name of refused) form.setError(name, { message: error.fields[name] });
      if (refused.length > 0) setAttempt((count) => count + 1);
    }
  }

  const { errors, isSubmitting } = form.formState;
  // Messages on fields say it all; anything else is told beside the button.
  const failure = sending.error && refusedFields(sending.error).length === 0 ? sending.error : null;
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>Send a Message</h2>
      <Form
        isPending={isSubmitting}
        error={failure && failureText(failure, school.email)}
        submitLabel="Send Message"
        pendingLabel="Sending..."
        onSubmit={(event) => void form.handleSubmit(send, rejectInput)(event)}
      >
        <ErrorSummary errors={summary(errors)} attempt={attempt} />
        <ContactFields register={form.register} errors={errors} />
      </Form>
    </>
  );
}

/** The form's fields that the server refused, each with its own message. */
function refusedFields(error: Error) {
  return error instanceof ApiError ? fieldNames.filter((name) => error.fields[name]) : [];
}

function summary(errors: FieldErrors<NewContactMessage>) {
  return fieldNames.flatMap((name) => {
    const message = errors[name]?.message;
    return message ? [{ id: `contact-${name}`, message }] : [];
  });
}

/** Asks before the window closes on a message that was begun. */
function useLeaveWarning(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isDirty]);
}
