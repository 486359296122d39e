// The ways to the other sections, and how much waits there.
import { Link } from 'react-router';
import type { Dashboard } from '../api-types.ts';
import { Icon, type IconName } from '../components/Icon.tsx';
import { paths } from '../paths.ts';
import { useUser } from '../staff/useUser.ts';

type Way = { to: string; icon: IconName; title: string; text: string; link: string };

const documents: Way = {
  to: paths.adminDocuments, icon: 'file', title: 'Student Documents', link: 'View Documents', text: 'What students uploaded',
};

function waiting(count: number | undefined, one: string, many: string, none: string): string {
  if (count === undefined) return '';
  if (count === 0) return none;
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

export function QuickAccess({ dashboard }: { dashboard: Dashboard | undefined }) {
  const mayLook = useUser().duties.includes('documents');
  const ways: Way[] = [
    {
      to: paths.adminRequests, icon: 'inbox', title: 'Admission Requests', link: 'View Requests',
      text: waiting(dashboard?.pendingAdmissionRequestsCount, 'request is waiting', 'requests are waiting', 'Nothing is waiting'),
    },
    { to: paths.adminCourses, icon: 'book', title: 'Courses', link: 'Manage Courses', text: 'The school’s catalogue' },
    ...(mayLook ? [documents] : []),
    {
      to: paths.adminMessages, icon: 'mail', title: 'Messages', link: 'View Messages',
      text: waiting(dashboard?.newMessagesCount, 'new message', 'new messages', 'No new messages'),
    },
  ];
  return (
    <section className="quick" aria-labelledby="quick-access">
      <h2 id="quick-access">Quick Access</h2>
      <ul>
        {ways.map(({ to, icon, title, text, link }) => (
          <li className="card" key={to}>
            <span className="medallion"><Icon name={icon} /></span>
            <h3>{title}</h3>
            <p>{text || '\u00a0'}</p>
            <Link className="card-link" to={to}>{link} <Icon name="arrow" /></Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
