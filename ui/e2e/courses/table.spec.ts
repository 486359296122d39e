// Course Management as a table: sorting, editing in place, archiving and restoring.
import { asStaff, enter } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { cards, cell, fill, openForm } from './management.ts';

const courses = '/admin/courses';

test('the table groups by grade and sorts by column, in the address', async ({ page, school }) => {
  await enter(page, school, courses);
  await expect(cards(page)).toHaveCount(158);
  await expect(page.getByRole('rowheader')).toHaveText(['Grade 9 21 courses', 'Grade 10 29 courses', /Grade 11/, /Grade 12/]);
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click();
  await expect(page.getByRole('rowheader')).toHaveCount(0);
  await expect(cell(page, 'CHV2O', 'Price')).toContainText('$319.00');
  await expect(cards(page).first()).toContainText('$319.00');
  await page.getByRole('columnheader', { name: 'Price' }).getByRole('button').click();
  await expect(page).toHaveURL(`${school.url}${courses}?sort=-price`);
  await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'descending');
  await expect(cards(page).last(), 'what has no price comes last').toContainText('Not set');
  await page.reload();
  await expect(cards(page).last()).toContainText('Not set');
});

test('a price and the seats are changed in the table: Enter saves, Esc leaves', async ({ page, fresh }) => {
  await enter(page, fresh, `${courses}?q=eng4u`);
  const price = page.getByRole('button', { name: 'Change Price of ENG4U' });
  await price.click();
  const input = page.getByRole('textbox', { name: 'Price of ENG4U' });
  await expect(input).toHaveValue('749.00');
  await input.fill('12,50');
  await input.press('Enter');
  await expect(input).toHaveAccessibleDescription('Price must be a number');
  await input.press('Escape');
  await expect(price).toBeFocused();
  await expect(price).toContainText('$749.00');

  await page.keyboard.press('Enter');
  await page.keyboard.type('$1,250.5');
  const sent = page.waitForRequest((call) => call.method() === 'PATCH');
  const slow = await hold(page, /\/api\/admin\/courses\/\d+$/);
  for (let times = 0; times < 2; times++) await page.keyboard.press('Enter');
  expect((await sent).postDataJSON()).toEqual({ price: 1250.5 });
  await expect.poll(slow.count).toBe(1);
  // Read-only while saving.
  await page.keyboard.type('99');
  await expect(input).toHaveValue('$1,250.5');
  slow.release();
  await expect(price).toContainText('$1,250.50');
  await expect(price).toBeFocused();

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Change Seats of ENG4U' }).click();
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await expect(cell(page, 'ENG4U', 'Peak seats')).toContainText('0/25');
  await page.reload();
  await expect(cell(page, 'ENG4U', 'Peak seats')).toContainText('0/25');
});

test('a table change that could not be saved stays open with its reason', async ({ page, school }) => {
  await enter(page, school, `${courses}?q=eng4u`);
  await page.getByRole('button', { name: 'Change Price of ENG4U' }).click();
  await page.route(/\/api\/admin\/courses\/\d+$/, (route) => route.fulfill({ status: 500, body: '<h1>Oops</h1>' }));
  await page.keyboard.type('800');
  await page.keyboard.press('Enter');
  const input = page.getByRole('textbox', { name: 'Price of ENG4U' });
  await expect(input).toHaveAccessibleDescription('Failed to update course. Please try again.');
  await expect(input).toHaveValue('800');
});

test('the form closes a course, and the table and the catalogue say so', async ({ page, fresh }) => {
  await enter(page, fresh, `${courses}?q=eng4u`);
  await page.getByRole('button', { name: 'Edit ENG4U' }).click();
  await page.getByLabel('Seats (optional)').fill('0');
  await page.getByLabel('Accepts requests').uncheck();
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expect(page.getByLabel('Seats (optional)')).toHaveAccessibleDescription(/whole number from 1 to 10,000/);
  await page.getByLabel('Seats (optional)').fill('25');
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expectToast(page, 'Course updated');
  await expect(cell(page, 'ENG4U', 'Course')).toContainText('Closed');
  await page.getByRole('link', { name: 'English', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('English');
  await expect(page.getByText('0 of 25 seats taken, 25 free')).toBeVisible();
  await expect(page.getByText('No students yet')).toBeVisible();
});

test('an archived course is found and restored, unless its code is taken', async ({ page, school }) => {
  await enter(page, school, `${courses}?q=eng4u`);
  await page.getByRole('button', { name: 'Delete ENG4U' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Course deleted');
  await openForm(page);
  await fill(page, 'ENG4U', 'Another English');
  await page.getByRole('button', { name: 'Create Course' }).click();
  await expectToast(page, 'Course created');

  await page.getByRole('button', { name: 'Archived' }).click();
  const back = page.getByRole('button', { name: 'Restore ENG4U' });
  await back.click();
  await expectToast(page, 'Error', 'Another English, which is offered now, has the code ENG4U too.');
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Delete ENG4U' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Archived' }).click();
  await page.getByRole('link', { name: 'English', exact: true }).click();
  await expect(page.getByText('This course is archived')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Amara Okonkwo' }), 'its class is kept').toBeVisible();
  await back.click();
  await expectToast(page, 'Course restored');
  await expect(page.getByText('This course is archived')).toHaveCount(0);
});

test('the table is sound in every look, while a price is changed too', async ({ page, school }) => {
  await asStaff(page, school);
  await page.goto(`${courses}?q=eng`);
  await expect(cards(page).first()).toBeVisible();
  await expectSoundInEveryLook(page);
  // One row: when scrolled, the sticky head covers others.
  await page.goto(`${courses}?q=eng4u`);
  await page.getByRole('button', { name: 'Change Price of ENG4U' }).click();
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await expectSoundInEveryLook(page);
});

test('a course that does not exist says so', async ({ page, school }) => {
  await enter(page, school, `${courses}/999999`);
  await expect(page.getByRole('heading', { name: 'Course not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Courses' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Course Management');
});
