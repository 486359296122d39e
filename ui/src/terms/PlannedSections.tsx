// Planned sections of published terms: families see each once it is open.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { getRows } from '../api.ts';
import type { OfficeSection } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { list_fresh_ms } from '../components/useListView.ts';
import { dateText } from '../dates.ts';
import { hoursText } from '../meetings.ts';
import { officePaths } from '../officePaths.ts';
import { changeSection, refreshSections, sectionsKey } from './queries.ts';
import { nameOf, seatsText, tellFailure } from './words.ts';

const titleId = 'planned-sections';

/** Planned sections of published terms. */
const plannedSectionsQuery = queryOptions({
  queryKey: [...sectionsKey, 'planned'],
  queryFn: ({ signal }) => getRows('/api/admin/sections?waits=opening', signal),
  staleTime: list_fresh_ms,
});

export function PlannedSections() {
  const planned = useQuery(plannedSectionsQuery);
  const client = useQueryClient();
  const mayChange = useUser().duties.includes('courses');
  /** Opened on this visit: they stay where they are. */
  const [opened, setOpened] = useState<OfficeSection[]>([]);
  const opening = useAction<OfficeSection, OfficeSection>({
    mutationFn: (section) => changeSection(section, { status: 'open' }),
    onSuccess: (saved) => {
      setOpened((before) => [...before, saved]);
      showToast('Section open', `${nameOf(saved)} takes requests.`);
      void client.invalidateQueries({ queryKey: plannedSectionsQuery.queryKey, refetchType: 'none' });
    },
    onError: (error) => {
      tellFailure(error);
      refreshSections(client);
    },
  });
  const closing = useAction<OfficeSection, OfficeSection>({
    mutationFn: (section) => changeSection(section, { status: 'planned' }),
    onSuccess: (saved) => {
      setOpened((before) => before.filter(({ id }) => id !== saved.id));
      refreshSections(client);
    },
    onError: tellFailure,
  });
  const stateOf = (row: OfficeSection) => opened.find(({ id }) => id === row.id);
  const action = (row: OfficeSection) => {
    const saved = stateOf(row);
    return saved
      ? <button type="button" className="button button-quiet" aria-label={`Undo: plan ${nameOf(row)} again`} onClick={() => closing.run(saved)}>Undo</button>
      : <button type="button" className="button button-outline" aria-label={`Open ${nameOf(row)} for requests`} onClick={() => opening.run(row)}>Open</button>;
  };
  return (
    <>
      <PageHead eyebrow="Terms" title="Planned Sections" actions={<Link className="button button-outline" to={officePaths.terms}>All Terms</Link>}>
        <p>Their terms are published, but families do not see these sections before they are open.</p>
      </PageHead>
      <ListCard
        titleId={titleId}
        title="Not Open Yet"
        countText={(total) => (total === 1 ? '1 section' : `${total} sections`)}
        query={planned}
        loading="Loading sections..."
        failed="Failed to load the planned sections. Please try again later."
        empty={<EmptyState icon="calendar" title="No planned sections"><p>Every section of the published terms is open or closed.</p></EmptyState>}
      >
        {(rows) => <Table labelledBy={titleId} rows={rows} columns={mayChange ? [...facts, { label: 'Action', place: 'action', cell: action }] : facts} name={nameOf} isDone={(row) => stateOf(row) !== undefined} />}
      </ListCard>
    </>
  );
}

const facts: Column<OfficeSection>[] = [
  {
    label: 'Section',
    place: 'lead',
    cell: (row) => <Link to={officePaths.course(row.courseId)} title={row.courseName}><strong>{nameOf(row)}</strong></Link>,
    folded: ({ termName }) => termName,
  },
  { label: 'Term', from: 'tablet', cell: ({ termId, termName }) => termId !== null && <Link to={officePaths.term(termId)} dir="auto">{termName}</Link> },
  { label: 'First day', from: 'tablet', cell: ({ startsOn }) => dateText(startsOn, '') },
  { label: 'Days and hours', from: 'desk', cell: ({ meetings }) => hoursText(meetings) || '–' },
  { label: 'Teacher', from: 'desk', cell: ({ teacherName }) => <bdi>{teacherName ?? '–'}</bdi> },
  { label: 'Seats', isNumber: true, from: 'desk', cell: seatsText },
];
