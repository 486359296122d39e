// From the money that came to the receipt: recorded by keyboard on the student's page, seen in the portal, reversed.
import { enter, newStaff, newStudent, signIn } from '../actors.ts';
import { approveAll, requestCourses } from '../enrollments/actions.ts';
import { expectSound, expectSoundInEveryLook } from '../looks.ts';
import { subjectsTo } from '../mail.ts';
import { hold } from '../network.ts';
import { expect, expectToast, test } from '../school.ts';

test('a payment takes four fields and Enter, is asked about when it comes twice, and is reversed', async ({ page, browser, fresh }) => {
  const person = await newStudent(fresh, 'payer');
  const staff = await newStaff(fresh);
  await requestCourses(person, ['ENG4U']);
  await approveAll(staff);
  const [row] = (await (await staff.get('/api/admin/students?q=payer@mail.example')).json()) as { id: number }[];
  await enter(page, fresh, `/admin/students/${row?.id}?tab=money`);
  const fees = page.getByRole('table', { name: 'Fees' });
  await expect(fees.getByRole('row', { name: /ENG4U/ })).toBeVisible();

  const dialog = page.getByRole('dialog', { name: 'Record Payment' });
  await page.keyboard.press('p');
  await expect(dialog.getByLabel('Amount')).toBeFocused();
  await page.keyboard.type('1.200,00');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/can be read in two ways/).first()).toBeVisible();
  await dialog.getByLabel('Amount').fill('100.50');
  // What it pays for is proposed, can be edited, and is proposed again.
  const part = dialog.getByLabel(/ENG4U/);
  await expect(part).toHaveValue('100.50');
  await part.fill('60');
  await expect(dialog.getByText('Leaves $40.50 on account.')).toBeVisible();
  await part.fill('100.51');
  await expect(dialog.getByText('The parts add up to $0.01 more than the payment')).toBeVisible();
  await expectSoundInEveryLook(page);
  await dialog.getByRole('button', { name: 'Oldest Due First' }).click();
  // Method, reference and day, and Enter twice: it is recorded once.
  await dialog.getByLabel('Amount').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Cheque');
  await page.keyboard.press('Tab');
  await page.keyboard.type('No. 17');
  await page.keyboard.press('Tab');
  const recorded = await hold(page, '**/api/admin/payments', 'POST');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  recorded.release();
  await expectToast(page, 'Payment recorded');
  const payments = page.getByRole('table', { name: 'Payments' });
  await expect(payments.getByRole('row', { name: /Cheque · No\. 17.*\$100\.50/ })).toHaveCount(1);
  expect(recorded.count()).toBe(1);
  await expect.poll(() => subjectsTo(fresh, person.email)).toContainEqual(expect.stringMatching(/^Receipt \d{4}-000001$/));
  await expectSoundInEveryLook(page);

  await page.keyboard.press('p');
  await dialog.getByLabel('Amount').fill('100.5');
  await dialog.getByLabel('Method').selectOption('Cheque');
  await dialog.getByLabel(/Reference/).fill('no. 17');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/This looks like receipt \d{4}-000001/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Record It Again' })).toBeVisible();
  // Another amount is another payment, and is asked about by itself.
  await dialog.getByLabel('Amount').fill('99999');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Payment recorded');
  await expect(payments.getByRole('row')).toHaveCount(3);
  // Not the reason in a closed menu, which reads alike until the ledger has come.
  await expect(page.getByText(/is on account, not applied yet/)).toBeVisible();

  const portal = await browser.newPage();
  await signIn(portal, person);
  await portal.goto(`${fresh.url}/student/dashboard`);
  const card = portal.getByRole('region', { name: 'Fees' });
  await expect(card).toContainText('Everything is paid.');
  await expectSound(portal);
  const opened = portal.waitForEvent('popup');
  await card.getByRole('link', { name: /^Receipt \d{4}-000001$/ }).click();
  const receipt = await opened;
  await expect(receipt.getByRole('heading', { name: /^Receipt/ })).toBeVisible();
  await expect(receipt.getByText('No. 17')).toBeVisible();
  await expectSoundInEveryLook(receipt);

  await payments.getByRole('row', { name: /\$100\.50/ }).getByRole('button', { name: /^Move or reverse/ }).click();
  await page.getByRole('button', { name: 'Reverse…' }).click();
  const reverse = page.getByRole('dialog', { name: /^Reverse the payment/ });
  await reverse.getByRole('button', { name: 'Reverse Payment' }).click();
  await expect(reverse.getByText(/Say why it is reversed/).first()).toBeVisible();
  await reverse.getByLabel('Reason').fill('The cheque bounced.');
  await expectSoundInEveryLook(page);
  await reverse.getByRole('button', { name: 'Reverse Payment' }).click();
  await expectToast(page, 'Payment reversed');
  await expect(payments.getByRole('row', { name: /\$100\.50/ })).toContainText('void');
  await receipt.reload();
  await expect(receipt.getByText('VOID')).toBeVisible();
  await expectSound(receipt);
  await portal.close();
});
