// The query key of a course's page, and its address pattern.
import { matchPath } from 'react-router';
import { at } from '../pages.ts';

/** The code in a course page's address; null elsewhere. */
export const codeIn = (pathname: string) => matchPath({ path: at('/courses/:code'), caseSensitive: true }, pathname)?.params.code;

/** In any case. */
export const courseKey = (code: string) => ['course', code.toUpperCase()];
