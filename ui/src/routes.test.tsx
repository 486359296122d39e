// Every public address renders its page without an error, whatever the school's facts; portal addresses lead visitors
// to their logins.
import { render, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { School, TextKind } from './api-types.ts';
import { Icon } from './components/Icon.tsx';
import { officePages, pages, pagesOf } from './pages.ts';
import { loadPage } from './routes.tsx';
import { course, school, text } from './test/data.ts';
import { open } from './test/render.tsx';
import { server } from './test/server.ts';

const awkward = '& < > " \' $& {{name}} 学校 🎓 مدرسة';
const awkwardSchool: School = {
  ...school,
  name: awkward,
  tagline: awkward,
  address: { street: awkward, city: awkward, province: '', postalCode: '' },
  phone: awkward,
  hours: awkward,
  socialLinks: [{ name: awkward, url: 'https://social.example/' }],
  universities: [],
  isSample: true,
  isNamed: false,
};
const awkwardCourse = course({ code: 'ENL1W', grade: 9, name: awkward, description: awkward, prerequisite: awkward, price: null });

const screens = [
  ['/', 'Ontario high school credits, taught live by certified teachers'],
  ['/about', 'About Us'],
  ['/services', 'Our Services'],
  ['/courses', 'Course Catalogue'],
  ['/contact', 'Contact Us'],
  ['/terms', 'Terms of Service'],
  ['/privacy', 'Privacy Policy'],
  ['/nowhere/at/all', '404 Page Not Found'],
  ['/student/auth', 'Student Login'],
  ['/student/auth?tab=register', 'Student Registration'],
  ['/student/verify', 'Verification failed'],
  ['/student/forgot-password', 'Forgot Your Password'],
  ['/student/reset-password/a-token', 'Choose a New Password'],
  ['/admin/login', 'Admin Login'],
  ['/admin/reset-password/a-token', 'Choose a New Password'],
] as const;

const texts = http.get('*/api/texts/:kind', ({ params: { kind } }) =>
  HttpResponse.json(text(kind as TextKind, [{ id: 'one', name: 'One', heading: '1. One', blocks: [] }])),
);

const signedOut = () => HttpResponse.json({ message: 'Please log in to continue.' }, { status: 401 });

describe.each([
  ['plain', { school, courses: [course({ code: 'ENL1W', grade: 9 })] }],
  ['no', { school, courses: [] }],
  ['awkward', { school: awkwardSchool, courses: [awkwardCourse] }],
])('with %s data', (_, boot) => {
  const consoleError = vi.spyOn(console, 'error');
  beforeEach(() => {
    consoleError.mockClear();
    server.use(http.get('*/api/user', signedOut), http.get('*/api/students/me', signedOut), texts);
  });

  it.each(screens)('%s shows its heading', async (address, heading) => {
    open(address, boot);
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(heading);
    expect(consoleError).not.toHaveBeenCalled();
  });
});

describe('the table of pages', () => {
  it.each(pages)('$path has a component of its own', async (page) => {
    expect((await loadPage(page)).Component).toBeTypeOf('function');
  });

  it('knows every page that is built, each once', () => {
    const built = Object.keys(import.meta.glob(['./*/*Page.tsx', '!./components/*'])).map((file) => file.slice(2, -'.tsx'.length));
    expect([...new Set(pages.map(({ page }) => page))].toSorted()).toEqual(built.toSorted());
  });

  it.each(officePages)('$path has an icon that is drawn', ({ nav }) => {
    const { container } = render(<Icon name={nav.icon} />);
    expect(container.querySelector('path')).toHaveAttribute('d');
  });

  it.each([...pagesOf('student'), ...pagesOf('office')])('$path leads visitors to its login', async ({ path }) => {
    server.use(http.get('*/api/user', signedOut), http.get('*/api/students/me', signedOut));
    const { router } = open(path.replace(':id', '1'), { school });
    const isStudents = path.startsWith('/student/');
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(isStudents ? 'Student Login' : 'Admin Login');
    expect(router.state.location.pathname).toBe(isStudents ? '/student/auth' : '/admin/login');
  });
});

it('asks for the school when the page came without it', async () => {
  server.use(http.get('http://localhost:3000/api/school', () => HttpResponse.json(school)));
  open('/about');
  expect(await screen.findByRole('heading', { name: 'About Us' })).toBeVisible();
});

it('says so when not even the school can be loaded', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  server.use(http.get('http://localhost:3000/api/school', () => HttpResponse.error()));
  open('/about');
  expect(await screen.findByRole('heading', { name: 'This page could not be loaded' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeVisible();
  consoleError.mockRestore();
});

it('moves the focus to the heading and changes the title on the way to another page', async () => {
  server.use(texts);
  const { user } = open('/about', { school, courses: [] });
  await user.click((await screen.findAllByText('Privacy Policy'))[0] as HTMLElement);
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toHaveFocus());
  expect(document.title).toBe('Privacy Policy · Northgate Academy');
});

it('changes the title together with the page, not after it', async () => {
  document.title = 'Before';
  const seen = new Set<string>();
  const observer = new MutationObserver(() => {
    if (screen.queryByRole('heading', { level: 1, name: 'Privacy Policy' })) seen.add(document.title);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  server.use(texts);
  open('/privacy', { school });
  await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' });
  observer.disconnect();
  expect([...seen]).toEqual(['Privacy Policy · Northgate Academy']);
});

