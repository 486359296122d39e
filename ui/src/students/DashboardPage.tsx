// The student dashboard (section 2): four tabs, the open one in the address.
import type { Prefetch } from '../accounts/guards.ts';
import { useStudent } from '../accounts/signedIn.ts';
import { PageHead } from '../components/PageHead.tsx';
import { Tabs, tabId } from '../components/Tabs.tsx';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { schoolDay } from '../dates.ts';
import { DocumentsTab } from '../documents/DocumentsTab.tsx';
import { ownDocumentsQuery } from '../documents/queries.ts';
import { MyCoursesTab } from '../enrollments/MyCoursesTab.tsx';
import { ownEnrollmentsQuery, weekQuery } from '../enrollments/queries.ts';
import { ownFeesQuery } from '../money/queries.ts';
import { paths, type StudentTab, studentTabs } from '../paths.ts';
import { schoolQuery } from '../school/queries.ts';
import { OverviewTab } from './OverviewTab.tsx';
import { ProfileTab } from './ProfileTab.tsx';
import { missingItemsQuery } from './missingItems.ts';
import './dashboard.css';

const labels: Record<StudentTab, string> = {
  overview: 'Overview',
  courses: 'My Courses',
  documents: 'Documents',
  profile: 'Profile',
};
const tabs = studentTabs.map((value) => ({ value, label: labels[value], href: paths.studentDashboard(value) }));
const panels = { overview: OverviewTab, courses: MyCoursesTab, documents: DocumentsTab, profile: ProfileTab };
const panelId = 'dashboard-panel';

export const prefetch: Prefetch = (client) => [
  client.prefetchQuery(ownDocumentsQuery),
  client.prefetchQuery(ownEnrollmentsQuery),
  client.prefetchQuery(ownFeesQuery),
  client.prefetchQuery(missingItemsQuery),
  client.ensureQueryData(schoolQuery).then(({ timeZone }) => client.prefetchQuery(weekQuery(schoolDay(timeZone)))),
];

export function DashboardPage() {
  const { fullName } = useStudent();
  const [tab, show] = useUrlView<StudentTab>({ read, write });
  const Panel = panels[tab];

  return (
    <div className="student">
      <PageHead eyebrow="Student portal" title={fullName ? `Welcome, ${fullName}` : 'Welcome'} />
      <Tabs
        label="Dashboard"
        tabs={tabs}
        selected={tab}
        panelId={panelId}
        onSelect={(next, isKey) => show(next, isKey ? typing_pause_ms : 0)}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, tab)}>
        <Panel />
      </div>
    </div>
  );
}

function read(parameters: URLSearchParams): StudentTab {
  return studentTabs.find((tab) => tab === parameters.get('tab')) ?? 'overview';
}

function write(tab: StudentTab): Record<string, string> {
  return tab === 'overview' ? {} : { tab };
}
