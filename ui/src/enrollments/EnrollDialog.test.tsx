// Dates of a request: section 5's defaults, or a choice of published semesters.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OfferedSemester } from '../api-types.ts';
import { newQueryClient, seedQueries } from '../boot.ts';
import { course, school } from '../test/data.ts';
import { server } from '../test/server.ts';
import { EnrollDialog } from './EnrollDialog.tsx';

const eng = course({ code: 'ENG4U', grade: 12, price: 549 });

const running: OfferedSemester = {
  name: 'Fall 2026', startDate: '2026-09-08', endDate: '2026-12-18', joinUntil: '2026-11-27',
  startText: 'Tuesday, September 8', whenText: 'has begun; you may join until Friday, November 27',
};

function openDialog(semesters: OfferedSemester[], wanted = eng) {
  server.use(http.get('*/api/students/enrollments/dates', () => HttpResponse.json({ earliestStart: '2026-10-01', latestStart: '2028-05-26', maxMonths: 24 })), http.post('*/api/students/enrollments/quote', () => HttpResponse.json({ policy: null, steps: [] })));
  const client = newQueryClient();
  seedQueries(client, { school: { ...school, semesters } });
  const element = <EnrollDialog course={wanted} catalogue={[eng]} check={undefined} earlier={undefined} onClose={() => {}} onEnrolled={() => {}} />;
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const start = () => screen.getByLabelText('Start date');
const end = () => screen.getByLabelText('End date');

// jsdom has no modal dialogs.
HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) { this.open = true; };
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) { this.open = false; };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-10-31T12:00:00') });
});
afterEach(() => void vi.useRealTimers());

it('opens with today and four months later while no semester is published, and names the price', async () => {
  openDialog([]);
  expect(await screen.findByLabelText('Start date')).toHaveValue('2026-10-31');
  expect(end()).toHaveValue('2027-02-28');
  expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  expect(screen.getByText('$549.00')).toBeInTheDocument();
});

it('opens with the first semester, a running one too, and goes to other dates and back', async () => {
  const user = openDialog([running, ...school.semesters]);
  const fall = await screen.findByRole('radio', { name: /^Fall 2026\s*has begun; you may join until Friday, November 27$/ });
  expect(fall).toBeChecked();
  expect([start(), end()].map((field) => (field as HTMLInputElement).value)).toEqual(['2026-09-08', '2026-12-18']);
  await user.click(screen.getByRole('radio', { name: /^Winter 2027/ }));
  expect(start()).toHaveValue('2027-02-01');
  await user.click(screen.getByRole('radio', { name: /^Other dates/ }));
  expect(screen.getByRole('radio', { name: /^Other dates/ })).toBeChecked();
  expect([start(), end()].map((field) => (field as HTMLInputElement).value)).toEqual(['2026-10-31', '2027-02-28']);
  await user.click(fall);
  expect(start()).toHaveValue('2026-09-08');
});

it('says what leaving costs by when before the course is asked for, for the days that are chosen', async () => {
  const asked: unknown[] = [];
  const user = openDialog(school.semesters);
  server.use(http.post('*/api/students/enrollments/quote', async ({ request }) => {
    const wanted = (await request.json()) as { startDate: string };
    asked.push(wanted);
    return HttpResponse.json({ policy: 'Usual', steps: [{ from: null, until: wanted.startDate, cost: 0, words: `Until ${wanted.startDate} leaving costs nothing.` }] });
  }));
  expect(await screen.findByText('Until 2027-02-01 leaving costs nothing.')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: /^Spring 2027/ }));
  expect(await screen.findByText('Until 2027-05-03 leaving costs nothing.')).toBeVisible();
  expect(asked).toEqual([
    { courseId: eng.id, startDate: '2027-02-01', endDate: '2027-04-30' }, { courseId: eng.id, startDate: '2027-05-03', endDate: '2027-09-03' },
  ]);
});

const offered = {
  id: 7, term: { id: 1, name: 'Winter 2027' }, label: 'A', kind: 'regular', delivery: 'asynchronous', startsOn: '2027-02-01', endsOn: '2027-06-18', joinUntil: '2027-02-15',
  teacherName: null, meetings: [], timeZone: 'America/Toronto', price: 449, seatsLeft: 4, isOpen: true,
};
const offer = (sections: object[]) => server.use(http.get('*/api/courses/ENG4U', () => HttpResponse.json({ ...eng, sections })));

it('opens with the only class that takes requests, but not with an upgrade', async () => {
  offer([{ ...offered, id: 6, price: 549, isOpen: false }, offered]);
  openDialog([], { ...eng, hasSections: true });
  expect(await screen.findByRole('radio', { name: /449.*4 seats left/ })).toBeChecked();
  cleanup();
  offer([{ ...offered, kind: 'upgrade' }]);
  openDialog([], { ...eng, hasSections: true });
  expect(await screen.findByRole('radio')).not.toBeChecked();
});

it('asks for a course with classes by class, without dates', async () => {
  offer([offered, { ...offered, id: 8, label: 'B', isOpen: false, price: 549 }, { ...offered, id: 9, label: 'C' }]);
  const sent: unknown[] = [];
  server.use(http.post('*/api/students/enrollments', async ({ request }) => {
    sent.push(await request.json());
    return HttpResponse.json({ message: 'No', fields: { sectionId: 'This class is over' } }, { status: 400 });
  }));
  const user = openDialog([], { ...eng, hasSections: true });
  const first = await screen.findByRole('radio', { name: /Winter 2027 · Section A · Own pace.*449.*4 seats left/ });
  expect(screen.queryByLabelText('Start date')).not.toBeInTheDocument();
  expect(screen.getByRole('radio', { name: /Section B.*Not accepting requests/ })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Submit Enrollment' }));
  expect(await screen.findByRole('link', { name: 'Please choose one of the classes' })).toBeInTheDocument();
  await user.click(first);
  expect(screen.getAllByText('$449.00').length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'Submit Enrollment' }));
  expect(await screen.findByRole('link', { name: 'This class is over' })).toBeInTheDocument();
  expect(sent).toEqual([expect.objectContaining({ courseId: eng.id, sectionId: 7 })]);
  expect(sent[0]).not.toHaveProperty('startDate');
});
