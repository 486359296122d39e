// Actors of the tests: visitor, students and staff. Unless a test is about the login form, they sign in by an API call.
import { type APIRequestContext, expect, type Page, request } from '@playwright/test';
import { linkTo } from './mail.ts';
import { expectQuiet } from './network.ts';
import type { School } from './school.ts';

export const completeProfile = {
  fullName: 'Zoë Nguyễn-Tremblay',
  phoneNumber: '(416) 555-0123',
  dateOfBirth: '2009-03-01',
  gender: 'female',
  canadianStatus: 'international_student',
  address: '7 Example Lane',
  city: 'Toronto',
  province: 'ON',
  postalCode: 'M5V 0A0',
};

/** A student with an API session separate from the page's. */
export type Person = { email: string; password: string; calls: APIRequestContext };

/** A visitor's API calls, with a page's Origin header. */
export function visitor(school: School): Promise<APIRequestContext> {
  return request.newContext({ baseURL: school.url, extraHTTPHeaders: { Origin: school.url } });
}

/** A registered, verified and signed-in student, with a complete profile by default. */
export async function newStudent(school: School, name: string, profile: Partial<typeof completeProfile> | null = {}): Promise<Person> {
  const calls = await visitor(school);
  const [email, password] = [`${name}@mail.example`, `The password of ${name}`];
  const post = async (path: string, data: object) => {
    const answer = await calls.post(path, { data });
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  };
  // As the form sends it, which shows both texts beside its button.
  const texts = (await (await calls.get('/api/texts')).json()) as { kind: string; version: string }[];
  const acceptedTextVersions = texts.filter(({ kind }) => ['terms', 'privacy'].includes(kind)).map(({ version }) => version);
  await post('/api/students/register', { email, password, confirmPassword: password, acceptedTextVersions });
  const link = await linkTo(school, email, '/student/verify');
  expect((await calls.get(`/api/students/verify/${link.split('/').at(-1)}`)).ok()).toBe(true);
  await post('/api/students/login', { email, password });
  if (profile) {
    const answer = await calls.patch('/api/students/me', { data: { ...completeProfile, email, ...profile } });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  return { email, password, calls };
}

/** Gives the page the student's session. */
export async function signIn(page: Page, { calls }: Person) {
  await page.context().addCookies((await calls.storageState()).cookies);
}

/** Signs the page in as a new student; `null` leaves the profile empty. */
export async function signedIn(page: Page, school: School, name: string, profile: Parameters<typeof newStudent>[2] = {}): Promise<Person> {
  const person = await newStudent(school, name, profile);
  await signIn(page, person);
  return person;
}

/** The demo's student, who has documents and enrollments in every state. */
export async function asDemoStudent(page: Page, school: School) {
  await post(page, school, '/api/students/login', school.student);
}

/** A staff member's API session. */
export async function newStaff(school: School): Promise<APIRequestContext> {
  const calls = await visitor(school);
  expect((await calls.post('/api/login', { data: school.staff })).ok()).toBe(true);
  return calls;
}

/** A separate session for the page, for tests that end it. */
export async function asStaff(page: Page, school: School) {
  await post(page, school, '/api/login', school.staff);
}

async function post(page: Page, school: School, path: string, data: object) {
  const answer = await page.request.post(`${school.url}${path}`, { data, headers: { Origin: school.url } });
  expect(answer.ok(), `${path}: ${answer.status()}`).toBe(true);
}

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

/**
 * One session shared for five minutes: password hashing is slow, and sensitive requests need a login within ten
 * minutes. Keyed by school, not by address, since ports are reused.
 */
const sessions = new WeakMap<School, { cookies: Cookies; until: number }>();

/** Opens an office page with the shared staff session. */
export async function enter(page: Page, school: School, path: string) {
  const known = sessions.get(school);
  if (known && Date.now() < known.until) await page.context().addCookies(known.cookies);
  else {
    await asStaff(page, school);
    sessions.set(school, { cookies: await page.context().cookies(), until: Date.now() + 300_000 });
  }
  await page.goto(`${school.url}${path}`);
}

/** Simulates another role in the interface. */
export async function asRole(page: Page, role: string, duties: string[]) {
  await page.route('**/api/user', (route) =>
    route.fulfill({ json: { id: 1, username: 'reader', email: 'reader@northgate.example', role, duties } }),
  );
}

/** Ends the page's session on the server. */
export async function endSession(page: Page) {
  // Wait for pending calls, which would notice the ended session too early.
  await expectQuiet(page);
  await page.context().clearCookies();
}

/** Logs in again in the dialog over the page. */
export async function logInAgain(page: Page, password: string) {
  const dialog = page.getByRole('dialog', { name: 'Please log in again' });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Logs in through the student login form. */
export async function logInStudent(page: Page, school: School, { email, password } = school.student) {
  await page.goto(`${school.url}/student/auth`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/student\/dashboard$/);
}

/** Logs in through the office login form. */
export async function logInStaff(page: Page, school: School, { username, password } = school.staff) {
  await page.goto(`${school.url}/admin/login`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
}
