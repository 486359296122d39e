// Student Documents and Admission Requests: rows, search, pages and empty states.
import { enter, newStudent } from '../actors.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { expect, test } from '../school.ts';
import { pdf } from './files.ts';

const documents = '/admin/documents';
const requests = '/admin/admission-requests';

test('a document is listed with its owner and opens in a new tab', async ({ page, school }) => {
  await enter(page, school, documents);
  const row = page.getByRole('row').filter({ hasText: 'Amara Okonkwo-Lefebvre' }).filter({ hasText: 'Government ID' });
  await expect(row).toContainText('amara.okonkwo@mail.example');
  await expect(row).toContainText(/passport\.png · \d+ bytes/);
  await expect(row).toContainText(/(January|February|March|April|May|June|July|August|September|October|November|December) \d+, \d{4}/);
  await expect(row.locator('.badge')).toHaveText(/waiting for the office/i);
  const opening = page.waitForEvent('popup');
  await row.getByRole('link', { name: 'View Document' }).click();
  const tab = await opening;
  await expect(tab).toHaveURL(/\/api\/documents\/\d+$/);
  await tab.close();
});

test('a tab that cannot show a document says why, in every look', async ({ page, school }) => {
  await page.goto(`${school.url}/api/documents/1`);
  await expect(page).toHaveTitle('Please Log In · Northgate Academy');
  await expect(page.getByText('Please log in to continue.')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('link', { name: 'Office login' }).click();
  await expect(page).toHaveURL(`${school.url}/admin/login`);
  await enter(page, school, '/api/documents/424242');
  await expect(page.getByText('There is no such document, or your account may not see it.')).toBeVisible();
  await expectSoundInEveryLook(page);
  await page.getByRole('link', { name: 'Back to the office' }).click();
  await expect(page).toHaveURL(`${school.url}/admin/dashboard`);
});

test('documents are found by type, name and address, and the search survives a reload', async ({ page, fresh }) => {
  const { calls } = await newStudent(fresh, 'amara', { fullName: 'Amara Okonkwo' });
  for (const documentType of ['government_id', 'transcript']) {
    expect((await calls.post('/api/students/documents', { multipart: { documentType, document: pdf('scan.pdf') } })).ok()).toBe(true);
  }
  await enter(page, fresh, documents);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  await expect(rows).toHaveCount(2);
  const search = page.getByPlaceholder('Search documents...');
  await search.fill('SCHOOL trans');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/\?q=SCHOOL\+trans$/);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(search).toHaveValue('SCHOOL trans');
  for (const words of ['okonkwo', 'amara mail.example']) {
    await search.fill(words);
    await expect(rows).toHaveCount(2);
  }
  await search.fill('zzz');
  await expect(page.getByRole('heading', { name: 'No documents found' })).toBeVisible();
  await expect(page.getByText('No documents match your search. Try different keywords.')).toBeVisible();
});

test('without a document and without a request the screens say why', async ({ page, fresh }) => {
  await enter(page, fresh, documents);
  await expect(page.getByRole('heading', { name: 'No documents found' })).toBeVisible();
  await expect(page.getByText('No students have uploaded any documents yet.')).toBeVisible();
  await page.goto(`${fresh.url}${requests}`);
  await expect(page.getByText('No admission requests yet')).toBeVisible();
  await expect(page.getByText('Families apply on the website. You can also enter a request by hand.')).toBeVisible();
});

const unnamed = {
  id: 7, documentType: 'health_insurance', studentId: 42, originalName: 'بطاقة التأمين.pdf', contentType: 'application/pdf', sizeBytes: 2_500_000,
  status: 'accepted', uploadedAt: null, createdAt: null, student: { fullName: null, email: 'not.yet.named@averyveryverylongdomainname.example' },
};
const awkward = {
  ...unnamed, id: 8, documentType: 'other', uploadedAt: '2024-03-06T02:30:00Z', originalName: `${'averylongname'.repeat(9)}.pdf`,
  student: { fullName: `Zoë ${'Wolfeschlegelsteinhausenbergerdorff-'.repeat(3)}Nguyễn 🎓`, email: 'z@mail.example' },
};

test('documents with missing or long data are sound in every look', async ({ page, school }) => {
  await page.route('**/api/admin/documents?*', (route) => route.fulfill({ json: [unnamed, awkward], headers: { 'X-Total-Count': '2' } }));
  await enter(page, school, documents);
  const row = page.getByRole('row').filter({ hasText: 'Student #42' });
  await expect(row).toContainText('Health Insurance');
  await expect(row).toContainText('Unknown date');
  // The date is in the school's time zone, not in UTC.
  await expect(page.getByRole('row').filter({ hasText: 'Nguyễn' })).toContainText('March 5, 2024');
  await expectSoundInEveryLook(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectSound(page);
});

test('ten thousand documents come 25 at a time', async ({ page, school }) => {
  const asked: string[] = [];
  await page.route('**/api/admin/documents?*', (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('page'));
    asked.push(new URL(route.request().url()).search);
    const first = (number - 1) * 25;
    const rows = Array.from({ length: Math.max(0, Math.min(25, 10_000 - first)) }, (_, index) => ({ ...awkward, id: first + index + 1, studentId: first + index + 1, student: { fullName: null, email: 'a@mail.example' } }));
    return route.fulfill({ json: rows, headers: { 'X-Total-Count': '10000' } });
  });
  await enter(page, school, documents);
  await expect(page.getByText('1 to 25 of 10000')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('link', { name: 'Student #26', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'All Documents' })).toBeFocused();
  await expect(page).toHaveURL(/\?page=2$/);
  await page.goto(`${school.url}${documents}?page=401`);
  await expect(page).toHaveURL(/\?page=400$/);
  await expect(page.getByRole('link', { name: 'Student #10000', exact: true })).toBeVisible();
  expect(asked).toEqual(['?page=1', '?page=2', '?page=401', '?page=400']);
});

test('a request is found, filtered, and shown in full', async ({ page, school }) => {
  await enter(page, school, `${requests}?status=nonsense`);
  const row = page.getByRole('row').filter({ hasText: 'Anaïs Núñez-Gagné' });
  for (const text of ['famille.gagne@mail.example', '10', 'pending']) {
    await expect(row).toContainText(text);
  }
  await expect(row.locator('.badge')).toHaveClass(/tone-yellow/);
  await page.getByPlaceholder('Search by name, email or reference...').fill('nunez');
  await expect(page).toHaveURL(/\?q=nunez/);
  const chip = (name: RegExp) => page.getByRole('group', { name: 'Show only' }).getByRole('button', { name });
  await chip(/^Pending/).click();
  await expect(page).toHaveURL(/\?q=nunez&status=pending$/);
  await page.reload();
  await expect(row).toBeVisible();
  await expect(chip(/^Pending/)).toHaveAttribute('aria-pressed', 'true');

  // By keyboard alone.
  await row.getByRole('link', { name: 'View Request' }).focus();
  await page.keyboard.press('Enter');
  const facts = page.getByRole('region', { name: 'Application', exact: true });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anaïs Núñez-Gagné');
  for (const text of ['9 rue de l\'Exemple, Montréal, QC H2X 0A0', 'École secondaire de l\'Exemple']) await expect(facts).toContainText(text);
  await expect(facts.getByRole('link', { name: 'famille.gagne@mail.example' }).first()).toHaveAttribute('href', 'mailto:famille.gagne@mail.example');
  await expect(facts.getByRole('link', { name: '(514) 555-0176' })).toHaveAttribute('href', 'tel:+1-514-555-0176');
  await page.goBack();
  await expect(row).toBeVisible();

  await chip(/^Pending/).click();
  await chip(/^Declined/).click();
  await expect(page.getByText('No requests match your search.')).toBeVisible();
});
