// What a school has written to whom: the emails in its spool.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { School } from './school.ts';

type Email = { to: string; text: string; at_ms: number };

/** An email is written once, and there are hundreds in the end. */
const known = new Map<string, Email>();

function read(path: string): Email {
  const email = known.get(path);
  if (email) return email;
  const text = readFileSync(path, 'utf8');
  const unfolded = text.replace(/\r?\n(?=[ \t])/g, '').replaceAll('\r', '');
  const to = /^To: (?:.*<)?([^<>\s]+)>?$/m.exec(unfolded)?.[1] ?? '';
  const found = { to, text, at_ms: statSync(path).mtimeMs };
  known.set(path, found);
  return found;
}

/** The emails in the spool to one address, each as its raw text, oldest first. */
export function emails(school: School, to: string): string[] {
  return readdirSync(school.mail)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => read(join(school.mail, name)))
    .filter((email) => email.to === to)
    .toSorted((one, other) => one.at_ms - other.at_ms)
    .map(({ text }) => text);
}

/** The subjects of the emails to one address, oldest first. */
export function subjectsTo(school: School, to: string): string[] {
  return emails(school, to).map((text) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
}

/** The first link in the newest email to an address that leads to the given place. */
export async function linkTo(school: School, to: string, place: string): Promise<string> {
  const find = () =>
    emails(school, to)
      .map(readable)
      .flatMap((text) => new RegExp(`https?://\\S*${place}/[\\w-]+`).exec(text)?.[0] ?? [])
      .at(-1);
  // An email is there within milliseconds, and most students of these tests wait for one.
  await expect.poll(find, { message: `an email to ${to} with a link to ${place}`, intervals: [10, 20, 40, 100] }).toBeTruthy();
  return find() ?? '';
}

/** Soft line breaks of quoted-printable text, and its signs. */
function readable(email: string): string {
  return email.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
