// A course is its code: the first five characters, whatever row of the catalogue has them.
import { newStaff, signedIn } from '../actors.ts';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';
import { requestCourses } from './actions.ts';

test('a course with the same code in another catalogue row is the same course', async ({ page, fresh }) => {
  const office = await newStaff(fresh);
  const upgrade = {
    code: 'ENG4U-2', name: 'English, Upgrade', description: 'For those who want a better mark.', grade: 12,
    courseType: 'University', credits: 1, isCompulsory: false, prerequisite: null, price: 300,
  };
  expect((await office.post('/api/admin/courses', { data: upgrade })).ok()).toBe(true);
  const person = await signedIn(page, fresh, 'upgrader');
  await requestCourses(person, ['ENG4U-2']);
  await page.goto(`${fresh.url}/student/courses?q=eng4u`);
  await expect(page.getByRole('button', { name: 'Already Enrolled' })).toHaveCount(2);
  await expect(page.getByText('You have ENG4U-2, which is the same course.')).toHaveCount(1);
  await expectSoundInEveryLook(page);
});
