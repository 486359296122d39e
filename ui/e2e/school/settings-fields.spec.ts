// Fields of the site settings: validation, moving rows and concurrent edits.
import { asStaff, newStaff } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { answerQuestion, expect, expectToast, test } from '../school.ts';
import { picture } from './pictures.ts';

test('errors are shown at their fields, and leaving asks first', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/settings`);
  await page.getByRole('button', { name: 'Add a Question' }).click();
  await page.getByLabel('Question', { exact: true }).fill('Why?');
  await page.getByLabel('Answer', { exact: true }).fill('Because it is so.');
  await page.getByLabel('Accent colour', { exact: true }).fill('brass');
  await page.getByRole('button', { name: 'Write Your Own Hours' }).click();
  await expect(page.getByRole('checkbox', { name: 'Monday' })).toBeFocused();
  await page.getByLabel('Closes').fill('07:00');
  await page.getByRole('button', { name: 'Save Draft' }).click();
  const summary = page.getByRole('alert', { name: 'There is a problem' });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText([/^Question 1, question: /, /^Hours 1, closes: Must be later/, /^Accent colour: Must be a colour/]);
  await expectSoundInEveryLook(page);
  await summary.getByRole('link', { name: /^Hours 1/ }).click();
  await expect(page.getByLabel('Closes')).toBeFocused();
  await page.getByLabel('Closes').fill('16:00');
  await expect(summary.getByRole('link')).toHaveCount(2);
  await page.getByRole('link', { name: 'Staff' }).first().click();
  await answerQuestion(page, 'Leave without saving?', 'Keep Editing');
  await page.getByLabel('Question', { exact: true }).fill('Why does it take four years?');
  await page.getByLabel('Accent colour', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await expectToast(page, 'Draft saved');
  await page.reload();
  await expect(page.getByLabel('Question', { exact: true })).toHaveValue('Why does it take four years?');
  await expect(page.getByLabel('Closes')).toHaveValue('16:00');
});

test('rows are moved and removed by keyboard, and the focus stays with them', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/settings`);
  for (const question of ['First question?', 'Second question?']) {
    // One row after the other.
    // oxlint-disable-next-line no-await-in-loop
    await page.getByRole('button', { name: 'Add a Question' }).press('Enter');
    // oxlint-disable-next-line no-await-in-loop
    await page.getByLabel('Question', { exact: true }).last().fill(question);
  }
  await page.getByRole('button', { name: 'Move up: Question 2' }).press('Enter');
  await expect(page.getByLabel('Question', { exact: true }).first()).toHaveValue('Second question?');
  await expect(page.getByRole('button', { name: 'Move down: Question 1' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove: Question 1' }).press('Enter');
  await page.getByRole('dialog', { name: 'Remove Question 1?' }).getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Remove: Question 1' })).toBeFocused();
  await expect(page.getByLabel('Question', { exact: true })).toHaveValue('First question?');
  await page.getByRole('button', { name: 'Write Your Own List' }).press('Enter');
  await expect(page.getByLabel('One per line')).toBeFocused();
  await page.getByLabel('One per line').fill('McGill University\nX');
  await page.getByLabel('Answer', { exact: true }).fill('An answer.');
  await page.getByRole('button', { name: 'Save Draft' }).press('Enter');
  await expect(page.getByRole('link', { name: /^University 2: / })).toBeVisible();
  await page.getByRole('button', { name: 'Back to the Configuration’s List' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Universities' })).toBeFocused();
});

test('semesters are proposed, corrected, published, and named on the site', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/settings`);
  const part = page.getByRole('region', { name: 'Semesters', exact: true });
  await part.getByRole('button', { name: 'Use These Dates' }).click();
  await expect(part.getByLabel('Name').first()).toBeFocused();
  await expect(part.getByLabel('First day')).toHaveCount(3);
  const last = await part.getByLabel('Last day', { exact: true }).first().inputValue();
  await part.getByLabel('First day').nth(1).fill(last);
  await page.getByRole('region', { name: 'Fees on the Website' }).getByLabel('Show fees on the website').check();
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await page.getByRole('alert', { name: 'There is a problem' }).getByRole('link', { name: /^Semester 2, first day: Must be after/ }).click();
  await expect(part.getByLabel('First day').nth(1)).toBeFocused();
  await expectSoundInEveryLook(page);
  await part.getByRole('button', { name: 'Remove: Semester 2' }).click();
  await page.getByRole('dialog', { name: 'Remove Semester 2?' }).getByRole('button', { name: 'Remove' }).click();
  await part.getByLabel('Name').first().fill('The First Semester');
  await page.getByRole('button', { name: 'Publish...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish' });
  await expect(dialog.getByRole('listitem')).toHaveText(['Semesters', 'Fees on the website']);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expectToast(page, 'Published');
  await page.goto(fresh.url);
  await expect(page.getByText('The First Semester')).toBeVisible();
});

test('an unsupported picture is refused, and a failed upload retried', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/settings`);
  const campus = page.locator('#settings-campus-add');
  await campus.setInputFiles({ name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
  await expect(page.getByText('“plan.pdf” is not a JPEG or PNG.')).toBeVisible();
  await campus.setInputFiles(picture('small.png', 100, 100, [0, 0, 0]));
  await expect(page.locator('#settings-campus-add-error')).toContainText('480');
  const house = picture('house.png', 640, 480, [120, 80, 40]);
  await page.route('**/api/admin/pictures', (route) => route.abort(), { times: 1 });
  await campus.setInputFiles(house);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByLabel('What it shows')).toBeFocused();
  await page.getByLabel('What it shows').fill('The house');
  await page.locator('#settings-people-add').setInputFiles(house);
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await page.locator('#settings-crest').setInputFiles(picture('crest.png', 480, 480, [120, 0, 25]));
  await expect(page.getByRole('img', { name: 'The crest on dark' })).toBeVisible();
  await page.getByRole('button', { name: 'Remove the Crest' }).click();
  await expect(page.getByRole('heading', { name: 'Crest' })).toBeFocused();
  await page.getByLabel('Name', { exact: true }).fill('A. Li');
  await page.getByLabel('What they do').fill('Principal');
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await expectToast(page, 'Draft saved');
});

test('a colleague’s changes are merged with unsaved input', async ({ page, fresh }) => {
  await asStaff(page, fresh);
  await page.goto(`${fresh.url}/admin/settings`);
  const text = page.getByRole('region', { name: 'Announcement' }).getByLabel('Text', { exact: true });
  await text.fill('What I wrote');
  const colleague = await newStaff(fresh);
  const { version } = (await (await colleague.get('/api/admin/settings')).json()) as { version: number };
  const settings = { colour: '#7a0019', banner: { text: 'What they wrote' } };
  expect((await colleague.put('/api/admin/settings/draft', { data: { version, settings } })).status()).toBe(200);
  await page.getByRole('button', { name: 'Save Draft' }).click();
  const load = page.getByRole('button', { name: 'Reload, Keep My Changes' });
  await expect(load).toBeVisible();
  await expectSoundInEveryLook(page);
  await load.click();
  await expect(text).toHaveValue('What I wrote');
  await expect(page.getByLabel('Main colour', { exact: true })).toHaveValue('#7a0019');
  await expect(page.getByText('A colleague has also changed: Announcement')).toBeVisible();
  await page.getByRole('button', { name: 'Use Theirs Instead' }).click();
  await expect(text).toHaveValue('What they wrote');
  await text.fill('What we wrote');
  await page.getByRole('button', { name: 'Save Draft' }).click();
  await expectToast(page, 'Draft saved');
});
