// When the last backup was made, in the school's time zone, and when an encrypted one was last opened.
import type { Dashboard } from '../api-types.ts';
import { momentText, type Zone } from '../dates.ts';

/** "Last backup: today, 2:31 AM, checked." Other days are written out. */
export function backupText(lastBackupAt: string | null | undefined, timeZone: Zone, now: Date = new Date()): string {
  if (!lastBackupAt) return 'No backup yet. The first one is made overnight.';
  const last = momentText(lastBackupAt, timeZone);
  const time = last.split(', ').at(-1) ?? '';
  const day = (moment: string) => moment.slice(0, moment.length - time.length);
  const isOf = (date: Date) => momentText(date.toISOString(), timeZone).startsWith(day(last));
  const yesterday = new Date(now.getTime() - 24 * 3_600_000);
  if (isOf(now)) return `Last backup: today, ${time}, checked.`;
  return `Last backup: ${isOf(yesterday) ? `yesterday, ${time}` : last}, checked.`;
}

/** What is known of encrypted archives; empty for others. */
export function keyText({ encrypted }: NonNullable<Dashboard['backup']>, timeZone: Zone): string {
  if (!encrypted) return '';
  const { lastOpenedAt } = encrypted;
  return lastOpenedAt ? ` Opened with its key: ${momentText(lastOpenedAt, timeZone)}.` : ' No archive was ever opened with its key.';
}
