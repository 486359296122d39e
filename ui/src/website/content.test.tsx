// The school's own content: pictures, people, questions. Without it nothing is empty.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Picture } from '../api-types.ts';
import { course, school, text } from '../test/data.ts';
import { open } from '../test/render.tsx';

const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const picture = (name: string): Picture => ({ src: `${pixel}#${name}`, srcset: `${pixel}#${name} 960w`, width: 1600, height: 1067, alt: name });

const shown = {
  ...school,
  questions: [
    { question: 'May one join late?', answer: 'Yes.\nA teacher helps to catch up.' },
    { question: 'What is 1 < 2 & "3"?', answer: 'A question.' },
  ],
  pictures: {
    hero: picture('The house'),
    campus: [picture('The library'), picture('The laboratory')],
    people: [{ name: 'Margaret Oyelaran', role: 'Principal', picture: picture('Margaret Oyelaran at her desk') }],
  },
};

const unset = {
  ...school,
  tagline: '',
  inspectionId: '',
  registrationNumber: '',
  foundedYear: null,
  yearsOfTeaching: null,
  address: { street: '', city: '', province: '', postalCode: '' },
  phone: '',
  phoneLink: '',
  email: '',
  hours: '',
  mapLink: '',
  universities: [],
};

it('shows the first picture at once and in place of the seal, and the others when one comes to them', async () => {
  const { container } = open('/', { school: shown, courses: [], featured: { courses: [], total: 0 } });
  const hero = await screen.findByRole('img', { name: 'The house' });
  expect(hero).toHaveAttribute('loading', 'eager');
  expect(hero).toHaveAttribute('fetchpriority', 'high');
  expect(container.querySelector('.seal')).toBeNull();
  expect(screen.queryByRole('region', { name: 'A Class, Live' }), 'a drawing gives way to pictures').toBeNull();
  const campus = within(screen.getByRole('region', { name: 'Around the School' })).getAllByRole('img');
  expect(campus.map((image) => image.getAttribute('alt'))).toEqual(['The library', 'The laboratory']);
  for (const image of [hero, ...campus]) {
    expect(image).toHaveAttribute('srcset', expect.stringContaining(' 960w'));
    expect(image).toHaveAttribute('sizes');
    expect(image, 'its place is kept').toHaveAttribute('width', '1600');
    expect(image).toHaveAttribute('height', '1067');
    expect(image).toHaveAttribute('decoding', 'async');
  }
  for (const image of campus) expect(image).toHaveAttribute('loading', 'lazy');
});

it('answers what families ask, in the lines in which the school wrote it', async () => {
  const { user } = open('/', { school: shown, courses: [], featured: { courses: [], total: 0 } });
  const questions = await screen.findByRole('region', { name: 'Questions and Answers' });
  const answer = within(questions).getByText(/^Yes/);
  expect(answer).not.toBeVisible();
  await user.click(within(questions).getByText('May one join late?'));
  expect(answer).toBeVisible();
  expect(answer.textContent).toBe('Yes.\nA teacher helps to catch up.');
  expect(within(questions).getByText('What is 1 < 2 & "3"?')).toBeVisible();
});

it('draws a lesson of its own catalogue where there are no pictures, and says in figures what it has', async () => {
  const featured = { courses: [course({ code: 'ENL1W', grade: 9 }), course({ code: 'ENG4U', grade: 12, name: 'English', courseType: 'University' })], total: 158 };
  open('/', { school, featured });
  const lesson = await screen.findByRole('region', { name: 'A Class, Live' });
  expect(lesson).toHaveTextContent('ENG4UEnglishGrade 12, University');
  expect(lesson.querySelector('.lesson')).toHaveAttribute('aria-hidden', 'true');
  expect(screen.getByRole('link', { name: '158 Courses in the catalogue' })).toHaveAttribute('href', '/courses');
  expect(screen.getByRole('link', { name: '1 Universities that accepted our graduates' })).toHaveAttribute('href', '/about#universities');
  expect(screen.getByRole('link', { name: '2008 The year we opened' })).toHaveAttribute('href', '/about');
});

it('introduces the people', async () => {
  open('/about', { school: shown });
  const people = await screen.findByRole('region', { name: 'Our People' });
  expect(within(people).getByRole('img', { name: 'Margaret Oyelaran at her desk' })).toHaveAttribute('loading', 'lazy');
  expect(within(people).getByRole('heading', { name: 'Margaret Oyelaran' })).toBeVisible();
  expect(within(people).getByText('Principal')).toBeVisible();
});

it('says nothing of what a school has not given', async () => {
  const { container, router } = open('/', { school: { ...school, universities: [], yearsOfTeaching: null }, courses: [], featured: { courses: [], total: 0 } });
  expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
  expect(container.querySelector('.seal')).not.toBeNull();
  for (const name of ['Around the School', 'Questions and Answers', 'Universities']) {
    expect(screen.queryByRole('region', { name })).toBeNull();
  }
  for (const name of [/Universities/, /in the catalogue$/]) expect(screen.queryByRole('link', { name })).toBeNull();
  await router.navigate('/about');
  expect(await screen.findByRole('heading', { level: 1, name: 'About Us' })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Our People' })).toBeNull();
  expect(screen.queryByRole('heading', { name: /Graduates/ })).toBeNull();
  expect(screen.queryByText(/years$/)).toBeNull();
  expect(screen.getByRole('heading', { name: '2008' })).toBeVisible();
});

it.each(['/', '/about', '/contact'])('%s leaves out what is not set, in sentences that are still right', async (address) => {
  const { container } = open(address, { school: unset, courses: [], featured: { courses: [], total: 0 } });
  await screen.findByRole('heading', { level: 1 });
  const words = container.textContent ?? '';
  expect(words).not.toMatch(/null|undefined|BSID|since| ,|, ,|\(\)|registration no\./i);
  for (const link of screen.getAllByRole('link')) {
    expect(link).toHaveAttribute('href', expect.not.stringMatching(/^(mailto:|tel:|)$/));
    expect(link).not.toHaveTextContent(/^$/);
  }
  expect(screen.getAllByRole('link', { name: 'Contact' }).length).toBeGreaterThan(0);
});

const plain = (words: string) => ({ words, isStrong: false, to: null });

it('shows a text in its parts, and none that the school has not written', async () => {
  const sections = [
    { id: 'part-1', name: '', heading: '', blocks: [{ isList: false, lines: [[plain('Before '), { ...plain('all'), isStrong: true }, plain('.')]] }] },
    { id: 'one', name: 'One', heading: '1. One', blocks: [{ isList: false, lines: [[plain('First.')], [{ ...plain('Ask'), to: '/contact' }]] }] },
    { id: 'two', name: 'Two', heading: '2. Two', blocks: [{ isList: true, lines: [[plain('Second.')]] }] },
  ];
  const { router } = open('/terms', { school, courses: [], text: text('terms', sections) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  expect(screen.getByText('Last updated June 1, 2023')).toBeVisible();
  expect(within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link')).toHaveLength(2);
  expect(screen.getByText('all').closest('strong')).toBeVisible();
  expect(within(screen.getByRole('region', { name: '2. Two' })).getByRole('listitem')).toHaveTextContent('Second.');
  await router.navigate('/refunds');
  expect(await screen.findByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
});
