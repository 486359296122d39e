// Email addresses in the office's tables: whole, or broken after the @.
import type { Locator } from '@playwright/test';
import { enter, newStudent } from '../actors.ts';
import { pdf } from '../documents/files.ts';
import { requestCourses } from '../enrollments/actions.ts';
import { dress, expectNoOverflow, looks } from '../looks.ts';
import { expect, test } from '../school.ts';

/** Local part of the students' addresses at mail.example. */
const mailbox = 'wilhelmina-constance.featherstone';

/** The rendered lines of a text. */
function linesOf(element: Locator): Promise<string[]> {
  return element.evaluate((root) => {
    const lines: { top: number; text: string }[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const [at, sign] of [...(node.textContent ?? '')].entries()) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { top } = range.getBoundingClientRect();
        const last = lines.at(-1);
        if (last && Math.abs(last.top - top) < 4) last.text += sign;
        else lines.push({ top, text: sign });
      }
    }
    return lines.map(({ text }) => text);
  });
}

test('an address breaks after its @ and never inside a word, at both widths', async ({ page, fresh }) => {
  const person = await newStudent(fresh, mailbox);
  await requestCourses(person, ['ENG4U']);
  await person.calls.post('/api/students/documents', { multipart: { documentType: 'transcript', document: pdf('transcript.pdf') } });
  for (const path of ['/admin/dashboard', '/admin/documents', '/admin/mail']) {
    await enter(page, fresh, path);
    const found = page.getByRole('main').locator('bdi').filter({ hasText: person.email }).first();
    await expect(found).toHaveText(person.email);
    for (const look of looks.filter(({ colorScheme }) => colorScheme === 'light')) {
      await dress(page, look);
      expect([person.email, person.email.replace('@', '@ ')], path).toContain((await linesOf(found)).join(' '));
      await expectNoOverflow(page);
    }
  }
});
