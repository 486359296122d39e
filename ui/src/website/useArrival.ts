// Navigation without a reload: updates the title and moves the focus to the page's heading, for screen readers.
import { skipToken, useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { OneCourse, School } from '../api-types.ts';
import { codeIn, courseKey } from '../courses/courseKey.ts';
import { pageTitle } from './titles.ts';

/** The previous page, in any frame; null after a full load. */
let shown: { key: string; pathname: string } | null = null;

export function useArrival(school: School) {
  const location = useLocation();
  const navigationType = useNavigationType();
  const code = codeIn(location.pathname);
  // The course page loads it.
  const course = useQuery<OneCourse>({ queryKey: courseKey(code ?? ''), queryFn: skipToken });
  const title = pageTitle(location.pathname, location.search, school, code ? course.data : undefined);

  // Layout effects, at the moment the page appears: a passive effect runs after the paint and could take the focus
  // from an element pressed by then.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  useLayoutEffect(() => {
    const before = shown;
    shown = { key: location.key, pathname: location.pathname };
    if (!before || before.key === location.key) return;
    // Tabs and filters only rewrite the address; links to a section move the focus themselves.
    const sameScreen = navigationType === 'REPLACE' && before.pathname === location.pathname;
    if (sameScreen || location.hash) return;
    focusHeading(before.pathname === location.pathname);
  }, [location.key, location.pathname, location.hash, navigationType]);
}

/** A link to another tab of the same page focuses the tab's heading; other changes are the page's own. */
function focusHeading(isSamePage: boolean) {
  const heading = document.querySelector<HTMLElement>(isSamePage ? 'main [role="tabpanel"] h2' : 'main h1');
  if (!heading) return;
  heading.tabIndex = -1;
  // The scroll position is restored separately, so that Back does not jump to the top.
  heading.focus({ preventScroll: true });
}
