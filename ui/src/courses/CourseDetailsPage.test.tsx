// The course page: complete, with missing parts, archived, unknown and failed.
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import type { CourseDetails, CourseLink } from '../api-types.ts';
import { course, school, zone } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const link = (code: string, grade: CourseLink['grade'] = 11): CourseLink => ({ code, name: `Name of ${code}`, grade, courseType: 'University', level: 'U' });

const details: CourseDetails = {
  ...course({ code: 'MHF4U', grade: 12, name: 'Advanced Functions', courseType: 'University', level: 'U', isCompulsory: true }),
  levelName: 'University Preparation',
  hours: 110,
  priceText: '$769.00',
  codeParts: [{ characters: 'MH', meaning: 'Subject', value: 'Mathematics' }],
  prerequisites: {
    words: 'You need a credit in one of these courses.',
    items: [
      { code: 'MCR3U', course: link('MCR3U'), note: null },
      { code: 'MCT4C', course: null, note: 'It is not taught here: a credit from another school counts.' },
    ],
  },
  usualWay: [link('MPM2D', 10), link('MCR3U')],
  leadsTo: [link('MCV4U', 12)],
  sections: [],
};
const plain: CourseDetails = {
  ...details,
  isCompulsory: false, isOpen: false, priceText: null, codeParts: [], prerequisites: { words: 'No other course has to come first.', items: [] }, usualWay: [], leadsTo: [],
};
const url = 'http://localhost:3000/api/courses/MHF4U';

it('shows what the page brought: what comes before, where it leads, what it costs, and how to take it', async () => {
  open('/courses/mhf4u', { school: { ...school, showFees: true }, course: details });
  expect(await screen.findByRole('heading', { level: 1, name: 'Advanced Functions' })).toBeInTheDocument();
  expect(document.title).toBe('Advanced Functions (MHF4U) · Northgate Academy');
  const before = screen.getByRole('region', { name: 'Before This Course' });
  expect(within(before).getByRole('link', { name: 'Name of MCR3U' })).toHaveAttribute('href', '/courses/MCR3U');
  expect(before).toHaveTextContent('MCT4CIt is not taught here');
  expect(within(before).getByRole('list', { name: 'The usual path here:' })).toHaveTextContent('MPM2DMCR3UMHF4U');
  expect(within(screen.getByRole('region', { name: 'Where It Leads' })).getByRole('link')).toHaveAttribute('href', '/courses/MCV4U');
  expect(screen.getByRole('region', { name: 'Reading MHF4U' })).toHaveTextContent('MHSubject Mathematics');
  const glance = screen.getByRole('complementary', { name: 'At a glance' });
  expect(glance).toHaveTextContent('$769.00');
  expect(within(glance).getByRole('link', { name: 'Enroll in This Course' })).toHaveAttribute('href', '/student/courses?grade=all&q=MHF4U');
});

const section: CourseDetails['sections'][number] = {
  id: 7, term: { id: 1, name: 'Winter 2027' }, label: 'A', kind: 'regular', delivery: 'synchronous', startsOn: '2027-02-01', endsOn: '2027-06-18', joinUntil: '2027-02-15',
  teacherName: 'R. Okafor', meetings: [{ weekday: 2, startsAt: '19:00', endsAt: '20:30' }], timeZone: 'Pacific/Chatham', price: null, seatsLeft: null, isOpen: true,
  deliveryText: 'Live', whenText: 'Tue 19:00–20:30 Chatham', datesText: 'Feb 1 – Jun 18, 2027', joinText: 'Join by Feb 15, 2027', priceText: null, seatsText: null,
};

it('shows each class with its hours there and here, and a link that asks for it', async () => {
  open('/courses/MHF4U', { school: { ...school, timeZone: zone('Pacific/Chatham') }, course: { ...details, sections: [section, { ...section, id: 8, label: 'B', isOpen: false, meetings: [], whenText: 'At your own pace' }] } });
  const [first, second] = within(await screen.findByRole('region', { name: 'Classes' })).getAllByRole('listitem');
  expect(first).toHaveTextContent('Winter 2027 · Section A Live');
  expect(await within(first as HTMLElement).findByText(/your time/)).toBeInTheDocument();
  expect(first).toHaveTextContent('Tue 19:00–20:30 Chatham');
  expect(within(first as HTMLElement).getByRole('link', { name: 'Request' })).toHaveAttribute('href', '/student/courses?grade=all&q=MHF4U&section=7');
  expect(second).toHaveTextContent('Not accepting requests right now');
  expect(second).not.toHaveTextContent('your time');
});

it('asks for free seats, which the page does not bring', async () => {
  server.use(http.get(url, () => HttpResponse.json({ ...details, sections: [{ ...section, seatsLeft: 0, seatsText: 'Full' }] })));
  open('/courses/MHF4U', { school: { ...school, showSeats: true }, course: { ...details, sections: [section] } });
  expect(await screen.findByText('Full')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Join the Waiting List' })).toBeInTheDocument();
});

it('shows no fee unless the school does, and names no semester before one is published', async () => {
  open('/courses/MHF4U', { school: { ...school, semesters: [] }, course: details });
  const glance = await screen.findByRole('complementary', { name: 'At a glance' });
  expect(within(glance).getByRole('link', { name: 'Fees differ by delivery: ask the school' })).toHaveAttribute('href', '/contact?subject=courses');
  expect(glance).not.toHaveTextContent('$');
  expect(glance).not.toHaveTextContent('begins');
});

it('says so where there is nothing of it', async () => {
  open('/courses/MHF4U', { school: { ...school, showFees: true }, course: plain });
  expect(await screen.findByText('No other course has to come first.')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Where It Leads' })).toHaveTextContent('No course in the catalogue requires this one by name');
  const glance = screen.getByRole('complementary', { name: 'At a glance' });
  expect(glance).toHaveTextContent('On request');
  expect(glance).toHaveTextContent('This course isn’t accepting requests right now.');
  expect(screen.queryByRole('link', { name: 'Enroll in This Course' })).not.toBeInTheDocument();
  expect(screen.queryByText(/Reading/)).not.toBeInTheDocument();
  expect(screen.queryByText('The usual path here:')).not.toBeInTheDocument();
});

it('says what to take instead of a course that is no longer offered', async () => {
  const current = { code: 'MHF4U', name: 'Advanced Functions', grade: 12, advice: 'What to Take Instead', successors: [link('MCV4U', 12)] };
  server.use(http.get(url, () => HttpResponse.json({ message: 'This course is no longer offered.', current }, { status: 410 })));
  open('/courses/MHF4U', { school });
  expect(await screen.findByRole('heading', { name: 'What to Take Instead' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Name of MCV4U' })).toHaveAttribute('href', '/courses/MCV4U');
});

it('says that there is no such course', async () => {
  server.use(http.get(url, () => HttpResponse.json({ message: 'Course not found' }, { status: 404 })));
  open('/courses/MHF4U', { school });
  expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeInTheDocument();
  expect(document.title).toBe('Page Not Found · Northgate Academy');
});

it('says that a course failed to load, and tries again when asked', async () => {
  server.use(http.get(url, () => HttpResponse.html('<p>oops</p>', { status: 500 })));
  const { user } = open('/courses/MHF4U', { school });
  expect(await screen.findByText('Failed to load the course. Please try again later.')).toBeInTheDocument();
  server.use(http.get(url, () => HttpResponse.json(details)));
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Advanced Functions' })).toBeInTheDocument();
});
