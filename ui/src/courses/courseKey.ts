// Under which key a course's page finds its course, and which address is such a page's.
import { matchPath } from 'react-router';
import { at } from '../pages.ts';

/** The code in the address of a course's page; none anywhere else. */
export const codeIn = (pathname: string) => matchPath({ path: at('/courses/:code'), caseSensitive: true }, pathname)?.params.code;

/** In any case. */
export const courseKey = (code: string) => ['course', code.toUpperCase()];
