// Course Management: adding, editing and deleting courses, and their failures.
import { endSession, enter, logInAgain } from '../actors.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';
import { card, cards, create, fact, fill, openForm } from './management.ts';

/** The cards of section 2; `table.spec.ts` covers the table. */
const courses = '/admin/courses?view=cards';

test('a course is added, changed and deleted, and the public catalogue follows', async ({ page, fresh }) => {
  // The catalogue is cached in this tab before the office changes it.
  await enter(page, fresh, '/');
  await page.evaluate(() => document.documentElement.setAttribute('data-same', ''));
  await page.getByRole('link', { name: 'Explore Courses' }).click();
  await expect(page.getByRole('tabpanel').locator('li.offer')).toHaveCount(21);
  await page.goBack();
  await page.getByRole('link', { name: 'Admin Login' }).click();
  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Courses' }).click();
  await page.getByRole('button', { name: 'Cards' }).click();
  await expect(cards(page)).toHaveCount(158);
  await expect(page.getByText('158 courses')).toBeVisible();

  await openForm(page);
  await expect(page.getByLabel('Grade').last()).toHaveValue('9');
  await expect(page.getByLabel('Course type')).toHaveValue('Academic');
  await expect(page.getByLabel('Compulsory course')).not.toBeChecked();
  await expect(page.getByLabel('Price (optional)')).toHaveValue('');
  await expect(page.getByLabel('Prerequisite (optional)')).toHaveValue('');
  await expect(page.getByLabel('Credits')).toHaveValue('1');
  await fill(page, 'rbt1o', '  Robotics   Studio ');
  await page.getByLabel('Price (optional)').fill('$1,250.50');
  await create(page);
  await expectToast(page, 'Course created');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit RBT1O: Robotics Studio' })).toBeFocused();
  await expect(page.getByText('159 courses')).toBeVisible();
  for (const [term, text] of [['Grade', '9'], ['Type', 'Academic'], ['Compulsory', 'No'], ['Prerequisite', 'None'], ['Price', '$1,250.50']] as const) {
    await expect(fact(page, 'RBT1O', term)).toHaveText(text);
  }

  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Update Course' })).toBeVisible();
  await expect(page.getByLabel('Price (optional)')).toHaveValue('1250.50');
  await page.getByLabel('Course name').fill('Robotique appliquée');
  await page.getByLabel('Course type').selectOption('Open');
  await page.getByLabel('Price (optional)').fill('');
  await page.getByLabel('Prerequisite (optional)').fill('tas1o');
  await page.getByLabel('Compulsory course').check();
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expectToast(page, 'Course updated');
  await expect(page.getByRole('button', { name: 'Edit RBT1O: Robotique appliquée' })).toBeFocused();
  for (const [term, text] of [['Type', 'Open'], ['Compulsory', 'Yes'], ['Prerequisite', 'TAS1O'], ['Price', 'Not set']] as const) {
    await expect(fact(page, 'RBT1O', term)).toHaveText(text);
  }

  for (let steps = 0; steps < 2; steps++) await page.goBack();
  await page.getByRole('link', { name: 'Explore Courses' }).click();
  await expect(page.getByRole('heading', { name: 'Robotique appliquée' })).toBeVisible();
  await expect(page.locator('html[data-same]'), 'the page was not reloaded').toHaveCount(1);
  await page.goto(`${fresh.url}${courses}&q=rbt1o`);

  await page.getByRole('button', { name: 'Delete RBT1O: Robotique appliquée' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Course' });
  await expect(question).toContainText(
    'Are you sure you want to delete the course "RBT1O: Robotique appliquée"? This action cannot be undone.',
  );
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Delete RBT1O' })).toBeFocused();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Course deleted');
  await expect(page.getByRole('heading', { name: 'All Courses' })).toBeFocused();
  await expect(page.getByText('0 of 158 courses')).toBeVisible();
  await page.goto(`${fresh.url}/courses?grade=9`);
  await expect(page.getByRole('tabpanel').locator('li.offer')).toHaveCount(21);
});

test('each rule of the form has its message', async ({ page, school }) => {
  await enter(page, school, courses);
  await openForm(page);
  await page.getByLabel('Course type').selectOption('');
  await page.getByLabel('Price (optional)').fill('-1');
  await page.getByLabel('Credits').fill('');
  await create(page);
  const summary = page.getByRole('alert');
  await expect(summary).toBeFocused();
  for (const [label, message] of [
    ['Course code', 'Course code must be at least 2 characters'],
    ['Course type', 'Course type is required'],
    ['Course name', 'Course name must be at least 3 characters'],
    ['Description', 'Description must be at least 10 characters'],
    ['Price (optional)', 'Price cannot be negative'],
    ['Credits', 'Credits must be more than 0 and at most 4, with at most two decimals'],
  ] as const) {
    await expect(summary.getByRole('link', { name: message })).toBeVisible();
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(`${message}$`));
  }
  await page.getByLabel('Course code').fill('ABCDEFGHIJK');
  await expect(page.getByLabel('Course code')).toHaveAccessibleDescription('Course code must be less than 10 characters');
  await page.getByLabel('Course code').fill('ABCDEFGHIJ');
  await expect(page.getByLabel('Course code')).not.toHaveAttribute('aria-invalid');
  await page.getByLabel('Price (optional)').fill('12,50');
  await expect(page.getByLabel('Price (optional)')).toHaveAccessibleDescription(/Price must be a number$/);
});

test('a code that contradicts the form is pointed out, and saved all the same', async ({ page, fresh }) => {
  await enter(page, fresh, courses);
  await openForm(page);
  await fill(page, 'RBT3U');
  await expect(page.getByText('The code says grade 11, the form says 9.')).toBeVisible();
  await expect(page.getByText('The code says University, the form says Academic.')).toBeVisible();
  await page.getByLabel('Course type').selectOption('University');
  await expect(page.getByText(/The code says University/)).toHaveCount(0);
  await create(page);
  await expectToast(page, 'Course created');
  await expect(fact(page, 'RBT3U', 'Grade')).toHaveText('9');
});

test('a code that is taken or has invalid characters is refused at its field', async ({ page, school }) => {
  await enter(page, school, courses);
  await openForm(page);
  await fill(page, 'eng4u');
  await create(page);
  await expect(page.getByRole('alert').first()).toBeFocused();
  await expect(page.getByLabel('Course code')).toHaveAccessibleDescription('A course with this code already exists');
  await expectToast(page, 'Error');
  await page.getByLabel('Course code').fill('ÉNG4U');
  await create(page);
  await expect(page.getByLabel('Course code')).toHaveAccessibleDescription('Course code must contain only letters, digits and hyphens');
});

test('a failed change says so, keeps what was typed, and can be tried again', async ({ page, school }) => {
  await enter(page, school, `${courses}&q=enl1w`);
  const refuse = (body: string) => page.route(/\/api\/admin\/courses(\/\d+)?$/, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, body }));
  await expect(cards(page)).toHaveCount(1);
  await refuse('<h1>Oops</h1>');
  await openForm(page);
  await fill(page, 'RBT2O');
  await create(page);
  await expectToast(page, 'Error', 'Failed to create course. Please try again.');
  await expect(page.getByRole('dialog').locator('.notice-error')).toContainText('Failed to create course. Please try again.');
  await expect(page.getByLabel('Description')).toHaveValue('Building and programming small robots.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard Changes' }).click();

  await page.getByRole('button', { name: 'Edit ENL1W' }).click();
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expectToast(page, 'Error', 'Failed to update course. Please try again.');
  await page.unrouteAll();
  await refuse('{"message":"The school’s server is busy."}');
  await page.getByRole('button', { name: 'Update Course' }).click();
  await expectToast(page, 'Error', 'The school’s server is busy.');
  await page.keyboard.press('Escape');

  await page.unrouteAll();
  await refuse('');
  await page.getByRole('button', { name: 'Delete ENL1W' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Error', 'Failed to delete course. Please try again.');
  await page.unrouteAll();
  await page.route(/\/api\/admin\/courses\/\d+$/, (route) => route.abort('internetdisconnected'));
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expectToast(page, 'Error', 'could not be reached');
  await expect(page.getByText('Oops')).toHaveCount(0);
});

test('a session that ended under the form keeps its input', async ({ page, fresh }) => {
  await enter(page, fresh, courses);
  await openForm(page);
  await fill(page, 'RBT2O');
  await endSession(page);
  await create(page);
  await logInAgain(page, fresh.staff.password);
  await expect(page.getByLabel('Description')).toHaveValue('Building and programming small robots.');
  await create(page);
  await expectToast(page, 'Course created');
  await expect(page.getByRole('button', { name: 'Edit RBT2O' })).toBeFocused();
});

test('while it is saved the button says so, and a second click or Enter sends nothing more', async ({ page, fresh }) => {
  await enter(page, fresh, courses);
  await expect(cards(page)).toHaveCount(158);
  const slow = await hold(page, '**/api/admin/courses');
  await openForm(page);
  await fill(page, 'RBT2O');
  await page.getByRole('button', { name: 'Create Course' }).dblclick();
  const pending = page.getByRole('button', { name: 'Creating...' });
  await pending.click({ force: true });
  await page.getByLabel('Course name').press('Enter');
  expect(slow.count()).toBe(1);
  slow.release();
  await expectToast(page, 'Course created');
  await expect(card(page, 'RBT2O')).toHaveCount(1);

  await page.unrouteAll();
  const deletion = await hold(page, /\/api\/admin\/courses\/\d+$/);
  await page.getByRole('button', { name: 'Delete RBT2O' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).dblclick();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeFocused();
  expect(deletion.count()).toBe(1);
  deletion.release();
  await expectToast(page, 'Course deleted');
});

test('search and grade are in the address, and an added course is shown in spite of them', async ({ page, fresh }) => {
  await enter(page, fresh, `${courses}&grade=13`);
  await expect(cards(page)).toHaveCount(158);
  await page.getByLabel('Grade', { exact: true }).selectOption('12');
  await expect(page.getByText('55 of 158 courses')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search courses' }).fill('english 4u');
  await expect(page).toHaveURL(`${fresh.url}${courses}&q=english+4u&grade=12`);
  const found = await cards(page).count();
  expect(found).toBeGreaterThan(0);
  await page.reload();
  await expect(cards(page)).toHaveCount(found);
  await expect(page.getByRole('searchbox')).toHaveValue('english 4u');
  await openForm(page);
  await expect(page.getByLabel('Grade').last(), 'the grade that is shown').toHaveValue('12');
  await fill(page, 'RBT4O');
  await create(page);
  await expect(page.getByRole('button', { name: 'Edit RBT4O' })).toBeFocused();
  await expect(page.getByText('56 of 159 courses'), 'only the search hid it').toBeVisible();
  await openForm(page);
  await fill(page, 'RBT4M');
  await create(page);
  await expect(page.getByRole('button', { name: 'Edit RBT4M' })).toBeFocused();
  await expect(page).toHaveURL(`${fresh.url}${courses}&grade=12`);
  await openForm(page);
  await fill(page, 'RBT1O');
  await page.getByLabel('Grade').last().selectOption('9');
  await create(page);
  await expect(page.getByRole('button', { name: 'Edit RBT1O' })).toBeFocused();
  await expect(cards(page)).toHaveCount(161);
  await page.getByRole('searchbox').fill('zzz');
  await page.getByRole('button', { name: 'Show All Courses' }).click();
  await expect(cards(page)).toHaveCount(161);
  await expect(page).toHaveURL(`${fresh.url}${courses}`);
});

test('the keyboard alone adds a course, and discarding asks first', async ({ page, fresh }) => {
  await enter(page, fresh, courses);
  await expect(cards(page)).toHaveCount(158);
  await page.getByRole('button', { name: 'Add New Course' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Course code').pressSequentially('RBT2O');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(page.getByLabel('Course code')).toBeFocused();
  for (const typed of ['Grade 10', 'Open', 'Robotics Studio', 'Building and programming small robots.']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(typed);
  }
  for (let tabs = 0; tabs < 5; tabs++) await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Course created');
  await expect(page.getByRole('button', { name: 'Edit RBT2O' })).toBeFocused();
  for (const [term, text] of [['Grade', '10'], ['Type', 'Open'], ['Compulsory', 'Yes']] as const) {
    await expect(fact(page, 'RBT2O', term)).toHaveText(text);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Delete Course' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Delete RBT2O' })).toBeFocused();
});
