// The office's sections and the duties they need. Sections without access are not offered, and their addresses say so.
import type { User } from '../api-types.ts';
import { type OfficePage, officePages } from '../pages.ts';
import { isTemplate } from '../template.tsx';

const labels = [...new Set(officePages.map(({ nav }) => nav.section))];

export const groups = labels.map((label) => ({ label, pages: officePages.filter(({ nav }) => nav.section === label) }));

export function mayEnter(user: User | null | undefined, { duty }: OfficePage): boolean {
  return isTemplate || !duty || (user?.duties.includes(duty) ?? false);
}

/** The page at an address, if the user has no access to it. */
export function closedPage(user: User, pathname: string): OfficePage | undefined {
  return officePages.find((page) => page.path === pathname && !mayEnter(user, page));
}
