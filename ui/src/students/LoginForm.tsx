// The student login form: on its own page, and over a page whose session has ended.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { CodeStep } from '../accounts/CodeField.tsx';
import type { GivenPasskey } from '../accounts/passkey.ts';
import { PasswordInput } from '../accounts/PasswordInput.tsx';
import { noProof, oneOfBoth, proofFields } from '../accounts/proof.ts';
import { isCodeWanted, useTwoSteps } from '../accounts/useTwoSteps.ts';
import { ApiError, failureWords } from '../api.ts';
import type { Student } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { email as address } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { loadPart } from '../components/loadPart.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { NotVerified } from './NotVerified.tsx';
import { logInStudent } from './queries.ts';

// Section 5: the registration's rules, "with a trailing period in its messages".
const credentials = {
  email: address('Please enter a valid email address.'),
  password: z.string().check(z.minLength(8, 'Password must be at least 8 characters.')),
};
const firstStep = z.object({ ...credentials, ...proofFields });
const secondStep = z.object({ ...credentials, ...proofFields }).check(oneOfBoth);

type LoginFormProps = {
  /** Set if it works without scripts. */
  isPlain?: boolean;
  email?: string | undefined;
  /** Called with the email while it is typed. */
  onEmail?: (email: string) => void;
  /** The forgotten-password link below the password. */
  help?: Elements;
  onLoggedIn: (student: Student) => void;
};

export function LoginForm({ isPlain = false, email = '', onEmail, help, onLoggedIn }: LoginFormProps) {
  const loggingIn = useMutation(logInStudent);
  // Lazy-loaded: few accounts need it.
  const [second, setSecond] = useState<{ CodeStep: typeof CodeStep } | null>(null);
  const { wantsCode, question, back, take } = useTwoSteps(async () => setSecond(await loadPart(() => import('../accounts/CodeField.tsx'))));
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema: wantsCode ? secondStep : firstStep,
    values: { email, password: '', ...noProof },
    fields: wantsCode ? ['code'] : ['email', 'password'],
    idPrefix: 'login',
    isLogin: true,
    send: (typed) => {
      form.resetField('passkey');
      return take(typed, async (account) => {
        const student = await loggingIn.mutateAsync(account);
        showToast('Login successful', 'Welcome back!');
        onLoggedIn(student);
      });
    },
    onFailure: (error) => {
      // A wrong code is shown at its field.
      if (!isCodeWanted(error)) showFailure('Login failed', loginFailure(error));
    },
  });
  const forget = () => form.resetField('code');
  const onAnswer = (passkey: GivenPasskey) => {
    form.setValue('passkey', passkey);
    submit();
  };

  return (
    <Form
      isPlain={isPlain}
      isPending={isPending}
      summary={summary}
      error={failure && (isNotVerified(failure) ? <NotVerified email={loggingIn.variables?.email ?? email} /> : loginFailure(failure))}
      isToasted
      submitLabel="Login"
      pendingLabel="Logging in..."
      onSubmit={submit}
    >
      {wantsCode && second ? (
        <second.CodeStep field={field('code')} input={register('code')} question={question} onAnswer={onAnswer} onForget={forget} onBack={back} />
      ) : (
        <>
          <Field {...field('email')} label="Email">
            {(control) => (
              <input
                {...control}
                {...register('email', { onChange: (event: { target: HTMLInputElement }) => onEmail?.(event.target.value) })}
                type="email"
                autoComplete="username"
                spellCheck={false}
              />
            )}
          </Field>
          <Field {...field('password')} label="Password">
            {(control) => <PasswordInput {...control} {...register('password')} autoComplete="current-password" />}
          </Field>
          {help}
        </>
      )}
    </Form>
  );
}

function loginFailure(error: Error): string {
  return failureWords(error, 'The school’s server could not log you in. Please try again in a moment.');
}

/** Whether the password was right but the email is not verified yet. */
function isNotVerified(error: Error): boolean {
  return error instanceof ApiError && error.status === 403 && /verify/i.test(error.detail ?? '');
}
