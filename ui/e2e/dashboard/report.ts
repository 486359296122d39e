// Simulated server reports on the dashboard.
import type { Page } from '@playwright/test';

/** All possible problems at once. */
export const problems = {
  isReadOnly: true,
  isMailDelivered: false,
  deadMailCount: 2,
  mailNotSent: { mailbox: 0, account: 0, school: 3 },
  backup: { lastBackupAt: null, lastDrillAt: null, hasFailed: true, isLate: true },
  unpricedEnrollmentsCount: 12,
  identityChangesCount: 3,
  totalFeeDue: 10749.5,
};
export const calm = { isReadOnly: false, isMailDelivered: true, deadMailCount: 0, mailNotSent: null, backup: null };

/** Adds a report to the dashboard's responses. */
export async function report(page: Page, facts: object) {
  await page.unroute('**/api/admin/dashboard');
  await page.route('**/api/admin/dashboard', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...facts } });
  });
}
