import { expect, test } from 'vitest';
import { toronto } from '../test/data.ts';
import { backupText } from './backupText.ts';

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
