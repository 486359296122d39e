// The office's login form: on its own page, and over a page whose session has ended. A second factor is asked for in a
// second step, which keeps the input of the first.
import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { CodeStep } from '../accounts/CodeField.tsx';
import type { GivenPasskey } from '../accounts/passkey.ts';
import { PasswordInput } from '../accounts/PasswordInput.tsx';
import { noProof, oneOfBoth, proofFields } from '../accounts/proof.ts';
import { isCodeWanted, useTwoSteps } from '../accounts/useTwoSteps.ts';
import { failureWords } from '../api.ts';
import type { User } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { logInStaff } from './queries.ts';

// Section 5, "Admin login".
const credentials = {
  username: z.string().check(z.trim(), z.minLength(1, 'Username is required')),
  password: z.string().check(z.minLength(1, 'Password is required')),
};
const firstStep = z.object({ ...credentials, ...proofFields });
const secondStep = z.object({ ...credentials, ...proofFields }).check(oneOfBoth);

const failed = 'Invalid username or password';

type LoginFormProps = {
  /** Set if it works without scripts. */
  isPlain?: boolean;
  username?: string | undefined;
  /** Content below the fields, such as the forgotten-password link. */
  help?: Elements;
  onLoggedIn: (user: User) => void;
};

export function LoginForm({ isPlain = false, username = '', help, onLoggedIn }: LoginFormProps) {
  const loggingIn = useMutation(logInStaff);
  const { wantsCode, question, back, take } = useTwoSteps();
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema: wantsCode ? secondStep : firstStep,
    values: { username, password: '', ...noProof },
    fields: wantsCode ? ['code'] : ['username', 'password'],
    idPrefix: 'login',
    isLogin: true,
    send: (typed) => {
      form.resetField('passkey');
      return take(typed, async (account) => {
        const user = await loggingIn.mutateAsync(account);
        showToast('Login successful', 'Welcome to the admin portal');
        onLoggedIn(user);
      });
    },
    onFailure: (error) => {
      // A wrong code is shown at its field.
      if (!isCodeWanted(error)) showFailure('Login failed', failureWords(error, failed));
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
      error={failure && failureWords(failure, failed)}
      isToasted
      submitLabel="Login"
      pendingLabel="Logging in..."
      onSubmit={submit}
    >
      {wantsCode ? (
        <CodeStep field={field('code')} input={register('code')} question={question} onAnswer={onAnswer} onForget={forget} onBack={back} />
      ) : (
        <>
          <Field {...field('username')} label="Username">
            {(control) => <input {...control} {...register('username')} type="text" autoComplete="username" spellCheck={false} autoCapitalize="none" />}
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
