// What a course prepares for, and the letters of a course code that say so.
import type { CourseLevel, CourseType } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';

/** The letters of each type, the usual one first. De-streamed courses (W) are entered as Open; locally developed ones (L) have no type here. */
export const letters = {
  Academic: ['D'], Applied: ['P'], Open: ['O', 'W'], University: ['U'], 'University/College': ['M'], College: ['C'], Workplace: ['E'],
} satisfies Record<CourseType, [CourseLevel, ...CourseLevel[]]>;

/** Section 3, in its order. */
export const courseTypes = wordsOf(letters);
