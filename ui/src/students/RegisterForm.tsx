// The registration form: email and password.
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NewPasswords } from '../accounts/NewPasswords.tsx';
import { ApiError, failureWords } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { AcceptedTexts, useAcceptedTexts } from '../school/AcceptedTexts.tsx';
import { registrationSchema } from './accountRules.ts';
import { useNextPage } from './nextPage.ts';
import { registerStudent } from './queries.ts';

type RegisterFormProps = {
  email: string;
  onEmail: (email: string) => void;
  /** Focuses the email field, to be corrected. */
  takesFocus: boolean;
  onRegistered: (email: string) => void;
};

export function RegisterForm({ email, onEmail, takesFocus, onRegistered }: RegisterFormProps) {
  const registering = useMutation(registerStudent);
  const next = useNextPage();
  const accepted = useAcceptedTexts(['terms', 'privacy']);
  const failureText = (error: Error) => accepted.refusal(error) ?? registrationFailure(error);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: registrationSchema,
    values: { email, password: '', confirmPassword: '' },
    fields: ['email', 'password', 'confirmPassword'],
    idPrefix: 'register',
    send: async (registration) => {
      await registering.mutateAsync({ ...registration, ...next, acceptedTextVersions: accepted.versions });
      showToast('Registration successful', 'Please check your email to verify your account.');
      onRegistered(registration.email);
    },
    onFailure: (error) => showFailure('Registration failed', failureText(error)),
  });
  const { question } = useUnsavedChanges(isDirty);
  const { setFocus } = form;
  useEffect(() => {
    if (takesFocus) setFocus('email');
  }, [takesFocus, setFocus]);

  return (
    <>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && registrationFailure(failure)}
        isToasted
        submitLabel="Register"
        pendingLabel="Registering..."
        onSubmit={submit}
      >
        <Field {...field('email')} label="Email" hint="We will send it a link, to verify that it is yours.">
          {(control) => (
            <input
              {...control}
              {...register('email', { onChange: (event: { target: HTMLInputElement }) => onEmail(event.target.value) })}
              type="email"
              autoComplete="email"
              spellCheck={false}
            />
          )}
        </Field>
        <NewPasswords
          field={field}
          password={register('password', { deps: 'confirmPassword' })}
          confirmPassword={register('confirmPassword')}
          typed={form.watch('password')}
          own={[email]}
        />
        {/* Many of those who register are minors; the Privacy Policy asks for a parent beside them. */}
        <AcceptedTexts doing="registering" texts={accepted.texts}>
          <span> If you are under 18, please register together with a parent or guardian.</span>
        </AcceptedTexts>
      </Form>
      {question}
    </>
  );
}

function registrationFailure(error: Error): string {
  const changed = error instanceof ApiError ? error.fields.acceptedTextVersions : undefined;
  return changed ?? failureWords(error, 'The school’s server could not create your account. Please try again in a moment.');
}
