import { expect, it } from 'vitest';
import { keptSummer, toronto, zone } from '../test/data.ts';
import { areRulesOld } from './useOldBrowserReport.ts';

const september_ms = Date.parse('2026-09-28T12:00:00Z');

it('finds that the browser’s rules are older within a year, also before they differ', () => {
  // Toronto's clocks would not go back in November.
  expect(areRulesOld(keptSummer, september_ms)).toBe(true);
  // As the server would list them.
  const listed = { ...toronto, offsets: [{ from: '2026-03-08T07:00:00Z', minutes: -240 }, { from: '2026-11-01T06:00:00Z', minutes: -300 }, { from: '2027-03-14T07:00:00Z', minutes: -240 }, { from: '2027-11-07T06:00:00Z', minutes: -300 }] };
  expect([listed, toronto, zone('UTC')].map((school) => areRulesOld(school, september_ms))).toEqual([false, false, false]);
});
