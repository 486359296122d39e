// A course's page in the office: class list and mark entry.
import type { Page } from '@playwright/test';
import { enter, newStaff, newStudent } from '../actors.ts';
import { approveAll, over, requestCourses, running, shown } from '../enrollments/actions.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { hold } from '../network.ts';
import { answerQuestion, catalogue, expect, expectToast, openSchool, run, type School, test as base } from '../school.ts';

/** A school whose decisions can be undone for ten minutes. */
const test = base.extend<{ slow: School }>({
  slow: ({}, use) =>
    openSchool(use, { SCHOOLHOUSE_OFFICE_UNDO_SECONDS: '600' }, (folder) => void run(['--data-dir', folder, 'import-courses', catalogue])),
});

const mark = (page: Page, which: 'Midterm' | 'Final', name: string) => page.getByRole('textbox', { name: `${which} mark of ${name}` });

/** A class of these students in ENG4U, and its page. */
async function openClass(page: Page, school: School, names: string[], dates = over): Promise<string> {
  const staff = await newStaff(school);
  for (const name of names) {
    await requestCourses(await newStudent(school, name.toLowerCase(), { fullName: name }), ['ENG4U'], dates);
  }
  await approveAll(staff);
  const courses = (await (await staff.get('/api/admin/courses')).json()) as { id: number; code: string }[];
  const path = `/admin/courses/${courses.find(({ code }) => code === 'ENG4U')?.id}`;
  await enter(page, school, path);
  return path;
}

/** Pastes a spreadsheet column. */
async function paste(page: Page, text: string) {
  await page.evaluate((column) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', column);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('a column of marks is pasted, saved with a result for each row, and completes the course', async ({ page, fresh }) => {
  const path = await openClass(page, fresh, ['Adaeze', 'Bruno', 'Chiara']);
  await expect(page.getByText('3 students')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('button', { name: 'Enter Marks' }).click();
  await expect(mark(page, 'Final', 'Adaeze')).toBeFocused();
  await paste(page, '82\n101\n\n');
  await expect(mark(page, 'Final', 'Bruno')).toHaveValue('101');
  await page.getByRole('button', { name: 'Save All' }).click();
  await expect(mark(page, 'Final', 'Bruno')).toBeFocused();
  await expect(mark(page, 'Final', 'Bruno')).toHaveAccessibleDescription('A mark is a whole number from 0 to 100.');
  await expectSoundInEveryLook(page);
  await page.keyboard.type('49');
  await page.keyboard.press('Enter');
  await expect(mark(page, 'Final', 'Chiara')).toBeFocused();
  await mark(page, 'Midterm', 'Chiara').fill('70');
  await expect(page.getByText('3 rows are not saved yet')).toBeVisible();
  await page.getByRole('button', { name: 'Save All' }).click();
  await expectToast(page, 'Marks saved', '3 of 3 rows.');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Enter Marks' })).toBeFocused();
  await expect(page.getByRole('row', { name: 'Adaeze' })).toContainText('completed');
  await expect(page.getByRole('row', { name: 'Chiara' })).toContainText('active');
  await page.goto(`${fresh.url}${path}`);
  await expect(page.getByRole('row', { name: 'Bruno' })).toContainText('49');
});

test('a mark typed while others are saved is kept', async ({ page, fresh }) => {
  await openClass(page, fresh, ['Adaeze']);
  await page.getByRole('button', { name: 'Enter Marks' }).click();
  await mark(page, 'Midterm', 'Adaeze').fill('61');
  const saving = await hold(page, '**/marks', 'POST');
  await page.getByRole('button', { name: 'Save All' }).click();
  await mark(page, 'Final', 'Adaeze').fill('72');
  saving.release();
  await expectToast(page, 'Marks saved', '1 of 1 rows.');
  await expect(mark(page, 'Final', 'Adaeze')).toHaveValue('72');
  await expect(page.getByText('1 row is not saved yet')).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Save All' }).click();
  await expect(page.getByText('1 row is not saved yet')).toBeHidden();
  await expect(mark(page, 'Midterm', 'Adaeze')).toHaveValue('61');
});

test('final marks of running courses need one reason, asked for once', async ({ page, fresh }) => {
  await openClass(page, fresh, ['Adaeze', 'Bruno'], running);
  await page.getByRole('button', { name: 'Enter Marks' }).click();
  await mark(page, 'Midterm', 'Bruno').fill('61');
  const why = page.getByRole('textbox', { name: /Why are final marks entered before that/ });
  await expect(why).toBeHidden();
  await mark(page, 'Final', 'Adaeze').fill('82');
  await expect(page.getByText(`1 of 1 course runs until ${shown(running.endDate)}.`)).toBeVisible();
  await page.getByRole('button', { name: 'Save All' }).click();
  await expect(why).toBeFocused();
  await expectSoundInEveryLook(page);
  await why.fill('The class was taught in the summer.');
  await page.getByRole('button', { name: 'Save All' }).click();
  await expectToast(page, 'Marks saved', '2 of 2 rows.');
  await expect(why).toBeHidden();
});

test('a row saved by a colleague says so and keeps its input', async ({ page, fresh }) => {
  const path = await openClass(page, fresh, ['Adaeze', 'Bruno']);
  await page.getByRole('button', { name: 'Enter Marks' }).click();
  const colleague = await newStaff(fresh);
  const list = (await (await colleague.get(`/api${path}/class-list`)).json()) as { enrollmentId: number; version: number }[];
  const rows = list.slice(0, 1).map(({ enrollmentId, version }) => ({ enrollmentId, version, midterm: 55 }));
  expect((await colleague.post(`/api${path}/marks`, { data: { rows } })).ok()).toBe(true);
  await page.keyboard.type('82');
  await page.keyboard.press('Enter');
  await page.keyboard.type('77');
  await page.getByRole('button', { name: 'Save All' }).click();
  await expectToast(page, 'Some marks were not saved', '1 of 2 rows were saved.');
  await expect(mark(page, 'Final', 'Adaeze')).toHaveValue('82');
  await expect(mark(page, 'Final', 'Adaeze')).toHaveAccessibleDescription(/changed this row meanwhile.*It is now: midterm 55, final none\./);
  await page.getByRole('button', { name: 'Save All' }).click();
  await expectToast(page, 'Marks saved', '1 of 1 rows.');

  // A correction needs a reason; leaving unsaved input asks first.
  await mark(page, 'Final', 'Adaeze').fill('85');
  await page.getByRole('button', { name: 'Save All' }).click();
  await expect(mark(page, 'Final', 'Adaeze')).toHaveAccessibleDescription(/why the mark is corrected/);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await answerQuestion(page, 'Leave without saving?', 'Keep Editing');
  await page.getByRole('textbox', { name: 'Why the mark of Adaeze is corrected' }).fill('An essay was counted twice.');
  await page.getByRole('button', { name: 'Save All' }).click();
  await expectToast(page, 'Marks saved');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByRole('row', { name: 'Adaeze' })).toContainText('85');
});

test('undoing the final marks by keyboard keeps the focus at the class', async ({ page, slow }) => {
  await openClass(page, slow, ['Adaeze']);
  await page.getByRole('button', { name: 'Enter Marks' }).click();
  await mark(page, 'Final', 'Adaeze').fill('82');
  await page.getByRole('button', { name: 'Save All' }).click();
  await expectToast(page, 'Marks saved', '1 of 1 rows.');
  const undo = page.getByRole('button', { name: 'Undo the final marks' });
  await undo.press('Enter');
  await expectToast(page, 'Marks undone');
  await expect(undo).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Class List' })).toBeFocused();
  await expect(mark(page, 'Final', 'Adaeze')).toHaveValue('');
});
