// The office's sections: beside the page where there is room, in a side sheet where there is not.
import { type MouseEvent, type RefObject, useId } from 'react';
import { NavLink } from 'react-router';
import { Icon, type IconName } from '../components/Icon.tsx';
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

export function OfficeSheet({ ref }: { ref: RefObject<HTMLDialogElement | null> }) {
  const titleId = useId();
  const close = () => ref.current?.close();

  function closeOnBackdropOrLink(event: MouseEvent<HTMLDialogElement>) {
    const target = event.target as Element;
    if (target === event.currentTarget || target.closest('a')) close();
  }

  return (
    // Esc closes a native dialog by itself; the listener is for the pointer only.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog className="sheet sheet-start" ref={ref} aria-labelledby={titleId} onClick={closeOnBackdropOrLink}>
      <div className="sheet-body">
        <div className="sheet-head">
          <h2 id={titleId}>Office</h2>
          <button type="button" className="icon-button" aria-label="Close menu" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <nav className="office-nav" aria-label="Office menu">
          <Sections />
        </nav>
      </div>
    </dialog>
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
