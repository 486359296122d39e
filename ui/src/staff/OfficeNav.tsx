// The office's sections: beside the page where there is room, in a side sheet where there is not.
import { useQuery } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import { Icon } from '../components/Icon.tsx';
import { MenuSheet } from '../components/MenuSheet.tsx';
import { userQuery } from './user.ts';
import { groups, mayEnter } from './sections.ts';

export function OfficeNav() {
  return (
    <nav className="stack menu office-nav office-aside" aria-label="Office">
      <Sections />
    </nav>
  );
}

/** The same in a side sheet, with the button that opens it. */
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
  return groups.map(({ label, pages }) => (
    <div key={label}>
      <p className="eyebrow">{label}</p>
      <ul>
        {pages.filter((page) => mayEnter(user, page)).map(({ path, nav }) => (
          <li key={path}><NavLink to={path}><Icon name={nav.icon} /><span>{` ${nav.label}`}</span></NavLink></li>
        ))}
      </ul>
    </div>
  ));
}
