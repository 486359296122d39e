// What the office does with a message: reply, undo, states of many, templates, answers and notes.
import { enter } from '../actors.ts';
import { expectSound } from '../looks.ts';
import { inbox, write } from './messages.ts';
import { expect, openSchool, test as base } from '../school.ts';

const test = base.extend({
  fresh: ({}, use) => openSchool(use, { SCHOOLHOUSE_OFFICE_UNDO_SECONDS: '600' }),
});

test('a message is answered with two keys, taken back, and answered again', async ({ page, fresh }) => {
  await write(page, fresh, { name: 'Søren Kjær' });
  await write(page, fresh, {});
  await enter(page, fresh, inbox);
  const message = page.getByRole('article', { name: 'Zoë Tremblay' });
  await expect(message.getByText('May I visit the school?')).toBeVisible();
  const box = page.getByLabel('Reply to Zoë Tremblay');
  await expect(box).toBeVisible();
  await page.keyboard.press('r');
  await expect(box).toBeFocused();
  const words = 'Dear {name},\n\nplease come on Friday.';
  const entries = message.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
  // Again when the machine was too slow for the ten seconds.
  await expect(async () => {
    await box.fill(words);
    await page.keyboard.press('Control+Enter');
    await expect(entries.last()).toContainText('Dear Zoë Tremblay,\n\nplease come on Friday.');
    await expect(message.getByText('replied', { exact: true })).toBeVisible();
    await expect(box).toHaveValue('');
    await expect(page.getByText('Reply to Zoë Tremblay sent')).toBeVisible({ timeout: 2000 });
    await page.keyboard.press('u');
    await expect(box, 'nothing typed is lost').toHaveValue(words, { timeout: 5000 });
  }).toPass();
  await page.getByRole('button', { name: 'Close notification' }).click();
  await message.getByRole('button', { name: 'Send and Close' }).click();
  await expect(message.getByText('closed', { exact: true })).toBeVisible();
  await page.keyboard.press('c');
  await expect(message.getByRole('button', { name: 'Close', exact: true }), 'it is reopened').toBeVisible();
  await expectSound(page);

  await page.keyboard.press('j');
  await expect(page.getByRole('article', { name: 'Søren Kjær' })).toBeVisible();
  // What was decided here stays as it is until the list is left.
  await expect(page.getByRole('checkbox', { name: 'Zoë Tremblay' })).toBeDisabled();
  await page.goto(fresh.url + inbox);
  for (const name of ['Søren Kjær', 'Zoë Tremblay']) await page.getByRole('checkbox', { name }).check();
  await page.getByRole('group', { name: 'Bulk actions' }).getByRole('button', { name: 'Mark as Spam' }).click();
  const rows = page.locator('.message-list').getByText('spam', { exact: true });
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(rows).toHaveCount(0);
});

test('templates, answers by telephone and notes are kept with a message', async ({ page, fresh }) => {
  await write(page, fresh, {});
  await enter(page, fresh, inbox);
  const message = page.getByRole('article', { name: 'Zoë Tremblay' });
  const more = async (item: string) => {
    await message.getByRole('button', { name: 'More' }).click();
    await message.getByRole('button', { name: item }).click();
  };
  await more('Reply Templates…');
  await page.getByRole('button', { name: 'New Template' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Hours');
  await dialog.getByLabel('Subject of the email').fill('Our hours');
  await dialog.getByLabel('Text').fill('Dear {name}, until 4 p.m.');
  await expectSound(page);
  await dialog.getByRole('button', { name: 'Save Template' }).click();
  await expect(dialog.getByRole('button', { name: 'Edit Hours' })).toBeVisible();
  await page.keyboard.press('Escape');
  await message.getByLabel('Insert a template').selectOption('Hours');
  await expect(message.getByLabel('Reply to Zoë Tremblay')).toHaveValue('Dear {name}, until 4 p.m.');
  await expect(message.getByText('The email is titled “Our hours” and quotes the message.')).toBeVisible();
  await message.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(message.getByText('replied', { exact: true })).toBeVisible();

  await more('They Answered…');
  await dialog.getByLabel('Their answer').fill('We come at noon.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await more('Add a Note…');
  await dialog.getByLabel('Note').fill('Show them the gym.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const entries = message.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
  await expect(entries).toContainText(['Dear Zoë Tremblay, until 4 p.m.', 'We come at noon.', 'Show them the gym.']);
  await expect(message.locator('.badge'), 'it waits to be answered again').toHaveCount(0);
});
