// The office's sections and the duties they need. Sections without access are not offered, and their addresses say so.
import { matchPath } from 'react-router';
import type { User } from '../api-types.ts';
import { officePages, type Page, pagesOf } from '../pages.ts';
import { isTemplate } from '../template.tsx';

const labels = [...new Set(officePages.map(({ nav }) => nav.section))];

export const groups = labels.map((label) => ({ label, pages: officePages.filter(({ nav }) => nav.section === label) }));

export function mayEnter(user: User | null | undefined, { duty }: Pick<Page, 'duty'>): boolean {
  return isTemplate || !duty || (user?.duties.includes(duty) ?? false);
}

/** The page at an address, if the user has no access to it. */
export function closedPage(user: User, pathname: string): Page | undefined {
  return pagesOf('office').find((page) => !mayEnter(user, page) && matchPath(page.path, pathname));
}
