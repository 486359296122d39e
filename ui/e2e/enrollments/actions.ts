// Test setup by API calls: requests, approvals and changed profiles.
import { type APIRequestContext, expect } from '@playwright/test';
import { newStaff, newStudent, type Person } from '../actors.ts';
import type { School } from '../school.ts';

/** A day of the school, which in its night is not the day in UTC. */
export function daysFromNow(days: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Toronto' }).format(Date.now() + days * 86_400_000);
}

/** Dates of the requests by `requestCourses`. */
export const term = { startDate: daysFromNow(30), endDate: daysFromNow(150) };

/** Dates of ended and of running courses. */
export const over = { startDate: daysFromNow(-30), endDate: daysFromNow(-1) };
export const running = { startDate: daysFromNow(-30), endDate: daysFromNow(60) };

/** A date as the screens show it: Feb 1, 2027. */
export function shown(date: string): string {
  return new Date(date).toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
}

/** Requests the courses with these codes for a signed-in student. */
export async function requestCourses({ calls }: Person, codes: string[], dates = term) {
  const courses = (await (await calls.get('/api/courses')).json()) as { id: number; code: string }[];
  for (const code of codes) {
    const courseId = courses.find((course) => course.code === code)?.id;
    const answer = await calls.post('/api/students/enrollments', { data: { courseId, ...dates } });
    expect(answer.ok(), `${code}: ${await answer.text()}`).toBe(true);
  }
}

/** Thirty requests of one student, for different courses. */
export async function thirtyRequests(school: School) {
  const person = await newStudent(school, 'many');
  const courses = (await (await person.calls.get('/api/courses')).json()) as { code: string }[];
  await requestCourses(person, courses.slice(0, 30).map(({ code }) => code));
}

/** Approves all pending requests; those for courses that have ended as if in time. */
export async function approveAll(staff: APIRequestContext) {
  const pending = (await (await staff.get('/api/admin/enrollments?status=pending')).json()) as { id: number; startDate: string; endDate: string }[];
  for (const { id, startDate, endDate } of pending) {
    const call = async (verb: string, data?: object) => {
      const answer = await staff.post(`/api/admin/enrollments/${id}/${verb}`, { data });
      expect(answer.ok(), await answer.text()).toBe(true);
    };
    const isOver = endDate < daysFromNow(0);
    const reason = 'It was asked for in time.';
    if (isOver) await call('dates', { startDate, endDate: running.endDate, reason });
    await call('approve');
    if (isOver) await call('dates', { startDate, endDate, reason });
  }
}

/** A new student with enrollments approved without a price. */
export async function unpricedStudent(school: School, name: string, codes: string[]): Promise<{ person: Person; staff: APIRequestContext }> {
  const staff = await newStaff(school);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  for (const { id } of courses.filter(({ code }) => codes.includes(code))) {
    expect((await staff.patch(`/api/admin/courses/${id}`, { data: { price: null } })).ok()).toBe(true);
  }
  const person = await newStudent(school, name);
  await requestCourses(person, codes);
  await approveAll(staff);
  return { person, staff };
}

/** Waits for the next second, the server's resolution. */
export async function nextSecond() {
  const now = Math.floor(Date.now() / 1000);
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(now);
}

/** Changes a profile, in a later second than earlier actions. */
export async function changeProfile({ calls }: Person, change: Record<string, string>) {
  await nextSecond();
  const answer = await calls.patch('/api/students/me', { data: change });
  expect(answer.ok(), await answer.text()).toBe(true);
}
