import { afterEach, expect, test, vi } from 'vitest';
import { hasJustCome, moveFocus } from './movedFocus.ts';

afterEach(() => vi.useRealTimers());

test('only where the focus moved by itself, and for a moment, a key is held back', () => {
  vi.useFakeTimers();
  const [next, other] = [document.createElement('button'), document.createElement('button')];
  document.body.append(next, other);
  moveFocus(next);
  expect([document.activeElement === next, hasJustCome(next), hasJustCome(other)]).toEqual([true, true, false]);
  vi.advanceTimersByTime(400);
  expect(hasJustCome(next)).toBe(false);
  // As with Tab, or a press.
  other.focus();
  expect(hasJustCome(other)).toBe(false);
});
