import { expect, it } from 'vitest';
import { schoolDay } from '../dates.ts';
import { toronto, zone } from '../test/data.ts';
import { daysText, daysTone, periodText } from './words.ts';

it('says how many days are left, and how late it is', () => {
  expect([30, 1, 0, -1, -12].map(daysText)).toEqual(['30 days left', '1 day left', 'due today', '1 day overdue', '12 days overdue']);
  expect([30, 8, 7, 0, -1].map(daysTone)).toEqual(['plain', 'plain', 'yellow', 'yellow', 'red']);
});

it('says how long something is kept', () => {
  const rule = { class: 'documents', action: 'delete_file', inForceFrom: '2023-06-01', reason: 'x' } as const;
  expect(periodText({ ...rule, years: 5, since: 'left_on' })).toBe('5 years after a student left');
  expect(periodText({ ...rule, years: 1, since: 'received_on' })).toBe('1 year after it was received');
  expect(periodText({ ...rule, years: null, since: 'left_on' })).toBe('Permanently');
});

it('knows the day at the school, whatever day the browser has', () => {
  const at = new Date('2026-11-23T03:00:00Z');
  expect(schoolDay(toronto, at)).toBe('2026-11-22');
  expect(schoolDay(zone('UTC'), at)).toBe('2026-11-23');
});
