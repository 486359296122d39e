// The bounds of a request's dates by the school's date: errors at the fields keep the input.
import type { Page } from '@playwright/test';
import { signedIn } from '../actors.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { expect, expectToast, test } from '../school.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Enroll in/ });
const start = (page: Page) => dialog(page).getByLabel('Start date');
const end = (page: Page) => dialog(page).getByLabel('End date');
const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Submit Enrollment' });

type Bounds = { earliestStart: string; latestStart: string; maxMonths: number };

/** A date as in the server's messages: September 5, 2026. */
function long(date: string): string {
  return new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}

function shifted(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

for (const width of [1280, 390]) {
  test(`dates too far away are refused at their fields at ${width}, and right ones are taken`, async ({ page, school }) => {
    await page.setViewportSize({ width, height: 844 });
    const { calls } = await signedIn(page, school, `bounded-${width}`);
    const bounds = (await (await calls.get('/api/students/enrollments/dates')).json()) as Bounds;
    await page.goto('/student/courses?q=SCH3U');
    await page.getByRole('button', { name: 'Enroll Now' }).click();
    // The date picker offers no other days.
    await expect(start(page)).toHaveAttribute('min', bounds.earliestStart);
    await expect(start(page)).toHaveAttribute('max', bounds.latestStart);

    const early = shifted(bounds.earliestStart, -1);
    await start(page).fill(early);
    await end(page).fill('2199-01-01');
    await submit(page).click();
    const summary = dialog(page).getByRole('alert');
    await expect(summary).toBeFocused();
    const tooEarly = `Start date must be ${long(bounds.earliestStart)} or later, at most 8 weeks back`;
    const tooLong = `End date must be at most ${bounds.maxMonths} months after start date`;
    await expect(summary.getByRole('link')).toHaveText([tooEarly, tooLong]);
    await expect(start(page)).toHaveAccessibleDescription(`When you would like to begin ${tooEarly}`);
    await expect(end(page)).toHaveAccessibleDescription(`Typical course length is 4 months ${tooLong}`);
    await expect(start(page)).toHaveValue(early);
    await expect(end(page)).toHaveValue('2199-01-01');
    await expectSound(page);
    await summary.getByRole('link', { name: tooLong }).click();
    await expect(end(page)).toBeFocused();

    const late = shifted(bounds.latestStart, 1);
    await start(page).fill(late);
    await end(page).fill(shifted(late, 100));
    await submit(page).click();
    const tooLate = `Start date must be ${long(bounds.latestStart)} or earlier, at most 18 months ahead`;
    await expect(summary.getByRole('link')).toHaveText([tooLate]);
    await expect(end(page)).not.toHaveAttribute('aria-invalid', 'true');
    await expect(start(page)).toHaveValue(late);
    await expectSoundInEveryLook(page);
    await page.setViewportSize({ width, height: 844 });

    await start(page).fill(bounds.latestStart);
    await end(page).fill(shifted(bounds.latestStart, 120));
    await submit(page).click();
    await expectToast(page, 'Enrollment Submitted');
    const own = (await (await calls.get('/api/students/enrollments')).json()) as { startDate: string }[];
    expect(own.map(({ startDate }) => startDate)).toEqual([bounds.latestStart]);
  });
}
