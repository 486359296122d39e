// The public header: tagline, name and the menu of section 2, which is a side sheet on small screens.
import { Link, NavLink } from 'react-router';
import type { School } from '../api-types.ts';
import { Crest } from '../components/Crest.tsx';
import { MenuSheet } from '../components/MenuSheet.tsx';
import { grades } from '../courses/grades.ts';
import { paths } from '../paths.ts';
import { mailLink } from '../school/links.ts';
import { When } from '../template.tsx';
import { CoursesMenu } from './CoursesMenu.tsx';
import './Header.css';

export function Header({ school }: { school: School }) {
  return (
    <header className="site-header">
      <SchoolLine school={school} />
      <div className="wrap row header-row">
        <Brand school={school} />
        <nav className="main-nav" aria-label="Main">
          <ul className="menu">
            <li><NavLink to={paths.home} end>Home</NavLink></li>
            <li><NavLink to={paths.about}>About Us</NavLink></li>
            <li><NavLink to={paths.services}>Our Services</NavLink></li>
            <li><CoursesMenu /></li>
            <li><NavLink to={paths.contact()}>Contact</NavLink></li>
          </ul>
          <Link className="button button-outline" to={paths.studentAuth}>Student Login</Link>
        </nav>
        <Apply />
        <MenuSheet title="Menu"><MenuItems /></MenuSheet>
      </div>
    </header>
  );
}

/** The menu's items in the side sheet. */
function MenuItems() {
  return (
    <nav className="sheet-nav" aria-label="Menu">
      <ul>
        <li><NavLink to={paths.home} end>Home</NavLink></li>
        <li><NavLink to={paths.about}>About Us</NavLink></li>
        <li><NavLink to={paths.services}>Our Services</NavLink></li>
        <li>
          <span>Courses</span>
          <ul>
            {grades.map((grade) => (
              <li key={grade}><Link to={paths.courses(grade)}>{`Grade ${grade}`}</Link></li>
            ))}
          </ul>
        </li>
        <li><NavLink to={paths.contact()}>Contact</NavLink></li>
      </ul>
      <Apply />
      <Link className="button button-outline" to={paths.studentAuth}>Student Login</Link>
    </nav>
  );
}

function Apply() {
  return <Link className="button button-primary" to={paths.apply}>Apply Now</Link>;
}

function SchoolLine({ school }: { school: School }) {
  return (
    <div className="school-line screen-only plain-links navy">
      <div className="wrap cluster">
        <span>
          <span>Ontario inspected private school</span>
          <When is={school.inspectionId} template="school.inspectionId">
            <span>{` · BSID ${school.inspectionId}`}</span>
          </When>
        </span>
        <When is={school.phone} template="school.phone">
          <a href={school.phoneLink}>{school.phone}</a>
        </When>
        <When is={school.email} template="school.email">
          <a href={mailLink(school.email)}>{school.email}</a>
        </When>
      </div>
    </div>
  );
}

export function Brand({ school }: { school: School }) {
  return (
    <Link className="brand" to={paths.home}>
      <Crest />
      <span>
        <span className="brand-name">{school.name}</span>
        <small>{school.tagline}</small>
      </span>
    </Link>
  );
}
