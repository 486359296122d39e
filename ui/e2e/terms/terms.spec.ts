// Terms and sections: a term copied with few clicks, and hours read abroad.
import type { APIRequestContext, Browser } from '@playwright/test';
import { asStaff, newStaff } from '../actors.ts';
import { expect, expectToast, openSchool, catalogue, run, test, untilLive } from '../school.ts';

const year = new Date().getFullYear() + 1;
const winter = { name: `Winter ${year}`, startsOn: `${year}-02-01`, endsOn: `${year}-06-18`, joinUntil: `${year}-02-15`, daysOff: [`${year}-02-15`] };
const evenings = [2, 4].map((weekday) => ({ weekday, startsAt: '19:00', endsAt: '20:30', link: 'https://meet.example/functions' }));

async function post<Answer>(calls: APIRequestContext, path: string, data: object): Promise<Answer> {
  const answer = await calls.post(path, { data });
  expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return (await answer.json()) as Answer;
}

async function idOf(calls: APIRequestContext, code: string): Promise<number> {
  const courses = (await (await calls.get('/api/courses')).json()) as { id: number; code: string }[];
  return courses.find((course) => course.code === code)?.id ?? 0;
}

/** What a visitor in a time zone reads on a course's page about its first class. */
async function readIn(browser: Browser, url: string, timezoneId: string): Promise<string> {
  const context = await browser.newContext({ timezoneId });
  const page = await context.newPage();
  await page.goto(url);
  await untilLive(page);
  const first = page.getByRole('region', { name: 'Classes' }).getByRole('listitem').first();
  await expect(first).toContainText('your time');
  const text = await first.innerText();
  await context.close();
  return text;
}

const withCourses = (use: Parameters<typeof openSchool>[0], settings = {}) =>
  openSchool(use, settings, (folder) => void run(['--data-dir', folder, 'import-courses', catalogue]));

test('a term is copied to the next year, opened and published in five clicks, and read in other zones', async ({ page, browser }) => {
  await withCourses(async (school) => {
    const office = await newStaff(school);
    const term = await post<{ id: number }>(office, '/api/admin/terms', winter);
    const courseId = await idOf(office, 'MHF4U');
    for (const rest of [{ meetings: evenings, teacherName: 'R. Okafor' }, { delivery: 'asynchronous', price: 449 }]) await post(office, '/api/admin/sections', { courseId, termId: term.id, ...rest });

    await asStaff(page, school);
    await page.goto(`${school.url}/admin/terms`);
    await page.getByRole('button', { name: `Copy ${winter.name} to the next year` }).click();
    const dialog = page.getByRole('dialog', { name: `Copy ${winter.name}` });
    await expect(dialog.getByLabel('Name')).toHaveValue(`Winter ${year + 1}`);
    await expect(dialog).toContainText('2 sections with hours, links and teachers');
    await dialog.getByRole('button', { name: 'Copy Term' }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Winter ${year + 1}` })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change Teacher of MHF4U A: R. Okafor' })).toBeVisible();
    await page.getByRole('button', { name: 'Open All 2 Planned' }).click();
    await expectToast(page, 'Sections open');
    await page.getByRole('button', { name: 'Publish' }).click();
    await expectToast(page, 'Term published');

    const address = `${school.url}/courses/MHF4U`;
    const lagos = await readIn(browser, address, 'Africa/Lagos');
    expect(lagos).toContain(`Winter ${year + 1}`);
    expect(lagos).toMatch(/Tue and Thu 19:00–20:30 Toronto time\s*Wed and Fri 01:00–02:30 your time; from Mar \d+, \d+: Wed and Fri 00:00–01:30/);
    expect(lagos).not.toContain('meet.example');
    expect(await readIn(browser, address, 'Asia/Shanghai')).toContain('Wed and Fri 08:00–09:30 your time');
    expect(await readIn(browser, address, 'Pacific/Honolulu')).toContain('14:00–15:30 your time');
  });
});
