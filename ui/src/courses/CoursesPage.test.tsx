// The catalogue page: tabs, address, loading, failure, empty states and filter.
import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { course, school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const courses = [
  course({ code: 'ENL1W', grade: 9, name: 'English' }),
  course({ code: 'ENG2D', grade: 10, name: 'English' }),
  course({ code: 'ENG4U', grade: 12, name: 'English' }),
  course({ code: 'SCH4U', grade: 12, name: 'Chemistry', credits: 0.5, isCompulsory: true }),
];
const url = 'http://localhost:3000/api/courses';

const hrefsIn = (name: string) => within(screen.getByRole('region', { name })).getAllByRole('link').map((link) => link.getAttribute('href'));

const tab = (name: string) => screen.findByRole('tab', { name });

it('opens on grade 9, and on grade 9 for a grade that does not exist', async () => {
  open('/courses?grade=13', { school, courses });
  expect(await tab('Grade 9')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByText(/ENL1W/)).toBeInTheDocument();
});

it('moves with the arrow keys, Home and End, and replaces the address', async () => {
  const { user, router } = open('/courses?grade=9', { school, courses });
  (await tab('Grade 9')).focus();
  await user.keyboard('{ArrowLeft}');
  expect(await tab('Grade 12')).toHaveFocus();
  expect(await tab('Grade 12')).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{Home}{ArrowRight}{ArrowRight}{ArrowLeft}');
  expect(await tab('Grade 10')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByText(/ENG2D/)).toBeInTheDocument();
  await waitFor(() => expect(router.state.location.search).toBe('?grade=10'));
  expect(router.state.historyAction).toBe('REPLACE');
  await user.keyboard('{End}');
  await waitFor(() => expect(router.state.location.search).toBe('?grade=12'));
});

it('shows the first 200 characters of a search in the address, as the server does', async () => {
  open(`/courses?grade=12&q=${'é'.repeat(201)}`, { school, courses });
  expect(await screen.findByRole('searchbox')).toHaveValue('é'.repeat(200));
});

it('follows a link of the header to another grade', async () => {
  const { user } = open('/courses?grade=9', { school, courses });
  await user.click(await screen.findByRole('button', { name: 'Courses' }));
  await user.click(await screen.findByRole('link', { name: 'Grade 12' }));
  await waitFor(async () => expect(await tab('Grade 12')).toHaveAttribute('aria-selected', 'true'));
  expect(document.title).toBe('Grade 12 courses · Northgate Academy');
});

it.each([[9, 5], [12, 7]])('grade %i loads behind %i placeholders', async (grade, count) => {
  server.use(http.get(url, async () => { await delay('infinite'); }));
  open(`/courses?grade=${grade}`, { school });
  const list = await screen.findByRole('list', { name: 'Loading courses' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(count);
});

it('says that the courses failed to load, and tries again when asked', async () => {
  server.use(http.get(url, () => HttpResponse.html('<p>oops</p>', { status: 500 })));
  const { user } = open('/courses', { school });
  expect(await screen.findByText('Failed to load courses. Please try again later.')).toBeInTheDocument();
  server.use(http.get(url, () => HttpResponse.json(courses)));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/ENL1W/)).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('tabpanel')).toHaveFocus());
});

it('says so when a grade has no courses', async () => {
  open('/courses?grade=11', { school, courses });
  expect(await screen.findByText('No Grade 11 courses at this time')).toBeInTheDocument();
});

it('filters, keeps the filter in the address, and can be cleared', async () => {
  const { user, router } = open('/courses?grade=12', { school, courses });
  const filter = await screen.findByRole('searchbox', { name: 'Search by name or code' });
  await user.type(filter, 'chem');
  expect(screen.getByText('1 of 2 courses')).toBeInTheDocument();
  expect(screen.queryByText(/ENG4U/)).not.toBeInTheDocument();
  await waitFor(() => expect(router.state.location.search).toBe('?grade=12&q=chem'));
  await user.type(filter, 'xyz');
  await user.click(screen.getByRole('link', { name: 'Show All Grade 12 Courses' }));
  expect(screen.getByText('2 courses')).toBeInTheDocument();
  expect(filter).toHaveFocus();
});

it('narrows a grade to a level, says how many each grade has, and keeps it in the address', async () => {
  const more = [...courses, course({ code: 'ENG4C', grade: 12, courseType: 'College' }), course({ code: 'MCF3M', grade: 11, courseType: 'College' })];
  const { user, router } = open('/courses?grade=12', { school, courses: more });
  const levels = await screen.findByRole('list', { name: 'Level' });
  expect(within(levels).getAllByRole('link').map((link) => link.textContent)).toEqual(['All levels 3', 'OOpen 2', 'CCollege 1']);
  await user.click(within(levels).getByRole('link', { name: /College/ }));
  expect(await tab('Grade 11 (1)')).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('1 of 3 courses');
  await waitFor(() => expect(router.state.location.search).toBe('?grade=12&level=College'));
  await user.click(await tab('Grade 9 (0)'));
  expect(await screen.findByRole('heading', { name: 'No College courses in Grade 9' })).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Show All Grade 9 Courses' }));
  expect(screen.getByText('ENL1W · Open')).toBeInTheDocument();
});

it('shows what other grades have where the grade has nothing that matches', async () => {
  const physics = [course({ code: 'SPH3U', grade: 11, name: 'Physics' }), course({ code: 'SPH4U', grade: 12, name: 'Physics' })];
  const { user } = open('/courses?grade=9&q=physics', { school, courses: [...courses, ...physics] });
  expect(await screen.findByRole('heading', { name: 'No Grade 9 course matches “physics”' })).toBeInTheDocument();
  expect(hrefsIn('Grade 11')).toEqual(['/courses/SPH3U']);
  expect(hrefsIn('Grade 12')).toEqual(['/courses/SPH4U']);
  await user.type(screen.getByRole('searchbox'), 'x');
  expect(screen.queryByRole('region', { name: 'Grade 12' })).toBeNull();
  expect(screen.getByText('Try other words or another level.')).toBeInTheDocument();
});

it('leads to a subject of the page', async () => {
  const { user } = open('/courses?grade=12', { school, courses: [...courses, course({ code: 'MHF4U', grade: 12, subject: 'Mathematics' })] });
  await user.click(within(await screen.findByRole('navigation', { name: 'Subjects' })).getByRole('link', { name: 'Mathematics' }));
  expect(screen.getByRole('heading', { name: 'Mathematics' })).toHaveFocus();
});

it('marks compulsory courses and half credits, and shows no fee', async () => {
  open('/courses?grade=12&q=SCH4U', { school, courses });
  expect(await screen.findByText('Compulsory')).toBeInTheDocument();
  expect(screen.getByText('Half credit')).toBeInTheDocument();
  expect(document.body).not.toHaveTextContent('549');
});
