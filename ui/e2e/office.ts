// How tests get into the office's records, and what they let the network do there.
import { expect, type Page } from '@playwright/test';
import { endSession, type School } from './school.ts';

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;

/** One login for each school: passwords are slow to check on purpose. */
const sessions = new Map<string, Cookies>();

/** Opens a page of the office as a member of the staff who has logged in before. */
export async function enter(page: Page, school: School, path: string) {
  const known = sessions.get(school.url);
  if (known) await page.context().addCookies(known);
  else {
    const answer = await page.request.post(`${school.url}/api/login`, { data: school.staff, headers: { Origin: school.url } });
    expect(answer.ok()).toBe(true);
    sessions.set(school.url, await page.context().cookies());
  }
  await page.goto(`${school.url}${path}`);
}

/** Ends the session behind the page's back. */
export async function endStaffSession(page: Page, school: School) {
  sessions.delete(school.url);
  await endSession(page);
}

/** Logs in again over the page, in the dialog that asks for it. */
export async function logInAgain(page: Page, school: School) {
  const dialog = page.getByRole('dialog', { name: 'Please log in again' });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill(school.staff.password);
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Holds every answer to these calls back until told otherwise. */
export async function hold(page: Page, calls: string | RegExp): Promise<{ release: () => void; count: () => number }> {
  let release = () => {};
  let count = 0;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(calls, async (route) => {
    count += 1;
    await held;
    await route.continue();
  });
  return { release: () => release(), count: () => count };
}

/** A visitor's message through the contact form's call. */
export async function write(page: Page, school: School, message: Partial<Record<'name' | 'email' | 'phone' | 'subject' | 'message', string>>) {
  const data = { name: 'Zoë Tremblay', email: 'zoe@mail.example', subject: 'general', message: 'May I visit the school?', ...message };
  const answer = await page.request.post(`${school.url}/api/contact`, { data, headers: { Origin: school.url } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Signs in as somebody of another role, as far as the screens can tell. */
export async function asRole(page: Page, role: string, duties: string[]) {
  await page.route('**/api/user', (route) =>
    route.fulfill({ json: { id: 1, username: 'reader', email: 'reader@northgate.example', role, duties } }),
  );
}
