// Words and colours of admission requests.
import { expect, test } from 'vitest';
import { readStatus, stateTones, statusOptions, statusText } from './requests.ts';

test('an address names one of the states, or all of them', () => {
  expect(readStatus('in_review')).toBe('in_review');
  for (const text of ['', 'done', 'PENDING', 'toString']) expect(readStatus(text)).toBe('');
});

test('a state is written as people write it, and may be chosen', () => {
  expect(statusText('info_requested')).toBe('info requested');
  expect(statusOptions).toContainEqual({ value: 'info_requested', label: 'Info requested' });
  expect(statusOptions).toHaveLength(10);
});

test('pending is yellow, as section 4 has it', () => {
  expect(stateTones.pending).toBe('yellow');
});
