// What an offer sends: amounts as people type them, and the last day.
import { expect, test } from 'vitest';
import { today } from '../dates.ts';
import { inTwoWeeks, offerBody, offerSchema } from './OfferDialog.tsx';

const offer = { feeDue: '$1,250.50', expiresOn: inTwoWeeks(), deposit: '', depositDueOn: '', conditions: '', textVersionId: '' };

const errors = (change: Partial<typeof offer>) => offerSchema.safeParse({ ...offer, ...change }).error?.issues.map(({ path }) => path[0]) ?? [];

test('amounts are read as people type them', () => {
  for (const [typed, amount] of [['$1,250.50', 1250.5], ['1250', 1250], ['0', 0], ['12,5', 12.5], ['1 250.00', 1250]] as const) {
    expect([typed, offerBody({ ...offer, feeDue: typed }).feeDue]).toEqual([typed, amount]);
  }
  for (const typed of ['', 'free', '-5', '1.234.567', '12.345']) expect([typed, errors({ feeDue: typed })]).toEqual([typed, ['feeDue']]);
});

test('what is left empty is not sent, and a deposit’s date needs the deposit', () => {
  expect(offerBody(offer)).toEqual({ feeDue: 1250.5, expiresOn: offer.expiresOn });
  expect(errors({ depositDueOn: '2026-12-01' })).toEqual(['deposit']);
  expect(errors({ deposit: '500', depositDueOn: '2026-12-01' })).toEqual([]);
});

test('the last day is two weeks away, and never before today', () => {
  expect(inTwoWeeks('2026-10-25')).toBe('2026-11-08');
  expect(errors({ expiresOn: today() })).toEqual([]);
  for (const expiresOn of ['', '2020-01-01', '2026-02-30']) expect([expiresOn, errors({ expiresOn })]).toEqual([expiresOn, ['expiresOn']]);
});
