// The one toast: replacement, timing and dismissal.
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dismissToast, holdToast, releaseToast, showFailure, showToast, useToast } from './toasts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  act(dismissToast);
  vi.useRealTimers();
});

function watch() {
  const { result } = renderHook(() => useToast());
  return { title: () => result.current?.title ?? null, toast: () => result.current, wait };
}

const wait = (time_ms: number) => act(() => vi.advanceTimersByTime(time_ms));

it('leaves by itself after five seconds', () => {
  const { title, wait } = watch();
  act(() => showToast('Login successful', 'Welcome back!'));
  expect(title()).toBe('Login successful');
  wait(4999);
  expect(title()).toBe('Login successful');
  wait(1);
  expect(title()).toBeNull();
});

it('gives its place to the next one, which has five seconds of its own', () => {
  const { toast, title, wait } = watch();
  act(() => showToast('First'));
  wait(4000);
  act(() => showFailure('Second', 'Why'));
  expect(toast()).toMatchObject({ title: 'Second', description: 'Why', isDestructive: true });
  wait(4999);
  expect(title()).toBe('Second');
  wait(1);
  expect(title()).toBeNull();
});

it('stands still while it is pointed at and focused, and goes on where it stopped', () => {
  const { title, wait } = watch();
  act(() => showToast('Held'));
  wait(3000);
  act(holdToast);
  act(holdToast);
  wait(60_000);
  act(releaseToast);
  wait(60_000);
  expect(title()).toBe('Held');
  act(releaseToast);
  wait(1999);
  expect(title()).toBe('Held');
  wait(1);
  expect(title()).toBeNull();
});

it('dismisses the toast after a dismissed one in time, even if the first was never released', () => {
  const { title, wait } = watch();
  act(() => showToast('Closed by hand'));
  act(holdToast);
  act(dismissToast);
  expect(title()).toBeNull();
  act(() => showToast('The next'));
  wait(5000);
  expect(title()).toBeNull();
});
