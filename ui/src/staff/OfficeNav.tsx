// The office's navigation with to-do counts: beside the page on wide screens, otherwise in a side sheet.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NavLink } from 'react-router';
import { userQuery } from '../accounts/signedIn.ts';
import { Icon } from '../components/Icon.tsx';
import { MenuSheet } from '../components/MenuSheet.tsx';
import { waitingQuery } from './officeState.ts';
import { groups, mayEnter } from './sections.ts';

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
  const waiting = (path: string) => lines?.reduce((sum, { href, count }) => sum + (href.startsWith(path) ? count : 0), 0);
  return groups.map(({ label, pages }) => (
    <div key={label}>
      <p className="eyebrow">{label}</p>
      <ul>
        {pages.filter((page) => mayEnter(user, page)).map(({ path, nav }) => {
          const count = waiting(path);
          return (
            <li key={path}>
              <NavLink to={path} title={count ? `${count} waiting` : undefined} data-waiting={count || undefined}><Icon name={nav.icon} /><span>{` ${nav.label}`}</span></NavLink>
            </li>
          );
        })}
      </ul>
    </div>
  ));
}
