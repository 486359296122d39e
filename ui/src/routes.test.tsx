// Every public address renders its page without an error, whatever the school's facts.
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { School, TextKind } from './api-types.ts';
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
  ['plain', { school, courses: [course({ code: 'ENL1W', grade: 9 })] }, screens],
  // Other pages do not read the catalogue.
  ['no', { school, courses: [] }, screens.filter(([address]) => ['/', '/courses'].includes(address))],
  ['awkward', { school: awkwardSchool, courses: [awkwardCourse] }, screens],
] as const)('with %s data', (_, facts, drawn) => {
  const boot = { ...facts, courses: [...facts.courses] };
  const consoleError = vi.spyOn(console, 'error');
  beforeEach(() => {
    consoleError.mockClear();
    server.use(http.get('*/api/user', signedOut), http.get('*/api/students/me', signedOut), texts);
  });

  it.each(drawn)('%s shows its heading', async (address, heading) => {
    const { container } = open(address, boot);
    await waitFor(() => expect(container.querySelector('h1')).toHaveTextContent(heading));
    expect(consoleError).not.toHaveBeenCalled();
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

