// The public header: the school's line, its name, and the menu of section 2. On small
// screens the menu is a side sheet.
import { useRef } from 'react';
import { Link, NavLink } from 'react-router';
import type { School } from '../api-types.ts';
import { paths } from '../paths.ts';
import { mailLink, telephoneLink } from '../school/links.ts';
import { CoursesMenu } from './CoursesMenu.tsx';
import { Crest } from './Crest.tsx';
import { Icon } from './Icon.tsx';
import { SideSheet } from './SideSheet.tsx';

export function Header({ school }: { school: School }) {
  const sheet = useRef<HTMLDialogElement>(null);

  return (
    <header className="site-header">
      <SchoolLine school={school} />
      <div className="wrap header-row">
        <Brand school={school} />
        <nav className="main-nav" aria-label="Main">
          <ul>
            <li><NavLink to={paths.home} end>Home</NavLink></li>
            <li><NavLink to={paths.about}>About Us</NavLink></li>
            <li><NavLink to={paths.services}>Our Services</NavLink></li>
            <li><CoursesMenu /></li>
            <li><NavLink to={paths.contact()}>Contact</NavLink></li>
          </ul>
          <Link className="button button-outline" to={paths.studentAuth}>Student Login</Link>
        </nav>
        <button
          type="button"
          className="icon-button menu-button"
          aria-label="Open menu"
          aria-haspopup="dialog"
          onClick={() => sheet.current?.showModal()}
        >
          <Icon name="menu" />
        </button>
      </div>
      <SideSheet ref={sheet} />
    </header>
  );
}

function SchoolLine({ school }: { school: School }) {
  return (
    <div className="school-line navy">
      <div className="wrap">
        <span className="school-line-claim">Ontario inspected private school · BSID {school.inspectionId}</span>
        <a href={telephoneLink(school.phone)}>{school.phone}</a>
        <a href={mailLink(school.email)}>{school.email}</a>
      </div>
    </div>
  );
}

export function Brand({ school }: { school: School }) {
  return (
    <Link className="brand" to={paths.home}>
      <Crest />
      <span className="brand-text">
        <span className="brand-name">{school.name}</span>
        <span className="brand-tagline">{school.tagline}</span>
      </span>
    </Link>
  );
}
