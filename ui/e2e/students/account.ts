// Helpers of the student account tests.
import type { Page } from '@playwright/test';
import { emails, linkTo } from '../mail.ts';
import { expect, type School } from '../school.ts';

export const password = 'a quiet blue heron';

let count = 0;
/** An unused email address; every school of every run is new. */
export function newEmail(name = 'zoe'): string {
  count += 1;
  return `${name}.${count}.${process.pid}@mail.example`;
}

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

export async function openRegistration(page: Page) {
  await page.goto('/student/auth?tab=register');
  await expect(heading(page, 'Create Your Account')).toBeVisible();
}

export async function fillRegistration(page: Page, email: string, chosen = password, repeated = chosen) {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(chosen);
  await field(page, 'Confirm Password').fill(repeated);
}

export async function fillLogin(page: Page, email: string, entered = password) {
  await field(page, 'Email').fill(email);
  await field(page, 'Password').fill(entered);
}

export async function fillNewPassword(page: Page, chosen: string, repeated = chosen) {
  await field(page, 'New Password').fill(chosen);
  await field(page, 'Confirm New Password').fill(repeated);
}

/** An unverified account, registered by the API. */
export async function registerAccount(page: Page, school: School, email = newEmail()): Promise<string> {
  const answer = await page.request.post('/api/students/register', {
    headers: { Origin: school.url },
    data: { email, password, confirmPassword: password },
  });
  expect(answer.status()).toBe(201);
  // The account is created after the response, to prevent timing leaks.
  await expect.poll(() => emails(school, email).length).toBe(1);
  return email;
}

export async function verifiedAccount(page: Page, school: School, email = newEmail()): Promise<string> {
  await registerAccount(page, school, email);
  const token = (await linkTo(school, email, '/student/verify')).split('/').at(-1);
  expect((await page.request.get(`/api/students/verify/${token}`)).status()).toBe(200);
  return email;
}
