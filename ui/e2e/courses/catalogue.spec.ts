// The catalogue: tabs, skeletons, failures, and the real 158 courses.
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { disconnect, hold } from '../network.ts';
import { expect, test } from '../school.ts';

const cards = 'main li.offer:not(.skeleton)';
const failed = 'Failed to load courses. Please try again later.';

test('all 158 courses are there, each in its grade', async ({ page }) => {
  let total = 0;
  for (const [grade, count] of [[9, 21], [10, 29], [11, 53], [12, 55]] as const) {
    await page.goto(`/courses?grade=${grade}`);
    await expect(page.getByRole('tabpanel').locator('li.offer')).toHaveCount(count);
    total += count;
  }
  expect(total).toBe(158);
});

test('the address chooses the tab, the tab rewrites the address, and a wrong grade is grade 9', async ({ page }) => {
  for (const path of ['/courses', '/courses?grade=13', '/courses?grade=abc', '/courses?grade=']) {
    await page.goto(path);
    await expect(page.getByRole('tab', { name: 'Grade 9' })).toHaveAttribute('aria-selected', 'true');
  }
  await page.goto('/about');
  await page.goto('/courses?grade=10');
  await page.getByRole('tab', { name: 'Grade 12' }).click();
  await expect(page).toHaveURL(/\/courses\?grade=12$/);
  await expect(page).toHaveTitle('Grade 12 courses · Northgate Academy');
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Grade 12' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page, 'the address was replaced, not added').toHaveURL(/\/about$/);
});

test('arrow keys, Home and End move through the tabs, however fast', async ({ page }) => {
  await page.goto('/courses?grade=9');
  await page.getByRole('tab', { name: 'Grade 9' }).focus();
  const selected = page.getByRole('tab', { selected: true });
  for (const [key, name] of [
    ['ArrowRight', 'Grade 10'], ['End', 'Grade 12'], ['ArrowRight', 'Grade 9'],
    ['ArrowLeft', 'Grade 12'], ['Home', 'Grade 9'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(selected).toHaveText(name);
    await expect(selected).toBeFocused();
  }
  for (let presses = 0; presses < 11; presses++) await page.keyboard.press('ArrowRight');
  await expect(selected).toHaveText('Grade 12');
  await expect(page).toHaveURL(/grade=12/);
  await expect(page.getByRole('tabpanel').getByText('ENG4U')).toBeVisible();
});

for (const [from, link, count] of [['/about', 'Home', 3], ['/about', 'Grade 9', 5], ['/about', 'Grade 12', 7]] as const) {
  test(`${link} shows ${count} placeholders while the courses load, and nothing shifts after`, async ({ page }) => {
    const held = await hold(page, '**/api/courses');
    await page.goto(from);
    await page.getByRole('contentinfo').getByRole('link', { name: link }).click();
    const placeholders = page.locator('main li.skeleton');
    await expect(placeholders).toHaveCount(count);
    held.release();
    await expect(page.locator(cards).first()).toBeVisible();
    await expect(placeholders).toHaveCount(0);
  });
}

test('a failure says so and can be tried again', async ({ page }) => {
  await page.route('**/api/courses', (route) => route.fulfill({ status: 500, body: '<h1>Oops</h1>' }));
  await page.goto('/about');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Grade 12' }).click();
  await expect(page.getByText(failed)).toBeVisible();
  await expect(page.getByText('Oops')).toHaveCount(0);
  await expectSoundInEveryLook(page);
  await page.unroute('**/api/courses');
  await page.getByRole('button', { name: /try again|retry/i }).click();
  await expect(page.getByRole('tabpanel').locator('li.offer')).toHaveCount(55);
});

test('the failure is shown offline as well, and the home page shows none', async ({ page }) => {
  await page.goto('/about');
  await disconnect(page, '**/api/courses');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Ontario high school credits/ })).toBeVisible();
  await expect(page.getByText(failed)).toHaveCount(0);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Grade 9' }).click();
  await expect(page.getByText(failed)).toBeVisible();
});

test('a grade without courses says so', async ({ page }) => {
  await page.route('**/api/courses', (route) => route.fulfill({ json: [] }));
  await page.goto('/about');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Grade 11' }).click();
  await expect(page.getByRole('tabpanel')).toContainText(/no .*courses/i);
  await expectSound(page);
});

test('a filter narrows the grade, survives a reload, and says when nothing is left', async ({ page }) => {
  await page.goto('/courses?grade=12');
  const filter = page.getByRole('searchbox');
  await filter.fill('chem');
  await expect(page.getByRole('tabpanel').locator('li.offer')).toHaveCount(2);
  await expect(page).toHaveURL(/q=chem/);
  await page.reload();
  await expect(filter).toHaveValue('chem');
  await filter.fill('no such course');
  await expect(page.getByRole('tabpanel').locator('li.offer')).toHaveCount(0);
  await expectSound(page);
});

test('a course with alternative prerequisites does not claim to have none', async ({ page }) => {
  await page.goto('/courses?grade=12&q=HZT4U');
  const card = page.locator(cards).filter({ hasText: 'HZT4U' });
  await expect(card).toContainText('See description');
  await page.goto('/courses?grade=9&q=ENL1W');
  await expect(page.locator(cards).filter({ hasText: 'ENL1W' })).toContainText('None');
});

test('the legend reads SCH4U and names the levels', async ({ page }) => {
  await page.goto('/courses');
  const legend = page.getByRole('region', { name: 'Reading a Course Code' });
  await page.getByRole('link', { name: 'Reading a code' }).click();
  const heading = legend.getByRole('heading');
  await expect(heading).toBeInViewport();
  await expect(heading).toBeFocused();
  await expect(legend).toContainText('SCH4U');
  for (const [term, meaning] of [
    ['SC', 'Subject Science'],
    ['H', 'Sub-category Chemistry'],
    ['4', 'Grade Grade 12'],
    ['U', 'Level University'],
    ['D', 'Academic (grades 9-10)'],
    ['U', 'University Preparation'],
    ['M', 'University/College Preparation'],
    ['C', 'College Preparation'],
    ['O', 'Open'],
  ] as const) {
    const pairs = legend.locator('dl > div').filter({ has: page.getByText(term, { exact: true }) });
    await expect(pairs.filter({ has: page.getByRole('definition').filter({ hasText: meaning }) })).toHaveCount(1);
  }
});
