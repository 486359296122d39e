// The hours of a class where the reader is: the course page and the student's week, in four time zones.
import type { Browser, Page } from '@playwright/test';
import { newStaff, newStudent, signIn } from '../actors.ts';
import { catalogue, expect, openSchool, run, test, untilLive } from '../school.ts';

const toronto = 'America/Toronto';
const zones = [toronto, 'Africa/Lagos', 'Asia/Shanghai', 'Pacific/Honolulu'];
const day_ms = 86_400_000;
const dateIn = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: toronto }).format(at);

/** "Wednesday, March 10" and "01:00–02:30": a class of one and a half hours, as a clock in the zone shows it. */
function onClock(startsAtUtc: string, timeZone: string) {
  const start = new Date(startsAtUtc);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' });
  const day = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' });
  return { day: day.format(start), hours: `${clock.format(start)}–${clock.format(start.getTime() + 1.5 * 3_600_000)}` };
}

async function openIn(browser: Browser, timezoneId: string, use: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ timezoneId });
  await use(await context.newPage());
  await context.close();
}

test('a course page and a student’s week have the hours of the reader’s clock', async ({ browser }) => {
  await openSchool(async (school) => {
    const office = await newStaff(school);
    const post = async (path: string, data: object) => {
      const answer = await office.post(path, { data });
      expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
      return (await answer.json()) as { id: number };
    };
    const courses = (await (await office.get('/api/courses')).json()) as { id: number; code: string }[];
    const courseId = courses.find(({ code }) => code === 'MHF4U')?.id;
    const now = Date.now();
    const [startsOn, joinUntil, endsOn] = [-20, 20, 60].map((days) => dateIn(new Date(now + days * day_ms)));
    const term = await post('/api/admin/terms', { name: 'Now', startsOn, joinUntil, endsOn, isPublished: true });
    const meetings = [2, 7].map((weekday) => ({ weekday, startsAt: '19:00', endsAt: '20:30', link: 'https://meet.example/functions' }));
    const section = await post('/api/admin/sections', { courseId, termId: term.id, status: 'open', meetings });
    const student = await newStudent(school, 'ada');
    const { id: studentId } = (await (await student.calls.get('/api/students/me')).json()) as { id: number };
    await post('/api/admin/enrollments', { studentId, courseId, sectionId: section.id, reason: 'Agreed on the telephone.' });
    const week = (await (await student.calls.get('/api/students/week')).json()) as { startsAtUtc: string }[];
    expect(week).toHaveLength(2);

    for (const zone of zones) {
      await openIn(browser, zone, async (page) => {
        await page.goto(`${school.url}/courses/MHF4U`);
        await untilLive(page);
        const first = page.getByRole('region', { name: 'Classes' }).getByRole('listitem').first();
        await expect(first).toContainText('Tue and Sun 19:00–20:30 Toronto time');
        // From today on, so that a change of clocks comes after it.
        const coming = onClock(week.at(-1)?.startsAtUtc ?? '', zone);
        await expect(first).toContainText(zone === toronto ? 'The same in your time zone' : 'your time');
        await expect(first).toContainText(coming.hours);

        await signIn(page, student);
        await page.goto(`${school.url}/student/dashboard`);
        const card = page.getByRole('region', { name: 'This Week' });
        for (const { startsAtUtc } of week) {
          const { day, hours } = onClock(startsAtUtc, zone);
          const row = card.getByRole('listitem').filter({ has: page.getByRole('heading', { name: day }) });
          await expect(row).toContainText(`${hours} Advanced Functions (MHF4U A)`);
          if (zone !== toronto) await expect(row).toContainText('19:00–20:30 in Toronto');
        }
        await expect(card).toContainText(zone === toronto ? 'Times are in Toronto time.' : 'the school’s are in Toronto time.');
      });
    }
  }, {}, (folder) => void run(['--data-dir', folder, 'import-courses', catalogue]));
});
