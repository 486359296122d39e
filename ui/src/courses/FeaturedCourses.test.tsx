// The three courses on the home page, loading and failed.
import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const url = 'http://localhost:3000/api/courses';

it('waits behind three placeholders', async () => {
  server.use(http.get(url, async () => { await delay('infinite'); }));
  open('/', { school });
  const list = await screen.findByRole('list', { name: 'Loading courses' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(3);
});

it('does not show a failure separately', async () => {
  server.use(http.get(url, () => new HttpResponse(null, { status: 500 })));
  open('/', { school });
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Loading courses' })).not.toBeInTheDocument());
  expect(await screen.findByRole('heading', { name: 'Featured Courses' })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'View All Courses' })).toHaveAttribute('href', '/courses');
});
