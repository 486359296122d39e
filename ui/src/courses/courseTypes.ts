// What a course prepares for, and the letters of a course code that say so.
import type { CourseType } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';

/** The letters of each type. De-streamed courses (W) are entered as Open; locally developed ones (L) have no type here. */
export const letters = {
  Academic: 'D', Applied: 'P', Open: 'OW', University: 'U', 'University/College': 'M', College: 'C', Workplace: 'E',
} satisfies Record<CourseType, string>;

/** Section 3, in its order. */
export const courseTypes = wordsOf(letters);
