// Sixty documents and two reviewers, by keyboard alone: none is decided twice, and the focus is never lost.
import type { Page } from '@playwright/test';
import { asStaff, newStaff, newStudent } from '../actors.ts';
import { expect, test } from '../school.ts';
import { png } from './files.ts';

/** Decides one document after the other, accepting and rejecting in turn, until none waits; how many were shown. */
async function review(page: Page, isAcceptedFirst: boolean): Promise<number> {
  const heading = page.getByRole('heading', { level: 2, name: /^Review/ });
  const end = page.getByRole('heading', { name: 'Nothing waits for review' });
  const accept = page.getByRole('button', { name: 'Accept', exact: true });
  for (let shown = 0; ; shown += 1) {
    await expect(accept.or(end)).toBeVisible();
    if (await end.isVisible()) return shown;
    const before = await heading.innerText();
    if ((shown % 2 === 0) === isAcceptedFirst) await page.keyboard.press('a');
    else {
      await page.keyboard.press('r');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('1');
    }
    await expect(heading).not.toHaveText(before);
    await expect(heading).toBeFocused();
  }
}

test('two reviewers decide sixty documents by keyboard, none twice', async ({ browser, page, fresh }) => {
  test.slow();
  for (const name of ['amara', 'bola', 'chen', 'dita', 'ebba', 'farid']) {
    const { calls } = await newStudent(fresh, name, { fullName: name });
    for (let document = 0; document < 10; document += 1) {
      expect((await calls.post('/api/students/documents', { multipart: { documentType: 'other', document: png('scan.png') } })).ok()).toBe(true);
    }
  }
  const colleague = await (await browser.newContext()).newPage();
  for (const each of [page, colleague]) {
    await asStaff(each, fresh);
    await each.goto(`${fresh.url}/admin/documents?status=pending_review`);
  }
  const shown = await Promise.all([review(page, true), review(colleague, false)]);
  expect(Math.min(...shown)).toBeGreaterThan(0);
  const staff = await newStaff(fresh);
  const count = async (path: string) => Number((await staff.get(`/api/admin/${path}`)).headers()['x-total-count']);
  const [accepted, rejected] = [await count('documents?status=accepted&page=1'), await count('documents?status=rejected&page=1')];
  expect(accepted + rejected).toBe(60);
  expect(Math.min(accepted, rejected)).toBeGreaterThan(0);
  expect(await count('audit?object=document&action=accept&page=1')).toBe(accepted);
  expect(await count('audit?object=document&action=reject&page=1')).toBe(rejected);
});
