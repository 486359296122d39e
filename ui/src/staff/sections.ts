// The office's sections, and the duty that each of them asks for: what a role may not read is offered
// nowhere, and an address that was typed or kept says so instead of showing a failure.
import type { User } from '../api-types.ts';
import { type OfficePage, officePages } from '../pages.ts';

const labels = [...new Set(officePages.map(({ nav }) => nav.section))];

export const groups = labels.map((label) => ({ label, pages: officePages.filter(({ nav }) => nav.section === label) }));

export function mayEnter(user: User | null | undefined, { duty }: OfficePage): boolean {
  return !duty || (user?.duties.includes(duty) ?? false);
}

/** The page at an address, if the user may not read it. */
export function closedPage(user: User, pathname: string): OfficePage | undefined {
  return officePages.find((page) => page.path === pathname && !mayEnter(user, page));
}
