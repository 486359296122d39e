// The table of pages: components, icons, and the logins that visitors are led to.
import { render, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { newQueryClient, seedQueries } from './boot.ts';
import { addDrawings, Icon } from './components/Icon.tsx';
import { officeDrawings } from './components/officeDrawings.ts';
import { officePages, pages, pagesOf } from './pages.ts';
import { loadPage, routes } from './routes.tsx';
import { school } from './test/data.ts';
import { server } from './test/server.ts';

const signedOut = () => HttpResponse.json({ message: 'Please log in to continue.' }, { status: 401 });

it.each(pages)('$path has a component of its own', async (page) => {
  expect((await loadPage(page)).Component).toBeTypeOf('function');
});

it('knows every page that is built, each once', () => {
  const built = Object.keys(import.meta.glob(['./**/*Page.tsx', '!./components/**'])).map((file) => file.slice(2, -'.tsx'.length));
  expect([...new Set(pages.map(({ page }) => page))].toSorted()).toEqual(built.toSorted());
});

addDrawings(officeDrawings);

it.each(officePages)('$path has an icon that is drawn', ({ nav }) => {
  const { container } = render(<Icon name={nav.icon} />);
  expect(container.querySelector('path')).toHaveAttribute('d', expect.stringMatching(/^[Mm]/));
});

it.each([...pagesOf('student'), ...pagesOf('office')])('$path leads visitors to its login, and back', async ({ path }) => {
  server.use(http.get('*/api/user', signedOut), http.get('*/api/students/me', signedOut));
  const address = `${path.replace(':id', '1')}?q=a`;
  const client = newQueryClient();
  seedQueries(client, { school });
  const router = createMemoryRouter(routes(client), { initialEntries: [address] });
  await waitFor(() => expect(router.state.location).toMatchObject({
    pathname: path.startsWith('/student/') ? '/student/auth' : '/admin/login',
    search: `?${new URLSearchParams({ next: address })}`,
  }));
  router.dispose();
});
