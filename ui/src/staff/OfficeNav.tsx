// The office's sections: beside the page where there is room, in a side sheet where there is not.
import { useQuery } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import type { User } from '../api-types.ts';
import { Icon, type IconName } from '../components/Icon.tsx';
import { MenuSheet } from '../components/MenuSheet.tsx';
import { paths } from '../paths.ts';
import { userQuery } from './queries.ts';

type Section = { to: string; label: string; icon: IconName; duty?: User['duties'][number] };

const groups: { label: string; sections: Section[] }[] = [
  {
    label: 'Today',
    sections: [
      { to: paths.adminDashboard, label: 'Dashboard', icon: 'grid' },
      { to: paths.adminRequests, label: 'Admission Requests', icon: 'inbox' },
      { to: paths.adminMessages, label: 'Messages', icon: 'mail' },
    ],
  },
  {
    label: 'Records',
    sections: [
      { to: paths.adminCourses, label: 'Courses', icon: 'book' },
      { to: paths.adminDocuments, label: 'Documents', icon: 'file', duty: 'documents' },
      { to: paths.adminMail(), label: 'Mail', icon: 'send' },
    ],
  },
];

export function OfficeNav() {
  return (
    <nav className="office-nav" aria-label="Office">
      <Sections />
    </nav>
  );
}

/** The same in a side sheet, with the button that opens it. */
export function OfficeMenu() {
  return (
    <MenuSheet title="Office" side="start">
      <nav className="office-nav" aria-label="Office menu">
        <Sections />
      </nav>
    </MenuSheet>
  );
}

function Sections() {
  const duties = useQuery(userQuery).data?.duties ?? [];
  return groups.map(({ label, sections }) => (
    <div className="office-group" key={label}>
      <p>{label}</p>
      <ul>
        {sections.filter(({ duty }) => !duty || duties.includes(duty)).map(({ to, label: words, icon }) => (
          <li key={to}><NavLink to={to}><Icon name={icon} /> {words}</NavLink></li>
        ))}
      </ul>
    </div>
  ));
}
