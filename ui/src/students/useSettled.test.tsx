import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSettled } from './useSettled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const render = (...loading: boolean[]) => renderHook((now: boolean[]) => useSettled(...now.map((isLoading) => ({ isLoading }))), { initialProps: loading });

test('a page is settled once every query has answered, and stays so while one is tried again', () => {
  const { result, rerender } = render(true, true);
  expect(result.current).toBe(false);
  rerender([false, true]);
  expect(result.current).toBe(false);
  rerender([false, false]);
  expect(result.current).toBe(true);
  rerender([true, false]);
  expect(result.current).toBe(true);
});

test('a slow query holds the others back for a second', () => {
  const { result } = render(false, true);
  act(() => void vi.advanceTimersByTime(999));
  expect(result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(1));
  expect(result.current).toBe(true);
});
