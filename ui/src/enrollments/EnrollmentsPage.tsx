// All enrollments of the school (office): tabs, filters and list.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { Tabs } from '../components/Tabs.tsx';
import { grades } from '../courses/grades.ts';
import { today } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { beginningMonths } from './beginningMonths.ts';
import { EnrollmentList } from './office/EnrollmentList.tsx';
import { enrollmentParameters, readEnrollmentsView, searchOf, type TabName, tabNames, tabs, useEnrollmentsView } from './office/view.ts';
import { enrollmentCountsQuery, officeEnrollmentsQuery } from './queries.ts';

export const prefetch: Prefetch = (client, parameters) => [
  client.prefetchQuery(enrollmentCountsQuery),
  client.prefetchQuery(officeEnrollmentsQuery(readEnrollmentsView(parameters))),
];

const panelId = 'enrollments-panel';

const nothing: Record<TabName, string> = {
  waiting: 'No requests waiting',
  waitlisted: 'No students on a waiting list',
  over: 'No request waits for a course that has ended',
  active: 'No active enrollments',
  leaving: 'No requests to leave',
  transfer: 'No students of cancelled sections',
  ending: 'No courses ending within two weeks',
  mark: 'No missing marks',
  ended: 'No ended enrollments yet',
};

export function EnrollmentsPage() {
  const controls = useEnrollmentsView();
  const { view, open, filter } = controls;
  const heading = useRef<HTMLHeadingElement>(null);
  const mayExport = useUser().duties.includes('exports');
  const { semesters } = useSchool();
  const counts = useQuery(enrollmentCountsQuery).data;
  const label = (tab: TabName) => (counts ? `${tabs[tab].label} (${counts[tabs[tab].count]})` : tabs[tab].label);
  return (
    <>
      <PageHead eyebrow="Records" title="Enrollments" ref={heading} />
      <Tabs
        label="Enrollments by state"
        panelId={panelId}
        selected={view.tab}
        tabs={tabNames.filter((tab) => tab === view.tab || tab !== 'over' || counts?.endedRequests).map((tab) => ({ value: tab, label: label(tab), href: searchOf({ ...view, tab, sort: '', page: 1 }) || '?' }))}
        onSelect={open}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={`${panelId}-tab-${view.tab}`}>
        <EnrollmentList
          key={view.tab}
          titleId="enrollments"
          title={tabs[view.tab].label}
          controls={controls}
          noun={view.tab === 'waiting' || view.tab === 'over' ? { one: 'request', many: 'requests' } : { one: 'enrollment', many: 'enrollments' }}
          failed="The enrollments could not be loaded. Please try again later."
          empty={<EmptyState icon="check" title={nothing[view.tab]} />}
          tools={
            <>
              <FilterSelect
                label="Grade"
                value={view.grade}
                onChange={(grade) => filter({ grade })}
                options={[{ value: '', label: 'All grades' }, ...grades.map((grade) => ({ value: String(grade), label: `Grade ${grade}` }))]}
              />
              <FilterSelect
                label="Begins"
                value={view.term}
                onChange={(term) => filter({ term })}
                options={[{ value: '', label: 'Any start' }, ...beginningMonths(today(), semesters)]}
              />
              {view.tab === 'waiting' && (
                <FilterSelect
                  label="Readiness"
                  value={view.isReady ? '1' : ''}
                  onChange={(ready) => filter({ isReady: ready === '1' })}
                  options={[{ value: '', label: 'All requests' }, { value: '1', label: 'Ready to approve' }]}
                />
              )}
              {mayExport && <DownloadLink className="button button-outline" href={`/api/admin/enrollments${enrollmentParameters(view)}&format=csv`}>CSV</DownloadLink>}
            </>
          }
        />
      </div>
    </>
  );
}
