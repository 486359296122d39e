// Quick access to the sections that the specification names.
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { Icon, type IconName } from '../components/Icon.tsx';
import type { Duty } from '../pages.ts';
import { paths } from '../paths.ts';

type Way = { to: string; icon: IconName; title: string; text: string; link: string; duty?: Duty };

export function QuickAccess() {
  const { duties } = useUser();
  const ways: Way[] = [
    {
      to: paths.adminRequests, icon: 'inbox', title: 'Admission Requests', link: 'View Requests', duty: 'admissions',
      text: 'Applications from families',
    },
    {
      to: paths.adminCourses, icon: 'book', title: 'Courses', text: 'The school’s catalogue',
      link: duties.includes('courses') ? 'Manage Courses' : 'View Courses',
    },
    {
      to: paths.adminDocuments(), icon: 'file', title: 'Student Documents', link: 'View Documents', duty: 'documents',
      text: 'Files from students',
    },
    {
      to: paths.adminMessages, icon: 'mail', title: 'Messages', link: 'View Messages', duty: 'messages',
      text: 'Messages from visitors',
    },
  ];
  return (
    <section className="quick" aria-labelledby="quick-access">
      <h2 id="quick-access">Quick Access</h2>
      <ul className="grid">
        {ways.filter(({ duty }) => !duty || duties.includes(duty)).map(({ to, icon, title, text, link }) => (
          <li className="card" key={to}>
            <span className="medallion screen-only"><Icon name={icon} /></span>
            <h3>{title}</h3>
            <p>{text}</p>
            <Link className="card-link" to={to}><span>{`${link} `}</span><Icon name="arrow" /></Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
