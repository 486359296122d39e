// The tabs of the school's money, on `/admin/money` and on the pages beside it.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { type PagePath, at } from '../pages.ts';
import { waitingQuery } from '../staff/officeState.ts';
import { sections, type Shown } from './moneySections.ts';
import '../components/Tabs.css';

const scrollTo = (link: HTMLElement | null) => link?.scrollIntoView({ block: 'nearest', inline: 'center' });

export function MoneyNav({ current }: { current: Shown | PagePath }) {
  const { duties } = useUser();
  const home = at('/admin/money');
  const waiting = useQuery(waitingQuery).data;
  return (
    <nav className="tabs" aria-label="Money">
      {sections.filter(({ duty }) => duties.includes(duty)).map((section, index) => {
        const [own, to] = 'path' in section ? [section.path, section.path] : [section.show, index === 0 ? home : `${home}?show=${section.show}`];
        const isCurrent = own === current;
        const count = waiting?.find(({ href }) => href === to)?.count;
        // On a phone not all of them fit.
        return <Link key={own} to={to} ref={isCurrent ? scrollTo : undefined} aria-current={isCurrent ? 'page' : undefined}>{count ? `${section.label} (${count})` : section.label}</Link>;
      })}
    </nav>
  );
}
