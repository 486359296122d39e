// A form sends its fields' values, even without events.
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

/** As some password managers do: without input, change or key events. */
function fillSilently(label: string, value: string) {
  (screen.getByLabelText(label) as HTMLInputElement).value = value;
}

function hear(path: string) {
  const sent: unknown[] = [];
  server.use(
    http.get('http://localhost:3000/api/*', () => new HttpResponse(null, { status: 401 })),
    http.post(`http://localhost:3000${path}`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ message: 'ok' });
    }),
  );
  return sent;
}

it.each([
  {
    page: '/student/auth?tab=login',
    path: '/api/students/login',
    filled: { Email: 'mei@mail.example', Password: 'correct horse' },
    button: 'Login',
    expected: { email: 'mei@mail.example', password: 'correct horse' },
  },
  {
    page: '/student/auth?tab=register',
    path: '/api/students/register',
    filled: { Email: 'Mei <mei@mail.example>', Password: 'correct horse', 'Confirm Password': 'correct horse' },
    button: 'Register',
    expected: { email: 'mei@mail.example', password: 'correct horse', confirmPassword: 'correct horse' },
  },
  {
    page: '/student/reset-password/t0ken',
    path: '/api/students/reset-password',
    filled: { 'New Password': 'correct horse', 'Confirm New Password': 'correct horse' },
    button: 'Change My Password',
    expected: { token: 't0ken', password: 'correct horse', confirmPassword: 'correct horse' },
  },
  {
    page: '/admin/login',
    path: '/api/login',
    filled: { Username: 'head', Password: 'correct horse' },
    button: 'Login',
    expected: { username: 'head', password: 'correct horse' },
  },
])('reads what a password manager filled in silently: $page', async ({ page, path, filled, button, expected }) => {
  const sent = hear(path);
  const { user } = open(page, { school });
  await screen.findByRole('button', { name: button });
  for (const [label, value] of Object.entries(filled)) fillSilently(label, value);
  await user.click(screen.getByRole('button', { name: button }));
  await waitFor(() => expect(sent).toEqual([expect.objectContaining(expected)]));
});

it('reads a corrected field that was filled silently, and one that was typed, alike', async () => {
  const sent = hear('/api/students/login');
  const { user } = open('/student/auth?tab=login', { school });
  await user.type(await screen.findByLabelText('Email'), 'mei@mail.example');
  fillSilently('Password', 'short');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  expect(await screen.findByLabelText('Password')).toHaveAccessibleDescription('Password must be at least 8 characters.');
  fillSilently('Password', 'correct horse');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ email: 'mei@mail.example', password: 'correct horse' })]));
});
