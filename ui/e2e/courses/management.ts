// Locators and form helpers of Course Management.
import type { Page } from '@playwright/test';
import { expect } from '../school.ts';

/** Table rows or cards. */
export const cards = (page: Page) => page.locator('.course-table [data-row], .managed-course');
export const card = (page: Page, code: string) => cards(page).filter({ has: page.getByText(code, { exact: true }) });
/** A fact's value on a card. */
export const fact = (page: Page, code: string, term: string) =>
  card(page, code).locator('dl > div').filter({ has: page.getByText(term, { exact: true }) }).locator('dd');
/** A row's cell by its heading. */
export const cell = (page: Page, code: string, label: string) => page.locator(`.course-table tr:has(td:first-child > div:text-is("${code}")) td[data-label="${label}"]`);

export const create = (page: Page) => page.getByRole('button', { name: 'Create Course' }).click();

export async function openForm(page: Page) {
  await page.getByRole('button', { name: 'Add New Course' }).click();
  await expect(page.getByRole('dialog', { name: 'Create Course' })).toBeVisible();
}

export async function fill(page: Page, code: string, name = 'Robotics Studio') {
  await page.getByLabel('Course code').fill(code);
  await page.getByLabel('Course name').fill(name);
  await page.getByLabel('Description').fill('Building and programming small robots.');
}
