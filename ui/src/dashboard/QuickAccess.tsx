// Quick access to the sections that the specification names.
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { Duty } from '../pages.ts';
import { paths } from '../paths.ts';

type Way = { to: string; link: string; duty?: Duty };

export function QuickAccess() {
  const { duties } = useUser();
  const ways: Way[] = [
    { to: paths.adminRequests, link: 'View Requests', duty: 'admissions' },
    { to: paths.adminCourses, link: duties.includes('courses') ? 'Manage Courses' : 'View Courses' },
    { to: paths.adminDocuments(), link: 'View Documents', duty: 'documents' },
    { to: paths.adminMessages, link: 'View Messages', duty: 'assigned_messages' },
  ];
  return (
    <section aria-labelledby="quick-access">
      <h2 id="quick-access">Quick Access</h2>
      <ul>
        {ways.filter(({ duty }) => !duty || duties.includes(duty)).map(({ to, link }) => <li key={to}><Link to={to}>{link}</Link></li>)}
      </ul>
    </section>
  );
}
