// Quick access to the sections that the specification names.
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { Duty } from '../pages.ts';
import { officePaths } from '../officePaths.ts';

type QuickLink = { to: string; link: string; duty?: Duty };

export function QuickAccess() {
  const { duties } = useUser();
  const ways: QuickLink[] = [
    { to: officePaths.requests, link: 'View Requests', duty: 'admissions' },
    { to: officePaths.courses, link: duties.includes('courses') ? 'Manage Courses' : 'View Courses' },
    { to: officePaths.documents(), link: 'View Documents', duty: 'documents' },
    { to: officePaths.messages, link: 'View Messages', duty: 'assigned_messages' },
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
