// The office's inbox: reading, marking, searching and failures.
import { enter } from '../actors.ts';
import { expectSound } from '../looks.ts';
import { expectQuiet, hold } from '../network.ts';
import { inbox, leaveNew, write } from './messages.ts';
import { expect, expectToast, test } from '../school.ts';

test('an inbox without a message says so', async ({ page, fresh }) => {
  await enter(page, fresh, inbox);
  await expect(page.getByText('No messages yet')).toBeVisible();
  await expect(page.getByText('What visitors send through the contact form arrives here.')).toBeVisible();
  await page.goto(`${fresh.url}${inbox}?q=anything&page=7`);
  await expect(page.getByText('No messages match your search.')).toBeVisible();
});

test('a message is read by opening it, and marked back', async ({ page, fresh }) => {
  await write(page, fresh, { name: 'Søren Kjær', subject: 'courses', message: 'Does MHF4U run in winter?' });
  await write(page, fresh, {
    name: 'Zoë Müller', email: 'zoe.muller@mail.example', phone: '(514) 555-0100', subject: 'admission',
    message: 'First line.\n\n  Second <b>line</b>.',
  });
  await enter(page, fresh, inbox);
  const rows = page.getByRole('list').filter({ has: page.getByText('Zoë Müller') }).getByRole('link');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('Zoë Müller');
  await expect(rows.first()).toContainText('Admission Inquiry');
  await expect(rows.first().getByText('new', { exact: true })).toBeVisible();
  // The newest new one stands open by itself, and stays new until a person does something with it.
  const message = page.getByRole('article', { name: 'Zoë Müller' });
  await expect(message.getByText('Still new: it counts as read when you reply, mark it, or open another message.')).toBeVisible();
  await expect(page).toHaveURL(`${fresh.url}${inbox}`);

  await rows.first().click();
  await expect(message.getByRole('heading', { name: 'Zoë Müller' })).toBeFocused();
  await expect(message.getByText('First line.')).toHaveText('First line.\n\n  Second <b>line</b>.', { useInnerText: true });
  await expect(message.getByRole('link', { name: 'zoe.muller@mail.example' })).toHaveAttribute('href', 'mailto:zoe.muller@mail.example?subject=Re%3A%20Admission%20Inquiry');
  await expect(message.getByRole('link', { name: '(514) 555-0100' })).toHaveAttribute('href', 'tel:+1-514-555-0100');
  await expect(message.getByText('new', { exact: true }), 'opening it is reading it').toHaveCount(0);
  await expect(rows.first().getByText('new', { exact: true })).toHaveCount(0);
  await expect(rows.nth(1).getByText('new', { exact: true })).toBeVisible();
  await message.getByRole('button', { name: 'Mark as Unread' }).click();
  await expectToast(page, 'Message marked as unread');
  await expect(message.getByRole('button', { name: 'Mark as Read' })).toBeFocused();
  await expect(rows.first().getByText('new', { exact: true })).toBeVisible();

  // A marked message that leaves the list stays open, so that it can be unmarked.
  await page.getByLabel('Show').selectOption('New');
  await expect(page).toHaveURL(/\?status=new$/);
  await rows.first().click();
  await expect(rows, 'the row stays where it is').toHaveCount(2);
  await expect(message.getByRole('button', { name: 'Mark as Unread' })).toBeVisible();
  await page.getByLabel('Show').selectOption('To answer');
  await expect(message).toHaveCount(0);
  await expect(page.getByRole('link', { name: /Zoë Müller/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Søren Kjær/ })).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel('Show')).toHaveValue('open');
  await expect(page.getByRole('link', { name: /Zoë Müller/ })).toBeVisible();

  await page.getByRole('navigation', { name: 'Office' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByText(/1 (new|unread) message/i)).toBeVisible();
});

test('many messages are paged, and a search covers all of them', async ({ page, fresh }) => {
  for (let number = 1; number <= 27; number++) await write(page, fresh, { name: `Family ${number}`, message: `Question number ${number}.` });
  await write(page, fresh, { name: 'عائشة بنت عبد الرحمن', message: 'مرحبا، شكرا جزيلا لكم.\n🎓' });
  await enter(page, fresh, inbox);
  const rows = page.locator('.message-list').getByRole('link');
  await expect(rows).toHaveCount(25);
  await expect(page.getByText('1 to 25 of 28')).toBeVisible();
  await expect(rows.first()).toContainText('عائشة');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeFocused();
  await expect(page).toHaveURL(/\?page=2$/);
  await page.getByRole('link', { name: /Family 2\b/ }).click();
  await expect(page).toHaveURL(/\?page=2&message=\d+$/);
  await page.reload();
  await expect(page.getByRole('article', { name: 'Family 2' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search messages' }).fill('family 1');
  await expect(page.getByText('12 messages')).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeFocused();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expect(page).toHaveURL(/\?q=family\+1$/);
  await page.goto(`${fresh.url}${inbox}?q=family+1&message=2`);
  await expect(page.getByRole('article', { name: 'Family 2' }), 'wherever in the list it stands').toBeVisible();
  await expect(rows).toHaveCount(12);
  await expect(page.getByRole('button', { name: 'Mark as Unread' })).toBeVisible();
  await page.goto(`${fresh.url}${inbox}?page=99&status=nonsense&message=1`);
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(rows).toHaveCount(3);
});

test('a failed mark says so and changes nothing', async ({ page, school }) => {
  await enter(page, school, inbox);
  // One that opening could not mark stays new, and says nothing of it: its button does.
  await page.route('**/read', (route) => route.fulfill({ status: 500, body: '' }));
  const refused = page.waitForResponse('**/read');
  await page.getByRole('link', { name: /Zoë Müller/ }).click();
  await refused;
  const mark = page.getByRole('button', { name: 'Mark as Read' });
  await expectQuiet(page);
  await expect(page.locator('.toast')).toHaveCount(0);
  await page.unrouteAll();
  const failed = 'Failed to mark the message as read';
  for (const [answer, words] of [
    [{ status: 500, body: '<h1>Oops</h1>' }, 'Please try again.'],
    [{ status: 409, json: { message: 'This message is closed and can no longer be marked as read.' } }, 'This message is closed'],
  ] as const) {
    await page.route('**/read', (route) => route.fulfill(answer));
    await mark.click();
    await expectToast(page, failed, words);
    await page.getByRole('button', { name: 'Close notification' }).click();
    await page.unrouteAll();
  }
  await page.route('**/read', (route) => route.abort('internetdisconnected'));
  await mark.click();
  await expectToast(page, failed, 'could not be reached');
  await expect(page.getByText('Oops')).toHaveCount(0);
  await page.unrouteAll();
  const slow = await hold(page, '**/read');
  await mark.dblclick();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeFocused();
  // The button shows it before the response.
  await expect.poll(slow.count).toBe(1);
  slow.release();
  await page.getByRole('button', { name: 'Mark as Unread' }).click();
  await expect(mark).toBeVisible();
});

test('the keyboard alone opens, marks and closes, on a phone too', async ({ page, school }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, school, inbox);
  const row = page.getByRole('link', { name: /Zoë Müller/ });
  await row.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /Zoë Müller/ })).toBeFocused();
  await expect(row, 'the list makes room').toBeHidden();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Mark as Unread' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Message marked as unread');
  await expect(page.getByRole('button', { name: 'Mark as Read' })).toBeFocused();
  for (let tabs = 0; tabs < 2; tabs++) await page.keyboard.press('Shift+Tab');
  const back = page.getByRole('button', { name: 'Back to the List' });
  await expect(back).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row).toBeFocused();
  await expect(page).toHaveURL(/\/admin\/messages\??$/);
});

for (const width of [1280, 390]) {
  test(`Back leads from a message to the list at ${width}, and so does its button`, async ({ page, school }) => {
    await page.setViewportSize({ width, height: 844 });
    await leaveNew(page);
    await enter(page, school, `${inbox}?q=e`);
    const row = page.getByRole('link', { name: /Zoë Müller/ });
    const message = page.getByRole('article', { name: /Zoë Müller/ });
    for (const goBack of [() => page.goBack(), () => page.getByRole('button', { name: 'Back to the List' }).click()]) {
      await row.click();
      await expect(message.getByRole('heading')).toBeFocused();
      await goBack();
      await expect(page).toHaveURL(/messages\?q=e$/);
      await expect(message).toHaveCount(0);
      await expect(row).toBeFocused();
    }
    await page.goForward();
    await expect(message).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: 'Back to the List' }).click();
    await expect(page).toHaveURL(/messages\?q=e$/);
    await expect(row).toBeVisible();
  });

  test(`a message that is gone or fails to load says so at ${width}`, async ({ page, school }) => {
    await page.setViewportSize({ width, height: 844 });
    await enter(page, school, `${inbox}?message=999999`);
    await expect(page.getByText('This message no longer exists.')).toBeInViewport();
    await expectSound(page);
    await page.route(/messages\/\d+$/, (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(`${inbox}?q=nothing+of+the+kind&message=1`);
    await expect(page.getByText('Failed to load the message. Please try again later.')).toBeInViewport();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('article')).toBeVisible();
  });
}

test('every state but read has its badge', async ({ page, school }) => {
  const states = ['new', 'open', 'replied', 'closed', 'spam'];
  await page.route(/\/api\/admin\/messages(\?.*)?$/, (route) =>
    route.fulfill({
      headers: { 'X-Total-Count': '5' },
      json: states.map((status, at) => ({
        id: at + 1, name: `Writer ${at + 1}`, email: 'w@mail.example', phone: null, subject: 'general', message: 'Hello there.', status, createdAt: '2026-11-21T15:00:00Z',
        reference: `M-26-000${at}`, assignee: null, assigneeId: null, requestId: null,
      })),
    }),
  );
  await enter(page, school, inbox);
  await expect(page.locator('.message-list .badge')).toHaveText(['new', 'replied', 'closed', 'spam']);
  await page.getByRole('link', { name: /Writer 4/ }).click();
  await expect(page.getByRole('article').locator('.badge')).toHaveText('closed');
  await expectSound(page);
});

test('an address in a message is a link to another tab, and nothing else is', async ({ page, fresh }) => {
  const text = 'Our site: https://family.example/photos?of=us&at=1. <a href="javascript:alert(1)">No</a> javascript:alert(2)';
  await write(page, fresh, { name: 'Li Wei', message: text });
  await enter(page, fresh, `${inbox}?message=1`);
  const written = page.locator('.side-pane .written');
  await expect(written).toHaveText(text);
  await expect(written.getByRole('link')).toHaveCount(1);
  const link = written.getByRole('link', { name: 'https://family.example/photos?of=us&at=1' });
  await expect(link).toHaveAttribute('href', 'https://family.example/photos?of=us&at=1');
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', 'noopener nofollow noreferrer');
});
