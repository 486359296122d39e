// The office's login: on its own page, and over a page whose session has ended.
import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import type { User } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { PasswordInput } from '../components/PasswordInput.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { logInStaff } from './queries.ts';

// Section 5, "Admin login".
const schema = z.object({
  username: z.string().check(z.trim(), z.minLength(1, 'Username is required')),
  password: z.string().check(z.minLength(1, 'Password is required')),
});

const failed = 'Invalid username or password';

type LoginFormProps = { username?: string | undefined; onLoggedIn: (user: User) => void };

export function LoginForm({ username = '', onLoggedIn }: LoginFormProps) {
  const loggingIn = useMutation(logInStaff);
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { username, password: '' },
    fields: ['username', 'password'],
    idPrefix: 'login',
    isLogin: true,
    send: async (credentials) => {
      const user = await loggingIn.mutateAsync(credentials);
      showToast('Login successful', 'Welcome to the admin portal');
      onLoggedIn(user);
    },
    onFailure: (error) => showFailure('Login failed', failureWords(error, failed)),
  });

  return (
    <Form
      isPending={isPending}
      summary={summary}
      error={failure && failureWords(failure, failed)}
      isToasted
      submitLabel="Login"
      pendingLabel="Logging in..."
      onSubmit={submit}
    >
      <Field {...field('username')} label="Username">
        {(control) => <input {...control} {...register('username')} type="text" autoComplete="username" spellCheck={false} autoCapitalize="none" />}
      </Field>
      <Field {...field('password')} label="Password">
        {(control) => <PasswordInput {...control} {...register('password')} autoComplete="current-password" />}
      </Field>
    </Form>
  );
}
