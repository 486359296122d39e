// History state of the student login page.
import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { paths } from '../paths.ts';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

it('keeps the registered address at every step to another tab and back', async () => {
  server.use(http.get('/api/students/me', () => HttpResponse.json({ message: 'Please log in.' }, { status: 401 })));
  const { user, router } = open('/about', { school });
  const state = { registered: 'mina@mail.example' };
  await act(() => router.navigate(paths.studentRegister, { state }));
  await screen.findByRole('heading', { name: 'Check Your Inbox' });
  const kept: unknown[] = [];
  router.subscribe(({ location }) => kept.push(location.state));
  await user.click(screen.getByRole('tab', { name: 'Login' }));
  await user.click(screen.getByRole('tab', { name: 'Register' }));
  expect(await screen.findByRole('heading', { name: 'Check Your Inbox' })).toBeInTheDocument();
  expect(kept.length).toBeGreaterThan(1);
  for (const each of kept) expect(each).toEqual(state);
});
