import { expect, test } from 'vitest';
import { enrollmentParameters, firstView, readEnrollmentsView, searchOf } from './view.ts';

test('a view and its address say the same', () => {
  const view = { tab: 'mark', q: 'zoë', grade: '12', term: '2027-02', isReady: true, sort: '-end', page: 3 } as const;
  expect(readEnrollmentsView(new URLSearchParams(searchOf(view)))).toEqual(view);
  expect(searchOf(firstView)).toBe('');
});

test.each(['tab=nonsense&page=-2&term=soon', 'sort=bogus&grade=13&term=2027-13', 'sort=--end&grade=x', 'sort=ended'])('invalid parameters are ignored: %s', (nonsense) => {
  expect(readEnrollmentsView(new URLSearchParams(nonsense))).toEqual(firstView);
});

test('each tab asks the server for what it shows', () => {
  expect(enrollmentParameters(firstView, 1)).toBe('?status=pending&page=1');
  expect(enrollmentParameters({ ...firstView, isReady: true, q: ' a ' })).toBe('?status=pending&q=a&ready=1');
  expect(enrollmentParameters({ ...firstView, term: '2027-02' })).toBe('?status=pending&term=2027-02');
  expect(enrollmentParameters({ ...firstView, tab: 'leaving', isReady: true })).toBe('?due=leave');
  expect(enrollmentParameters({ ...firstView, tab: 'ended', sort: 'student' })).toBe('?status=completed%2Cwithdrawn%2Cdeclined&sort=student');
});
