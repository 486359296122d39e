// The ways to the other sections, and how much waits there.
import { Link } from 'react-router';
import type { Dashboard } from '../api-types.ts';
import { Icon, type IconName } from '../components/Icon.tsx';
import type { Duty } from '../pages.ts';
import { paths } from '../paths.ts';
import { useUser } from '../staff/useUser.ts';

type Way = { to: string; icon: IconName; title: string; text: string; link: string; duty?: Duty; isHidden?: boolean };

function waiting(count: number | null | undefined, one: string, many: string, none: string): string {
  if (count === undefined || count === null) return '';
  if (count === 0) return none;
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

export function QuickAccess({ dashboard }: { dashboard: Dashboard | undefined }) {
  const { duties } = useUser();
  const ways: Way[] = [
    {
      to: paths.adminCharges, icon: 'dollar', title: 'Charges to Post', link: duties.includes('money') ? 'Post Charges' : 'View Enrollments',
      isHidden: !dashboard?.unpricedEnrollmentsCount,
      text: waiting(dashboard?.unpricedEnrollmentsCount, 'enrollment has no price', 'enrollments have no price', ''),
    },
    {
      to: paths.adminIdentityChanges, icon: 'badge', title: 'Identity Changes', link: 'View Changes', duty: 'enrollments',
      isHidden: !dashboard?.identityChangesCount,
      text: waiting(dashboard?.identityChangesCount, 'student to look at again', 'students to look at again', ''),
    },
    {
      to: paths.adminRequests, icon: 'inbox', title: 'Admission Requests', link: 'View Requests', duty: 'admissions',
      text: waiting(dashboard?.pendingAdmissionRequestsCount, 'request is waiting', 'requests are waiting', 'Nothing is waiting'),
    },
    {
      to: paths.adminCourses, icon: 'book', title: 'Courses', text: 'The school’s catalogue',
      link: duties.includes('courses') ? 'Manage Courses' : 'View Courses',
    },
    {
      to: paths.adminDocuments(), icon: 'file', title: 'Student Documents', link: 'View Documents', duty: 'documents',
      text: 'What students uploaded',
    },
    {
      to: paths.adminMessages, icon: 'mail', title: 'Messages', link: 'View Messages', duty: 'messages',
      text: waiting(dashboard?.newMessagesCount, 'new message', 'new messages', 'No new messages'),
    },
  ];
  return (
    <section className="quick" aria-labelledby="quick-access">
      <h2 id="quick-access">Quick Access</h2>
      <ul className="grid">
        {ways.filter(({ duty, isHidden }) => !isHidden && (!duty || duties.includes(duty))).map(({ to, icon, title, text, link }) => (
          <li className="card" key={to}>
            <span className="medallion screen-only"><Icon name={icon} /></span>
            <h3>{title}</h3>
            <p>{text || '\u00a0'}</p>
            <Link className="card-link" to={to}><span>{`${link} `}</span><Icon name="arrow" /></Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
