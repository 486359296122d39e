import { expect, test } from 'vitest';
import { toronto } from '../test/data.ts';
import { backupText, keyText } from './backupText.ts';

const text = (last: string | null, now: string) => backupText(last, toronto, new Date(now));

test('the day is that of the school’s calendar', () => {
  expect(text('2026-11-22T07:31:00Z', '2026-11-22T15:00:00Z')).toBe('Last backup: today, 2:31 AM, checked.');
  expect(text('2026-11-22T07:31:00Z', '2026-11-23T04:59:00Z')).toBe('Last backup: today, 2:31 AM, checked.');
  expect(text('2026-11-22T07:31:00Z', '2026-11-23T05:01:00Z')).toBe('Last backup: yesterday, 2:31 AM, checked.');
  expect(text('2026-11-02T07:31:00Z', '2026-11-22T15:00:00Z')).toBe('Last backup: Nov 2, 2026, 2:31 AM, checked.');
});

test('before the first night nothing is claimed', () => {
  expect(text(null, '2026-11-22T15:00:00Z')).toBe('No backup yet. The first one is made overnight.');
});

test('of encrypted archives it says when one was opened with its key', () => {
  const backup = { lastBackupAt: null, lastDrillAt: null, hasFailed: false, isLate: false };
  expect(keyText(backup, toronto)).toBe('');
  expect(keyText({ ...backup, encrypted: { lastOpenedAt: null } }, toronto)).toBe(' No archive was ever opened with its key.');
  const opened = { lastOpenedAt: '2026-11-02T07:31:00Z' };
  expect(keyText({ ...backup, encrypted: opened }, toronto)).toBe(' Opened with its key: Nov 2, 2026, 2:31 AM.');
});
