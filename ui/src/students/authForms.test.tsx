// The forms of a student's account: validation, refusals, failures, slow and offline responses.
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { http, HttpResponse, type JsonBodyType } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const password = 'a quiet blue heron';
const invalidEmail = 'Please enter a valid email address';
const shortPassword = 'Password must be at least 8 characters';
const different = "Passwords don't match";

const field = (label: string) => screen.getByLabelText(label);
const button = (name: string) => screen.getByRole('button', { name });
const summary = () => screen.findByText('There is a problem').then((words) => words.closest('[role=alert]') as HTMLElement);
const messages = () => [...document.querySelectorAll('.field-error')].map((error) => error.textContent);

async function fill(user: UserEvent, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) {
    // One pair of hands: a field after the other.
    // oxlint-disable-next-line no-await-in-loop
    await user.clear(await screen.findByLabelText(label));
    // oxlint-disable-next-line no-await-in-loop
    await user.paste(value);
  }
}

beforeEach(() => {
  server.use(http.get('*/api/students/me', () => HttpResponse.json({ message: 'Please log in to continue.' }, { status: 401 })));
});

it('names each rule of the login, with a period', async () => {
  const { user } = open('/student/auth', { school });
  await user.click(await screen.findByRole('button', { name: 'Login' }));
  const wrong = await summary();
  expect(wrong).toHaveFocus();
  expect(field('Email')).toHaveAccessibleDescription(`${invalidEmail}.`);
  expect(field('Password')).toHaveAccessibleDescription(`${shortPassword}.`);
  await user.click(within(wrong).getByRole('link', { name: `${shortPassword}.` }));
  expect(field('Password')).toHaveFocus();
  await fill(user, { Email: 'not an address', Password: '1234567' });
  expect(field('Email')).toBeInvalid();
  expect(field('Password')).toBeInvalid();
  await fill(user, { Email: 'an@address.example', Password: '12345678' });
  await waitFor(() => expect(screen.queryByText('There is a problem')).not.toBeInTheDocument());
});

it('names each rule of the registration', async () => {
  const { user } = open('/student/auth?tab=register', { school });
  await user.click(await screen.findByRole('button', { name: 'Register' }));
  expect(await summary()).toHaveFocus();
  expect(messages()).toEqual([invalidEmail, shortPassword, shortPassword]);
  await fill(user, { Email: 'an@address.example', Password: '12345678', 'Confirm Password': '12345679' });
  expect(field('Confirm Password')).toHaveAccessibleDescription(different);
  expect(messages()).toEqual([different]);
  // Correcting the first one clears both errors.
  await fill(user, { Password: '12345679' });
  await waitFor(() => expect(messages()).toEqual([]));
});

it('has the same rules for a new password', async () => {
  const { user } = open('/student/reset-password/a-token', { school });
  await user.click(await screen.findByRole('button', { name: 'Change My Password' }));
  expect(await summary()).toHaveFocus();
  expect(field('New Password')).toHaveAccessibleDescription(new RegExp(`^At least 8 characters\\. ${shortPassword} Three or four unrelated words`));
  await fill(user, { 'New Password': '12345678', 'Confirm New Password': '123456789' });
  expect(field('Confirm New Password')).toHaveAccessibleDescription(different);
});

it('marks fields for password managers, and shows a password on request', async () => {
  const { user } = open('/student/auth', { school });
  expect(await screen.findByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
  expect(field('Password')).toHaveAttribute('autocomplete', 'current-password');
  await user.click(screen.getByRole('tab', { name: 'Register' }));
  expect(await screen.findByLabelText('Confirm Password')).toHaveAttribute('autocomplete', 'new-password');
  expect(field('Email')).toHaveAttribute('autocomplete', 'email');
  expect(field('Password')).toHaveAttribute('autocomplete', 'new-password');
  expect(field('Password')).toHaveAttribute('type', 'password');
  await user.click(screen.getAllByRole('button', { name: 'Show password' })[0] as HTMLElement);
  expect(field('Password')).toHaveAttribute('type', 'text');
  await user.click(button('Hide password'));
  expect(field('Password')).toHaveAttribute('type', 'password');
});

type AuthForm = {
  name: string; address: string; call: string; values: Record<string, string>;
  submit: string; pending: string; toast: string | null; otherwise: string;
};

/** Each form: address, values, and its messages. */
const forms: AuthForm[] = [
  {
    name: 'login',
    address: '/student/auth',
    call: 'login',
    values: { Email: 'kept@mail.example', Password: password },
    submit: 'Login',
    pending: 'Logging in...',
    toast: 'Login failed',
    otherwise: 'The school’s server could not log you in.',
  },
  {
    name: 'registration',
    address: '/student/auth?tab=register',
    call: 'register',
    values: { Email: 'kept@mail.example', Password: password, 'Confirm Password': password },
    submit: 'Register',
    pending: 'Registering...',
    toast: 'Registration failed',
    otherwise: 'The school’s server could not create your account.',
  },
  {
    name: 'forgotten password',
    address: '/student/forgot-password',
    call: 'forgot-password',
    values: { Email: 'kept@mail.example' },
    submit: 'Send the Link',
    pending: 'Sending...',
    toast: null,
    otherwise: 'The link could not be sent.',
  },
  {
    name: 'new verification link',
    address: '/student/verify',
    call: 'resend-verification',
    values: { Email: 'kept@mail.example' },
    submit: 'Send a New Link',
    pending: 'Sending...',
    toast: null,
    otherwise: 'The link could not be sent.',
  },
  {
    name: 'new password',
    address: '/student/reset-password/a-token',
    call: 'reset-password',
    values: { 'New Password': password, 'Confirm New Password': password },
    submit: 'Change My Password',
    pending: 'Saving...',
    toast: null,
    otherwise: 'Your password could not be changed.',
  },
];

const tooMany = 'Too many attempts. Please wait 2 minutes, then try again.';

describe.each(forms)('the form of a $name', ({ address, call, values, submit, pending, toast, otherwise }) => {
  const url = `*/api/students/${call}`;

  it.each([
    ['a fault of the server', () => HttpResponse.html('<html>boom</html>', { status: 500 }), otherwise],
    ['too many attempts', () => HttpResponse.json({ message: tooMany }, { status: 429, headers: { 'Retry-After': '120' } }), tooMany],
    ['no connection', () => HttpResponse.error(), 'The school’s server could not be reached. Please check your connection and try again.'],
  ])('reports %s and loses nothing', async (_, response, words) => {
    const { user, container } = open(address, { school });
    await fill(user, values);
    server.use(http.post(url, response));
    await user.click(button(submit));
    await waitFor(() => expect(container.querySelector('main form .notice')).toHaveTextContent(words));
    await waitFor(() => expect([...container.querySelectorAll('.toast')].map((one) => one.textContent?.includes(`${toast}${words}`))).toEqual(toast ? [true] : []));
    expect(screen.queryByText(/boom/)).not.toBeInTheDocument();
    for (const [label, value] of Object.entries(values)) expect(field(label)).toHaveValue(value);
  });

  it('says that it is being sent, and sends nothing twice', async () => {
    let count = 0;
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => { release = resolve; });
    server.use(
      http.post(url, async () => {
        count += 1;
        await held;
        return HttpResponse.json({ message: 'Too many.' }, { status: 429 });
      }),
    );
    const { user } = open(address, { school });
    await fill(user, values);
    await user.dblClick(button(submit));
    expect(await screen.findByRole('button', { name: pending })).toHaveAttribute('aria-disabled', 'true');
    await user.click(button(pending));
    await user.type(field(Object.keys(values)[0] as string), '{Enter}');
    release?.();
    expect(await screen.findByRole('button', { name: submit })).not.toHaveAttribute('aria-disabled', 'true');
    expect(count).toBe(1);
  });
});

it('shows a server error at its field', async () => {
  const fields = { password: 'Password must be at most 256 characters' };
  server.use(http.post('*/api/students/register', () => HttpResponse.json({ message: 'Please check the form.', fields }, { status: 400 })));
  const { user, container } = open('/student/auth?tab=register', { school });
  await fill(user, { Email: 'long@mail.example', Password: password, 'Confirm Password': password });
  await user.click(button('Register'));
  await waitFor(() => expect(container.querySelector('.toast')).toHaveTextContent('Registration failedPlease check the form.'));
  expect(await summary()).toHaveFocus();
  expect(field('Password')).toHaveAccessibleDescription(/Password must be at most 256 characters/);
});

const answer = (response: () => Promise<Response> | Response) => server.use(http.post('*/api/students/resend-verification', response));
const json = (body: JsonBodyType) => HttpResponse.json(body);

it('reports a verification link that could not be sent again beside its button', async () => {
  server.use(http.post('*/api/students/register', () => json({ message: 'ok' })));
  const { user } = open('/student/auth?tab=register', { school });
  await fill(user, { Email: 'zoe@mail.example', Password: password, 'Confirm Password': password });
  await user.click(button('Register'));
  await screen.findByRole('heading', { name: 'Check Your Inbox' });
  answer(() => HttpResponse.error());
  await user.click(button('Send a New Link'));
  await screen.findByText(/could not be reached/);
  let count = 0;
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  answer(async () => {
    count += 1;
    await held;
    return json({ message: 'If the account exists, a new link is on its way.' });
  });
  await user.dblClick(button('Send a New Link'));
  await screen.findByRole('button', { name: 'Sending...' });
  expect(screen.queryByText(/could not be reached/)).not.toBeInTheDocument();
  release?.();
  expect((await screen.findByText(/a new link is on its way/)).closest('[role=status]')).not.toBeNull();
  expect(count).toBe(1);
});
