// Importing the catalogue from a spreadsheet or the sample.
import { writeFileSync } from 'node:fs';
import { enter } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, openSchool, test } from '../school.ts';
import { cards, cell } from './management.ts';

test('an empty catalogue begins with the sample, and a sheet changes it after a dry run', async ({ page }, info) => {
  await openSchool(async (school) => {
    await enter(page, school, '/admin/courses');
    await expect(page.getByText('The catalogue has no courses yet')).toBeVisible();
    await page.getByRole('button', { name: 'Use the Sample of 158 Courses' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import Courses' });
    await expect(dialog.getByText('158 to add, 0 to update, 0 unchanged')).toBeVisible();
    await expectSoundInEveryLook(page);
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expectToast(page, 'Courses imported', '158 added, 0 updated, 0 unchanged.');
    await expect(dialog).toHaveCount(0);
    await expect(cards(page)).toHaveCount(158);

    const path = info.outputPath('courses.csv');
    const line = 'ENG4U,English,Reading and writing for university.,12,';
    writeFileSync(path, `code,name,description,grade,courseType\n${line}Honours\n`);
    await page.goto(`${school.url}/admin/courses?import=1`);
    const field = dialog.getByLabel('CSV file');
    // The sample is only offered for an empty catalogue.
    await expect(dialog.getByRole('button', { name: /Sample/ })).toHaveCount(0);
    await field.setInputFiles(path);
    await expect(dialog.getByText(/line 2, courseType: Must be one of/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
    writeFileSync(path, `code,name,description,grade,courseType\n${line}University\n`);
    await field.setInputFiles(path);
    await expect(dialog.getByText('Line 2: update ENG4U')).toBeVisible();
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expectToast(page, 'Courses imported', '0 added, 1 updated, 0 unchanged.');
    await expect(page).toHaveURL(/\/admin\/courses$/);
    await expect(cell(page, 'ENG4U', 'Course')).toBeVisible();
  });
});
