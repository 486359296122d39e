// What an offer sends: amounts as people type them, and the last day.
import { expect, test } from 'vitest';
import { today } from '../dates.ts';
import { offerBody, offerSchema, offerValues } from './OfferFields.tsx';
import type { Offer } from './wire.ts';

const offer = { feeDue: '$1,250.50', feeDueOn: '', expiresOn: today(), deposit: '', depositDueOn: '', conditions: '', textVersionId: '' };

const errors = (change: Partial<typeof offer>) => offerSchema.safeParse({ ...offer, ...change }).error?.issues.map(({ path }) => path[0]) ?? [];

test('amounts are read as people type them', () => {
  for (const [typed, amount] of [['$1,250.50', 1250.5], ['1250', 1250], ['0', 0], ['1 250.00', 1250]] as const) {
    expect([typed, offerBody({ ...offer, feeDue: typed }).feeDue]).toEqual([typed, amount]);
  }
  for (const typed of ['', 'free', '-5', '1.234.567', '12.345', '12,5', '1.200', '6.400,00']) expect([typed, errors({ feeDue: typed })]).toEqual([typed, ['feeDue']]);
});

test('what is left empty is not sent, and the day of a deposit goes with it', () => {
  expect(offerBody(offer)).toEqual({ feeDue: 1250.5, expiresOn: offer.expiresOn });
  expect(offerBody({ ...offer, depositDueOn: '2026-12-01' })).not.toHaveProperty('depositDueOn');
  expect(offerBody({ ...offer, deposit: '0', depositDueOn: '2026-12-01' })).not.toHaveProperty('deposit');
  expect(offerBody({ ...offer, deposit: '500', depositDueOn: '2026-12-01', feeDueOn: '2027-01-01' })).toMatchObject({ deposit: 500, depositDueOn: '2026-12-01', feeDueOn: '2027-01-01' });
});

test('the deposit is due before the rest of the fee', () => {
  const days = { depositDueOn: '2027-01-02', feeDueOn: '2027-01-01' };
  expect(errors({ ...days, deposit: '500' })).toEqual(['depositDueOn']);
  expect(errors(days)).toEqual([]);
  expect(errors({ deposit: '500', depositDueOn: '2027-01-01', feeDueOn: '2027-01-01' })).toEqual([]);
});

test('the last day is never before today', () => {
  expect(errors({ expiresOn: today() })).toEqual([]);
  for (const expiresOn of ['', '2020-01-01', '2026-02-30']) expect([expiresOn, errors({ expiresOn })]).toEqual([expiresOn, ['expiresOn']]);
});

test('a dialog begins with the usual offer, or with the amounts of the one before', () => {
  const usual = { feeDue: 6400, deposit: 1500, depositDueOn: '2026-12-11', feeDueOn: '2027-01-20', expiresOn: '2026-12-01' };
  expect(offerValues(usual)).toMatchObject({ feeDue: '6400.00', deposit: '1500.00', feeDueOn: '2027-01-20' });
  expect(offerValues({ ...usual, feeDue: null, deposit: null })).toMatchObject({ feeDue: '', deposit: '' });
  const before = { feeDue: 900, deposit: null, conditions: 'A transcript.' } as Offer;
  expect(offerValues(usual, before)).toMatchObject({ feeDue: '900.00', deposit: '', conditions: 'A transcript.', expiresOn: '2026-12-01' });
});
