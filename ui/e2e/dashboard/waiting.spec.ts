// The to-do list on the dashboard, the counts in the navigation, and a new school's first steps.
import type { Locator, Page } from '@playwright/test';
import { enter, newStudent } from '../actors.ts';
import { requestCourses } from '../enrollments/actions.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';

const dashboard = '/admin/dashboard';
const waits = (page: Page) => page.getByRole('region', { name: 'To Do' });
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Office', exact: true });
const steps = (page: Page) => page.getByRole('region', { name: 'First Steps' });

test('each line links to its list, and the navigation has the same live counts', async ({ page, school }) => {
  await enter(page, school, dashboard);
  await expect(waits(page).getByRole('link')).not.toHaveCount(0);
  await expectSoundInEveryLook(page);
  const line = waits(page).getByRole('link', { name: /unread messages/ });
  const number = async (text: Locator) => Number(/\d+/.exec(await text.innerText())?.[0]);
  const count = await number(line);
  const all = count + (await number(waits(page).getByRole('link', { name: /messages? to answer/ })));
  const messages = navigation(page).getByRole('link', { name: 'Messages', exact: true });
  await expect(messages).toHaveAttribute('title', `${all} waiting`);
  await line.click();
  await expect(page.getByText(`${count} messages`)).toBeVisible();
  // Opening it is reading it, and then it waits for an answer until it is closed.
  await page.getByRole('link', { name: /Zoë Müller/ }).first().click();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(messages).toHaveAttribute('title', `${all - 1} waiting`);
  // Restore the message: other tests of this worker share the school.
  await page.getByRole('button', { name: 'Reopen', exact: true }).click();
  await page.getByRole('button', { name: 'Mark as Unread' }).click();
  await expect(messages).toHaveAttribute('title', `${all} waiting`);
});

test('a line at zero stays until the page is reopened, so that no row moves', async ({ page, fresh }) => {
  await requestCourses(await newStudent(fresh, 'zoe'), ['ENG4U']);
  await enter(page, fresh, dashboard);
  const line = waits(page).getByRole('link', { name: '1 course request' });
  await expect(line).toBeVisible();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expectToast(page, 'Enrollment approved');
  await expect(waits(page).getByRole('link', { name: '0 course requests Done' })).toBeVisible();
  await page.reload();
  await expect(waits(page).getByText('Nothing to do.')).toBeVisible();
  await expectSound(page);
});

test('the first steps of a new school are ticked by facts, hidden, and shown again', async ({ page, fresh }) => {
  await enter(page, fresh, dashboard);
  await expect(steps(page).getByRole('listitem').filter({ hasText: 'Mail server' })).toContainText('To do');
  await expectSoundInEveryLook(page);
  await steps(page).getByRole('link', { name: 'Colleagues' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible();
  await page.goto(`${fresh.url}${dashboard}`);
  await steps(page).getByRole('button', { name: 'Hide' }).click();
  await expect(steps(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.reload();
  await page.getByRole('button', { name: 'Show first steps' }).click();
  await expect(steps(page)).toBeVisible();
});
