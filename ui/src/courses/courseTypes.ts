// Course types and the level letters of course codes.
import type { CourseLevel, CourseType } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';

/** The letters of each type, the most common first. De-streamed courses (W) are entered as Open; locally developed ones (L) have no type here. */
export const letters = {
  Academic: ['D'], Applied: ['P'], Open: ['O', 'W'], University: ['U'], 'University/College': ['M'], College: ['C'], Workplace: ['E'],
} satisfies Record<CourseType, [CourseLevel, ...CourseLevel[]]>;

/** In section 3's order. */
export const courseTypes = wordsOf(letters);
