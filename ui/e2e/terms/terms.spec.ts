// Terms and sections: a term copied with few clicks, hours read abroad, a class moved and undone, a student transferred.
import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { asStaff, newStaff, newStudent, signIn } from '../actors.ts';
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

    await page.getByRole('link', { name: 'Back to Terms' }).click();
    await page.getByRole('button', { name: 'Add a Term' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a Term' });
    await adding.getByLabel('Name').fill(`Spring ${year}`);
    for (const [label, day] of [['First day', '05-03'], ['Last day', '08-27'], ['Last day to join', '05-17']] as const) await adding.getByLabel(label, { exact: true }).fill(`${year}-${day}`);
    for (const [from, to] of [['07-01', ''], ['07-05', '07-09']] as const) {
      await adding.getByLabel('From', { exact: true }).fill(`${year}-${from}`);
      if (to) await adding.getByLabel('To (for several days)').fill(`${year}-${to}`);
      await adding.getByRole('button', { name: 'Add Days Off' }).click();
    }
    await expect(adding.getByText('6 days without classes:')).toBeVisible();
    await adding.getByRole('button', { name: /^Remove .*Jul 1/ }).click();
    await expect(adding.getByLabel('From', { exact: true }), 'the button is gone').toBeFocused();
    await adding.getByRole('button', { name: 'Add Term' }).click();
    await expect(page.getByRole('heading', { level: 1, name: `Spring ${year}` }), 'what was saved is not asked about').toBeVisible();
    await expect(page.getByText(`Days off: Jul 5, ${year} – Jul 9, ${year}`)).toBeVisible();

    const address = `${school.url}/courses/MHF4U`;
    const lagos = await readIn(browser, address, 'Africa/Lagos');
    expect(lagos).toContain(`Winter ${year + 1}`);
    expect(lagos).toMatch(/Tue and Thu 19:00–20:30 Toronto time\s*Wed and Fri 01:00–02:30 your time; from Mar \d+, \d+: Wed and Fri 00:00–01:30/);
    expect(lagos).not.toContain('meet.example');
    expect(await readIn(browser, address, 'Asia/Shanghai')).toContain('Wed and Fri 08:00–09:30 your time');
    expect(await readIn(browser, address, 'Pacific/Honolulu')).toContain('14:00–15:30 your time');
  });
});

/** The sheet's cell of a section's hours, open to be typed into. */
async function retype(page: Page, name: string, text: string) {
  await page.getByRole('button', { name: `Change ${name}` }).click();
  await page.getByRole('textbox', { name }).fill(text);
  await page.keyboard.press('Enter');
}

test.describe('a family in Lagos', () => {
  test.use({ timezoneId: 'Africa/Lagos' });

  test('asks for a class by its hours, gets no email about a move that is undone, and is transferred', async ({ page, browser }) => {
    await withCourses(async (school) => {
      const office = await newStaff(school);
      const term = await post<{ id: number }>(office, '/api/admin/terms', { ...winter, isPublished: true });
      const courseId = await idOf(office, 'MHF4U');
      const add = (rest: object) => post<{ id: number }>(office, '/api/admin/sections', { courseId, termId: term.id, status: 'open', ...rest });
      const first = await add({ meetings: evenings, price: 549 });
      await add({ meetings: [{ ...evenings[0], weekday: 6, startsAt: '10:00', endsAt: '13:00' }], price: 669 });

      const student = await newStudent(school, 'chidi');
      await signIn(page, student);
      await page.goto(`${school.url}/courses/MHF4U`);
      await page.getByRole('region', { name: 'Classes' }).getByRole('link', { name: 'Request' }).first().click();
      const dialog = page.getByRole('dialog', { name: /^Enroll in/ });
      await expect(dialog.getByRole('radio', { name: /Section A · Live\s*Tue and Thu 19:00–20:30 Toronto\s*Wed and Fri 01:00–02:30 your time/ })).toBeChecked();
      await dialog.getByRole('button', { name: 'Submit Enrollment' }).click();
      await expectToast(page, 'Enrollment Submitted');
      const own = (await (await student.calls.get('/api/students/enrollments')).json()) as { id: number; section: { id: number } }[];
      expect(own.map(({ section }) => section.id)).toEqual([first.id]);
      await post(office, `/api/admin/enrollments/${own[0]?.id}/approve`, {});

      const desk = await browser.newContext({ timezoneId: 'America/Toronto' });
      const sheet = await desk.newPage();
      await asStaff(sheet, school);
      await sheet.goto(`${school.url}/admin/terms/${term.id}`);
      await untilLive(sheet);
      await retype(sheet, 'Days and hours of MHF4U A', 'Wed Thu 19:00–20:30');
      await expect(sheet.getByText('1 student gets an email in a minute.')).toContainText('Tue and Thu 19:00–20:30 is now Wed and Thu 19:00–20:30');
      await sheet.getByRole('button', { name: 'Undo' }).click();
      await expectToast(sheet, 'Decision undone');
      await expect(sheet.getByRole('button', { name: 'Change Days and hours of MHF4U A' })).toContainText('Tue and Thu 19:00–20:30');

      await sheet.goto(`${school.url}/admin/enrollments?tab=active`);
      await untilLive(sheet);
      await sheet.getByRole('button', { name: /^More decisions about/ }).click();
      await sheet.getByRole('button', { name: 'Transfer…' }).click();
      const transfer = sheet.getByRole('dialog', { name: 'Transfer this student' });
      await transfer.getByLabel('Section').selectOption({ label: `Winter ${year} · Section B · Live · Sat 10:00–13:00` });
      await transfer.getByLabel('Price').selectOption('new');
      await expect(transfer.getByText('$120.00 more is charged.')).toBeVisible();
      await transfer.getByLabel('Reason').fill('Saturday suits the family better.');
      await transfer.getByRole('button', { name: 'Transfer' }).click();
      await expectToast(sheet, 'Student transferred');
      await desk.close();

      await page.goto(`${school.url}/student/dashboard?tab=courses`);
      await expect(page.getByRole('listitem').filter({ hasText: 'Section B' })).toContainText(/Sat 10:00–13:00 Toronto\s*16:00–19:00 your time/);
    }, { SCHOOLHOUSE_OFFICE_UNDO_SECONDS: '60' });
  });
});
