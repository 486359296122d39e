// Messages of visitors, and the inbox of the worker's school as its other tests want to find it.
import { expect, type Page } from '@playwright/test';
import type { School } from '../school.ts';

export const inbox = '/admin/messages';

/** Opening a message reads it: here it stays as it was. */
export const leaveNew = (page: Page) => page.route(/\/api\/admin\/messages\/\d+\/read$/, (route) => route.fulfill({ status: 500, body: '' }));

/** Sends a visitor's message by the API. */
export async function write(page: Page, school: School, message: Partial<Record<'name' | 'email' | 'phone' | 'subject' | 'message', string>>) {
  const data = { name: 'Zoë Tremblay', email: 'zoe@mail.example', subject: 'general', message: 'May I visit the school?', ...message };
  const answer = await page.request.post(`${school.url}/api/contact`, { data, headers: { Origin: school.url } });
  expect(answer.ok(), await answer.text()).toBe(true);
}
