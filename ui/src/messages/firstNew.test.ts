import { expect, test } from 'vitest';
import type { ContactMessage } from '../api-types.ts';
import { firstNew } from './useFirstNew.ts';

const listed = [{ id: 4, status: 'open' }, { id: 3, status: 'new' }, { id: 2, status: 'new' }] as ContactMessage[];
const view = { q: '', status: '', assignee: '', page: 1, message: null } as const;

test('the first new message opens by itself, unless one is asked for or searched for', () => {
  expect(firstNew(view, listed)).toBe(3);
  expect(firstNew({ ...view, message: 2 }, listed)).toBeNull();
  expect(firstNew({ ...view, q: 'zoë' }, listed)).toBeNull();
  expect(firstNew(view, listed.slice(0, 1))).toBeNull();
});
