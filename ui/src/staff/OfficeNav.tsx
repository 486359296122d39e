// The office's navigation with to-do counts: beside the page on wide screens, otherwise in a side sheet.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { userQuery } from '../accounts/signedIn.ts';
import { addDrawings, Icon } from '../components/Icon.tsx';
import { officeDrawings } from '../components/officeDrawings.ts';
import { MenuSheet } from '../components/MenuSheet.tsx';
import type { OfficePage } from '../pages.ts';
import { officePaths } from '../officePaths.ts';
import { waitingQuery } from './officeState.ts';
import { When } from '../template.tsx';
import { groups, mayEnter } from './sections.ts';

addDrawings(officeDrawings);

export function OfficeNav() {
  const client = useQueryClient();
  // Any change may reduce the counts.
  useEffect(
    () => client.getMutationCache().subscribe(({ type, mutation }) => void (type === 'updated' && mutation.state.status === 'success' && client.invalidateQueries(waitingQuery))),
    [client],
  );
  return (
    <nav className="stack menu office-nav office-aside" aria-label="Office">
      <Sections />
    </nav>
  );
}

/** The navigation in a side sheet, with its button. */
export function OfficeMenu() {
  return (
    <MenuSheet title="Office" side="start">
      <nav className="stack menu office-nav" aria-label="Office menu">
        <Sections />
      </nav>
    </MenuSheet>
  );
}

function Sections() {
  const user = useQuery(userQuery).data;
  const lines = useQuery({ ...waitingQuery, enabled: user?.needsSecondFactor === false }).data;
  const { pathname } = useLocation();
  /** What waits for the office; undefined for pages without a count. */
  const waiting = (path: string) => {
    const own = lines?.filter(({ href, group }) => href.startsWith(path) && group === 'us');
    return own?.length ? own.reduce((sum, { count }) => sum + count, 0) : undefined;
  };
  // Set once, so that no entry moves while the page is open.
  const [empty, setEmpty] = useState<readonly string[] | null>(null);
  if (!empty && lines) setEmpty(queues.filter((path) => waiting(path) === 0));
  const isFolded = ({ path }: OfficePage) => Boolean(empty?.includes(path)) && waiting(path) === 0 && path !== pathname;
  const entry = ({ path, nav, duty }: OfficePage) => {
    const count = waiting(path);
    return (
      <When key={path} is template={duty ? `duties.${duty}` : 'true'}>
        <li>
          <NavLink to={path} title={count ? `${count} waiting` : undefined} data-waiting={count || undefined}><Icon name={nav.icon} /><span>{` ${nav.label}`}</span></NavLink>
        </li>
      </When>
    );
  };
  return groups.map(({ label, pages }) => {
    const open = pages.filter((page) => mayEnter(user, page));
    const folded = open.filter(isFolded);
    if (open.length === 0) return null;
    return (
      <When key={label} is template={open.map(({ duty }) => (duty ? `duties.${duty}` : 'true')).join(' or ')}>
        <div>
          <p className="eyebrow">{label}</p>
          <ul>{open.filter((page) => !isFolded(page)).map(entry)}</ul>
          {folded.length > 0 && <details><summary>More</summary><ul>{folded.map(entry)}</ul></details>}
        </div>
      </When>
    );
  });
}

/** Pages that are folded while nothing waits in them. */
const queues: readonly string[] = [officePaths.requests, officePaths.charges, officePaths.identityChanges, officePaths.messages];
