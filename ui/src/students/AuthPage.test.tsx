// The student login page: tabs in the address, the panel beside the forms, and the verification page.
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const tab = (name: string) => screen.findByRole('tab', { name });
const heading = (name: string) => screen.findByRole('heading', { name });

function verification(response: () => Promise<Response> | Response) {
  server.use(http.get('*/api/students/verify/:token', response));
}

beforeEach(() => {
  server.use(http.get('*/api/students/me', () => HttpResponse.json({ message: 'Please log in to continue.' }, { status: 401 })));
});

it.each(['/student/auth', '/student/auth?tab=nonsense', '/student/auth?verified=yes'])('%s opens the login tab, without a word of a verification', async (address) => {
  open(address, { school });
  expect(await tab('Login')).toHaveAttribute('aria-selected', 'true');
  expect(await heading('Welcome Back')).toBeVisible();
  expect(screen.queryByText(/verified successfully/)).not.toBeInTheDocument();
});

it('opens the login tab after the verification, whatever the address asks for', async () => {
  open('/student/auth?tab=register&verified=true', { school });
  expect(await tab('Login')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByText('Your email has been verified successfully! You can now log in.')).toBeVisible();
  expect(screen.getByText('Your account is active as soon as your address is verified.').closest('li')).toHaveAttribute('aria-current', 'step');
});

it('shows the benefits, the five steps and the contact beside the forms', async () => {
  open('/student/auth', { school });
  const panel = within(await screen.findByRole('region', { name: 'Your courses, in one place' }));
  const steps = within(panel.getByRole('list', { name: 'How to Register' })).getAllByRole('listitem');
  expect(steps.map((step) => step.querySelector('strong')?.textContent)).toEqual([
    'Complete the form', 'Verify your email', 'Log in', 'Upload documents', 'Browse and enroll',
  ]);
  expect(panel.getByRole('link', { name: '(416) 555-0142' })).toHaveAttribute('href', 'tel:+1-416-555-0142');
  expect(panel.getByRole('link', { name: 'office@northgate.example' })).toBeVisible();
});

it.each(['/student', '/student/login', '/student/no/such/page', '/student/reset-password'])('%s leads to the login', async (address) => {
  const { router } = open(address, { school });
  expect(await heading('Student Login')).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: '/student/auth', search: '' });
});

it('shows the form even if the session cannot be checked', async () => {
  server.use(http.get('*/api/students/me', () => HttpResponse.text('boom', { status: 500 })));
  open('/student/auth?tab=register', { school });
  expect(await heading('Create Your Account')).toBeVisible();
  expect(screen.getByLabelText('Email')).toBeVisible();
});

it('says while an address is being verified', async () => {
  let count = 0;
  let release: (() => void) | undefined;
  const held = new Promise<void>((resolve) => { release = resolve; });
  verification(async () => {
    count += 1;
    await held;
    return HttpResponse.json({ message: 'No.' }, { status: 404 });
  });
  const { user, router } = open('/student/verify/not-a-link', { school });
  expect((await screen.findByText('Verifying your email address...')).closest('[role=status]')).not.toBeNull();
  await waitFor(() => expect(document.title).toBe('Verify Your Email · Northgate Academy'));
  release?.();
  expect(await heading('Verification failed')).toHaveFocus();
  expect(count).toBe(1);
  await user.click(screen.getByRole('link', { name: 'Back to Login' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/student/auth'));
});

it('keeps the class that was chosen through registration and verification', async () => {
  const next = '/student/courses?grade=all&q=ENG4U&section=7';
  const wanted = `?${new URLSearchParams({ next })}`;
  verification(() => HttpResponse.json({ message: 'ok' }));
  const { user, router } = open(`/student/verify/a-token${wanted}`, { school });
  await user.click(await screen.findByRole('link', { name: 'Proceed to Login' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/student/auth'));
  expect(new URLSearchParams(router.state.location.search).get('next')).toBe(next);
});

it('retries an offline verification', async () => {
  verification(() => HttpResponse.error());
  const { user } = open('/student/verify/a-token', { school });
  expect(await heading('Verification failed')).toBeVisible();
  expect(screen.getByText('An error occurred during verification')).toBeVisible();
  expect(screen.getByText(/could not be reached/)).toBeVisible();
  verification(() => HttpResponse.json({ message: 'ok' }));
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await heading('Email Verified')).toHaveFocus();
});

it.each([
  ['in the server’s words', () => HttpResponse.json({ message: 'The account is gone.' }, { status: 404 }), 'The account is gone.', 0],
  ['in words although the response has none', () => HttpResponse.html('<html>boom</html>', { status: 500 }), "We couldn't verify your email address. The link may have expired or is invalid.", 1],
])('reports a failed verification %s', async (_, response, words, retries) => {
  verification(response);
  open('/student/verify/a-token', { school });
  expect(await heading('Verification failed')).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.queryByText(/boom/)).not.toBeInTheDocument();
  // Only temporary failures can be retried.
  expect(screen.queryAllByRole('button', { name: 'Try Again' })).toHaveLength(retries);
  expect(screen.getByRole('button', { name: 'Send a New Link' })).toBeVisible();
});

it.each(['/student/verify', '/student/verify/'])('says at %s that the link is incomplete', async (address) => {
  open(address, { school });
  expect(await heading('Verification failed')).toBeVisible();
  expect(screen.getByText('Invalid verification link')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Login' })).toBeVisible();
});
