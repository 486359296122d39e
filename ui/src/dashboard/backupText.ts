// When the last backup was made, in the school's time zone.
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
