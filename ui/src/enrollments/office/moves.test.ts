import { expect, it } from 'vitest';
import { bySection } from './moves.ts';

const row = (id: number, section: number | null) => ({
  id,
  courseId: 7,
  courseCode: 'ENG4U',
  section: section === null ? null : { id: section, label: String.fromCharCode(64 + section), termName: null, delivery: 'synchronous' as const, meetings: [] },
});

it('moves the students of each section together, in the order of the list', () => {
  expect(bySection([row(1, 2), row(2, 1), row(3, 2), row(4, null)])).toEqual([
    { sectionId: 2, courseId: 7, label: 'ENG4U B', ids: [1, 3] },
    { sectionId: 1, courseId: 7, label: 'ENG4U A', ids: [2] },
  ]);
  expect(bySection([])).toEqual([]);
});
