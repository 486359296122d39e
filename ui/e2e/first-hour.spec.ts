// A new school's first hour in the browser: from the first administrator and a configuration of two facts to the first
// approved student, without an untrue sentence.
import type { Page } from '@playwright/test';
import { asStaff, newStudent, signIn } from './actors.ts';
import { expect, expectToast, openSchool, test } from './school.ts';

const settings = { SCHOOLHOUSE_SCHOOL_NAME: 'Lakeview College', SCHOOLHOUSE_SCHOOL_EMAIL: 'office@lakeview.example' };

/** Texts of the sample school only. */
const sample = /Northgate|Example Street|555-0142|880000|2008|15\+|McGill|University of Toronto/;

const pages = ['/', '/about', '/services', '/courses', '/contact', '/terms', '/privacy'];

async function expectNothingOfTheSample(page: Page, url: string) {
  for (const path of pages) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await (await page.request.get(url + path)).text(), path).not.toMatch(sample);
  }
}

const step = (page: Page, name: string) => page.getByRole('region', { name: 'First Steps' }).getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });

test('a school that has a name gets to its first approved student', async ({ page, browser }) => {
  test.slow();
  await openSchool(async (school) => {
    await expectNothingOfTheSample(page, school.url);
    await page.goto(school.url);
    await expect(page.getByText('This site is being set up. Some facts are missing.')).toBeVisible();

    await asStaff(page, school);
    await page.goto(`${school.url}/admin/dashboard`);
    for (const name of ['School facts', 'Mail server', 'Semesters', 'Courses', 'Texts', 'Colleagues']) {
      // oxlint-disable-next-line no-await-in-loop
      await expect(step(page, name)).toContainText('To do');
    }
    await step(page, 'School facts').getByRole('link').click();
    const facts = page.getByRole('region', { name: 'School Facts' });
    for (const [label, value] of Object.entries({
      'Phone (required)': '(705) 555-0166',
      'Street and number (required)': '9 Lakeshore Road',
      'City (required)': 'Barrie',
      'Postal code (required)': 'L4N 1A1',
      'Inspection ID (BSID) (required)': '881234',
    })) {
      // oxlint-disable-next-line no-await-in-loop
      await facts.getByLabel(label, { exact: true }).fill(value);
    }
    await page.getByRole('region', { name: 'Semesters', exact: true }).getByRole('button', { name: 'Use These Dates' }).click();
    await page.getByRole('button', { name: 'Write Your Own: Refunds' }).click();
    await page.getByLabel('Refunds', { exact: true }).fill('All of it until the first day.\n\n- Half of it until the tenth day');
    await page.getByRole('button', { name: 'Write Your Own: How to pay' }).click();
    await page.getByLabel('How to pay', { exact: true }).fill('By Interac e-Transfer to office@lakeview.example.');
    await page.getByRole('button', { name: 'Publish...' }).click();
    await page.getByRole('dialog', { name: 'Publish' }).getByRole('button', { name: 'Publish', exact: true }).click();
    await expectToast(page, 'Published');

    await page.goto(`${school.url}/admin/courses`);
    await page.getByRole('button', { name: 'Use the Sample of 158 Courses' }).click();
    await page.getByRole('dialog', { name: 'Import Courses' }).getByRole('button', { name: 'Import', exact: true }).click();
    await expectToast(page, 'Courses imported', '158 added, 0 updated, 0 unchanged.');

    await page.goto(`${school.url}/admin/dashboard`);
    for (const name of ['School facts', 'Semesters', 'Courses', 'Texts']) {
      // oxlint-disable-next-line no-await-in-loop
      await expect(step(page, name)).toContainText('Done');
    }
    await expectNothingOfTheSample(page, school.url);

    const student = await (await browser.newContext()).newPage();
    const person = await newStudent(school, 'first');
    await signIn(student, person);
    await student.goto(`${school.url}/student/courses?q=ENG4U`);
    await student.getByRole('button', { name: 'Enroll Now' }).click();
    const dialog = student.getByRole('dialog', { name: /^Enroll in/ });
    await expect(dialog).toContainText('By Interac e-Transfer to office@lakeview.example.');
    await expect(dialog).toContainText('9 Lakeshore Road');
    await dialog.getByRole('button', { name: 'Submit Enrollment' }).click();
    await expectToast(student, 'Enrollment Submitted');

    await page.reload();
    await expect(page.getByRole('link', { name: '1 course request' })).toBeVisible();
    await page.getByRole('row').filter({ hasText: 'ENG4U' }).getByRole('button', { name: 'Approve' }).click();
    await expectToast(page, 'Enrollment approved');
    await student.goto(`${school.url}/student/dashboard`);
    await expect(student.getByText('active', { exact: true })).toBeVisible();
    await expect(student.getByRole('region', { name: 'Fees' })).toContainText(/charged, due/);
  }, settings);
});
