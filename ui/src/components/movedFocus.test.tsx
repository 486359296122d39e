import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { wasFocusJustMoved, moveFocus } from './movedFocus.ts';

afterEach(() => vi.useRealTimers());

test('a key is ignored only where the focus has just moved by itself', async () => {
  render(<><button type="button">Next</button><button type="button">Other</button></>);
  const next = await screen.findByRole('button', { name: 'Next' });
  const other = await screen.findByRole('button', { name: 'Other' });
  vi.useFakeTimers({ toFake: ['Date'] });
  moveFocus(next);
  expect([document.activeElement === next, wasFocusJustMoved(next), wasFocusJustMoved(other)]).toEqual([true, true, false]);
  vi.advanceTimersByTime(400);
  expect(wasFocusJustMoved(next)).toBe(false);
  // As with Tab or a click.
  other.focus();
  expect(wasFocusJustMoved(other)).toBe(false);
});
