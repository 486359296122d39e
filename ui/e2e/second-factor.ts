// A simulated authenticator app, and its setup on the account page.
import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect } from './school.ts';

/** An app's code (RFC 6238), this many 30-second steps from now. */
export function codeOf(secret: string, ahead = 0): string {
  const bits = [...secret.replaceAll(' ', '')].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

export const card = (page: Page) => page.getByRole('region', { name: 'Second Factor' });

/** Sets up an app on the account page; returns its secret and the recovery codes. */
export async function setUp(page: Page, password: string) {
  await card(page).getByRole('button', { name: 'Set Up' }).click();
  const secret = await card(page).locator('code').innerText();
  await card(page).getByLabel('Code', { exact: true }).fill(codeOf(secret));
  await card(page).getByLabel('Your Password', { exact: true }).fill(password);
  await card(page).getByRole('button', { name: 'Turn On' }).click();
  await expect(card(page).getByRole('heading', { name: 'Save These Recovery Codes' })).toBeFocused();
  const codes = await card(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts();
  expect(codes).toHaveLength(10);
  return { secret, codes };
}
