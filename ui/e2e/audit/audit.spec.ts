// The audit trail: filters, details, and links from student and course pages.
import { enter } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';

test('the audit is filtered, unfolds to before and after, and says that it is whole', async ({ page, school }) => {
  await enter(page, school, '/admin/audit');
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();
  await page.getByText('Complete', { exact: true }).click();
  await expect(page.getByText(/All [\d,]+ entries verified/)).toBeVisible();
  await page.getByLabel('Action', { exact: true }).selectOption('suspend');
  const row = page.getByRole('row', { name: /suspended student/ }).first();
  await expect(row).toContainText('active → suspended');
  await expect(page).toHaveURL(/action=suspend/);
  await row.getByRole('button', { name: /^More about/ }).click();
  await expect(page.locator('.audit-entry').getByText('suspended')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.reload();
  await expect(page.getByLabel('Action', { exact: true })).toHaveValue('suspend');
  await page.getByLabel('From').fill('2099-01-01');
  await expect(page.getByText('No entries match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(page.getByLabel('Action', { exact: true })).toHaveValue('');
  const sheet = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  expect((await sheet).suggestedFilename()).toMatch(/^audit-.*\.csv$/);
});

test('a student’s and a course’s page lead to their history in the audit', async ({ page, school }) => {
  await enter(page, school, '/admin/students/1');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('button', { name: 'History in the Audit' }).click();
  await expect(page).toHaveURL(/\/admin\/audit\?student=1$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove the filter Student #1' }).click();
  await expect(page).not.toHaveURL(/student=/);
  await page.goto(`${school.url}/admin/courses/1`);
  await page.getByRole('link', { name: 'History in the Audit' }).click();
  await expect(page).toHaveURL(/object=course&objectId=1$/);
  await expect(page.getByRole('button', { name: 'Remove the filter course #1' })).toBeVisible();
});

test('a line names the person, the action, its object and the time, below its day, at every width', async ({ page, school }) => {
  await enter(page, school, '/admin/audit?action=suspend');
  const row = page.getByRole('row', { name: /suspended student/ }).first();
  const about = await row.getByRole('link').innerText();
  await expect(page.getByRole('rowheader').first()).toBeVisible();
  for (const width of [1280, 820, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(row.getByText(about).filter({ visible: true })).toHaveCount(1);
    await expect(row.getByText(/^\d+:\d\d [AP]M$/)).toBeVisible();
    const [from, to] = await Promise.all(['From', 'To'].map((label) => page.getByLabel(label, { exact: true }).boundingBox()));
    expect(from?.y, `the two days stand side by side at ${width}`).toBe(to?.y);
  }
});
