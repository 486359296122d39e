// The student list's view in the address, and its sort headings.
import { expect, it } from 'vitest';
import { readStudentsView, viewFor } from './useStudentsView.ts';
import { nextSort, studentParameters } from './studentsView.ts';

const view = (search: string) => readStudentsView(new URLSearchParams(search));

it('reads the address, and ignores invalid parameters', () => {
  expect(view('q=jane&flags=closed,tall,unverified&course=ENG4U&grade=12&sort=-created&page=3')).toEqual({ q: 'jane', flags: ['unverified', 'closed'], course: 'ENG4U', grade: '12', sort: '-created', page: 3 });
  expect(view('sort=height&grade=13&page=-1')).toEqual({ q: '', flags: [], course: '', grade: '', sort: 'name', page: 1 });
});

it('sorts by balance only for roles that read balances', () => {
  for (const sort of ['balance', '-balance']) {
    const asked = view(`q=jane&sort=${sort}`);
    expect(viewFor(['records'], asked)).toEqual({ ...asked, sort: 'name' });
    expect(viewFor(['balances'], asked)).toBe(asked);
  }
  expect(viewFor([], view('sort=-created')).sort).toBe('-created');
});

it('asks the server for a page, and for every page as a sheet', () => {
  const shown = view('q=jane&flags=closed&course=ENG4U&page=3');
  expect(studentParameters(shown)).toBe('q=jane&flags=closed&course=ENG4U&page=3');
  expect(studentParameters(shown, 'csv')).toBe('q=jane&flags=closed&course=ENG4U&format=csv');
  expect(studentParameters(shown, 'all')).toBe('q=jane&flags=closed&course=ENG4U');
});

it.each([
  ['name', 'created', '-created'],
  ['-created', 'created', 'created'],
  ['created', 'created', '-created'],
  ['name', 'name', '-name'],
  ['-balance', 'name', 'name'],
] as const)('from %s the heading %s leads to %s', (current, key, next) => {
  expect(nextSort(current, key)).toBe(next);
});
