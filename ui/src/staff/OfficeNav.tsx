// The office's sections: beside the page where there is room, in a side sheet where there is not.
import { NavLink } from 'react-router';
import { Icon, type IconName } from '../components/Icon.tsx';
import { MenuSheet } from '../components/MenuSheet.tsx';
import { paths } from '../paths.ts';

type Section = { to: string; label: string; icon: IconName };

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
      { to: paths.adminDocuments, label: 'Documents', icon: 'file' },
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
  return groups.map(({ label, sections }) => (
    <div className="office-group" key={label}>
      <p>{label}</p>
      <ul>
        {sections.map(({ to, label: words, icon }) => (
          <li key={to}><NavLink to={to}><Icon name={icon} /> {words}</NavLink></li>
        ))}
      </ul>
    </div>
  ));
}
