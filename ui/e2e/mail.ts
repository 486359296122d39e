// The emails in a school's spool.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { School } from './school.ts';

type Email = { to: string; text: string; at_ms: number };

/** Cache: an email is written once, and there are hundreds. */
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

/** Raw emails to an address, oldest first. */
export function emails(school: School, to: string): string[] {
  return readdirSync(school.mail)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => read(join(school.mail, name)))
    .filter((email) => email.to === to)
    .toSorted((one, other) => one.at_ms - other.at_ms)
    .map(({ text }) => text);
}

/** Subjects of the emails to an address, oldest first. */
export function subjectsTo(school: School, to: string): string[] {
  return emails(school, to).map((text) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? '');
}

/** The first link to a path in the newest email to an address. */
export async function linkTo(school: School, to: string, place: string): Promise<string> {
  const find = () =>
    emails(school, to)
      .map(readable)
      .flatMap((text) => new RegExp(`https?://\\S*${place}/[\\w-]+`).exec(text)?.[0] ?? [])
      .at(-1);
  // Short intervals: emails arrive within milliseconds.
  await expect.poll(find, { message: `an email to ${to} with a link to ${place}`, intervals: [10, 20, 40, 100] }).toBeTruthy();
  return find() ?? '';
}

/** Decodes quoted-printable text. */
function readable(email: string): string {
  return email.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
