// What happens when a person arrives at another page without a reload: the title changes
// and the focus moves to the page's heading, so that a screen reader reads it.
import { skipToken, useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { OneCourse, School } from '../api-types.ts';
import { codeIn, courseKey } from '../courses/courseKey.ts';
import { pageTitle } from './titles.ts';

/** What was shown last, in whatever frame; nothing right after a page was loaded. */
let shown: { key: string; pathname: string } | null = null;

export function useArrival(school: School) {
  const location = useLocation();
  const navigationType = useNavigationType();
  const code = codeIn(location.pathname);
  // Its page asks for it.
  const course = useQuery<OneCourse>({ queryKey: courseKey(code ?? ''), queryFn: skipToken });
  const title = pageTitle(location.pathname, location.search, school, code ? course.data : undefined);

  // Both in the moment in which the page appears. An effect comes after it was painted: it would take the focus from
  // whatever was pressed by then.
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);

  useLayoutEffect(() => {
    const before = shown;
    shown = { key: location.key, pathname: location.pathname };
    if (!before || before.key === location.key) return;
    // A tab or a filter only rewrites the address; a link to a section moves the focus itself.
    const sameScreen = navigationType === 'REPLACE' && before.pathname === location.pathname;
    if (sameScreen || location.hash) return;
    focusHeading(before.pathname === location.pathname);
  }, [location.key, location.pathname, location.hash, navigationType]);
}

/** A link to another tab of the same page leads to the tab's heading; any other part of it is the page's own matter. */
function focusHeading(isSamePage: boolean) {
  const heading = document.querySelector<HTMLElement>(isSamePage ? 'main [role="tabpanel"] h2' : 'main h1');
  if (!heading) return;
  heading.tabIndex = -1;
  // The scroll position is restored separately; Back must not jump to the top.
  heading.focus({ preventScroll: true });
}
