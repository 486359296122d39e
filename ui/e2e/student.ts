// Students who are signed in already, and the documents they hold in their hands.
import type { Page, Route } from '@playwright/test';
import { newStudent, type Person } from './people.ts';
import { dress, expectSound, looks, type School } from './school.ts';

/** A new student whose session the page has; `null` leaves the profile empty. */
export async function signedIn(page: Page, school: School, name: string, profile: Parameters<typeof newStudent>[2] = {}): Promise<Person> {
  const person = await newStudent(school, name, profile);
  await page.context().addCookies((await person.calls.storageState()).cookies);
  return person;
}

/** The demo's student, who has documents and enrollments in every state. */
export async function asDemoStudent(page: Page, school: School) {
  await page.request.post(`${school.url}/api/students/login`, { data: school.student, headers: { Origin: school.url } });
}

/** Sound as it stands now, at both widths and in both schemes. */
export async function expectSoundInEveryLook(page: Page) {
  for (const look of looks) {
    await dress(page, look);
    await expectSound(page);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

/** Answers a call with something else; only calls of the given method. */
export async function answer(page: Page, method: string, path: string, given: Parameters<Route['fulfill']>[0]) {
  await page.route(`**${path}`, (route) => (route.request().method() === method ? route.fulfill(given) : route.fallback()));
}

export const pdf = (name: string, bytes = 2000) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(bytes)]),
});

/** A grey dot, 1 by 1. */
export const png = (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
});
