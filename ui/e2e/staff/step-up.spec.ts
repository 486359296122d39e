// "Please confirm it is you": asked where it is wanted, and then what waited goes on by itself.
import type { Page } from '@playwright/test';
import { asStaff, newStudent } from '../actors.ts';
import { pdf } from '../documents/files.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, openSchool, type School, test } from '../school.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Please Confirm It Is You' });

/** The next such request is answered as if the login were long ago; the proof and what follows are the server's. */
async function forget(page: Page, address: string) {
  const body = { message: 'Please confirm that it is you, then try again.', reason: 'step_up' };
  await page.route(address, (route) => route.fulfill({ status: 403, json: body }), { times: 1 });
}

async function answer(page: Page, password: string) {
  await question(page).getByLabel('Your Password', { exact: true }).fill(password);
  await question(page).getByRole('button', { name: 'Confirm', exact: true }).click();
}

test('a form that needs a fresh proof asks for it over what was typed, and is sent by itself', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/staff`);
  await page.getByRole('button', { name: 'Invite Colleague' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite a Colleague' });
  await invite.getByLabel('Full name').fill('Noor Haddad');
  await invite.getByLabel('Email').fill('noor@northgate.example');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(question(page).getByLabel('Your Password', { exact: true })).toBeFocused();
  await expectSoundInEveryLook(page);
  await answer(page, 'not the password');
  await expect(question(page).getByLabel('Your Password', { exact: true })).toHaveAccessibleDescription('This is not your current password');

  // Who would rather not finds the form as it was.
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(invite.getByText('Please confirm that it is you, then try again.')).toBeVisible();
  await expect(invite.getByLabel('Full name')).toHaveValue('Noor Haddad');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await answer(page, fresh.staff.password);
  await expectToast(page, 'Invitation sent', 'noor@northgate.example');
});

test('a question that does not arrive leaves the form as it was, and comes the next time', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  let lost = 0;
  await page.route('**/assets/IdentityQuestion-*.js', async (route) => {
    await route.abort('internetdisconnected');
    lost += 1;
  });
  await page.goto(`${fresh.url}/admin/staff`);
  await expect.poll(() => lost).toBe(1);
  await page.getByRole('button', { name: 'Invite Colleague' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite a Colleague' });
  await invite.getByLabel('Full name').fill('Noor Haddad');
  await invite.getByLabel('Email').fill('noor@northgate.example');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(invite.getByText('Please confirm that it is you, then try again.')).toBeVisible();
  await expect(invite.getByLabel('Full name')).toHaveValue('Noor Haddad');
  await page.unroute('**/assets/IdentityQuestion-*.js');
  await forget(page, '**/api/admin/staff/invitations');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await answer(page, fresh.staff.password);
  await expectToast(page, 'Invitation sent', 'noor@northgate.example');
});

test('a list is saved after the proof', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/students`);
  const download = page.waitForEvent('download');
  await forget(page, '**/api/user/proof');
  await page.getByRole('link', { name: 'CSV' }).click();
  await answer(page, fresh.staff.password);
  expect((await download).suggestedFilename()).toMatch(/^students-.*\.csv$/);
});

const careful = test.extend<{ careful: School }>({
  /** One document an hour is opened without a question. */
  careful: ({}, use) => openSchool(use, { SCHOOLHOUSE_LIMITS_DOCUMENTS_OPENED_PER_HOUR: '1' }),
});

careful('after many documents in an hour it is asked who is there', async ({ page, careful: school }) => {
  const { calls } = await newStudent(school, 'papers');
  const sent = await calls.post('/api/students/documents', { multipart: { documentType: 'government_id', document: pdf('passport.pdf') } });
  expect(sent.ok(), await sent.text()).toBe(true);
  await asStaff(page, school);
  await page.goto(`${school.url}/admin/documents`);
  const view = page.getByRole('link', { name: /^View Document/ });
  // This browser has no reader of PDFs: what counts is that the tab gets one.
  const opened = () => page.context().waitForEvent('response', (answer) => /\/api\/documents\/\d+$/.test(answer.url()));
  const first = opened();
  await view.click();
  expect((await first).status()).toBe(200);
  const second = opened();
  await view.click();
  await answer(page, school.staff.password);
  expect((await second).status()).toBe(200);
});
