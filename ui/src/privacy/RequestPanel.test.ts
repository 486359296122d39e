// The next request after a decision.
import { expect, it } from 'vitest';
import type { ListedPrivacyRequest } from '../api-types.ts';
import { nextToDecide } from './RequestPanel.tsx';

const request = (id: number, dueOn: string, status: ListedPrivacyRequest['status'] = 'open') => ({ id, dueOn, status }) as ListedPrivacyRequest;
const [first, second, third] = [request(1, '2026-12-01'), request(2, '2026-12-05'), request(3, '2026-12-09')];
const decided = request(9, '2026-12-20', 'granted');

it('is the one that is due after it', () => {
  expect(nextToDecide([first, third, { ...second, status: 'granted' }, decided], second)).toBe(third);
  // The list may not be refetched yet.
  expect(nextToDecide([first, second, third, decided], second)).toBe(third);
});

it('is the most urgent one after the last, and none when nothing waits', () => {
  expect(nextToDecide([first, second, decided], third)).toBe(first);
  expect(nextToDecide([{ ...first, status: 'refused' }, decided], first)).toBeUndefined();
});
