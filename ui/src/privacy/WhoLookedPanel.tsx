// The access log: the newest views of students' documents, with links into the audit trail.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { auditQuery } from '../audit/queries.ts';
import { readAuditView } from '../audit/useAuditView.ts';
import type { AuditEntry } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { momentText, shortMomentText, type Zone } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';

const titleId = 'who-looked';
const looks = readAuditView(new URLSearchParams({ action: 'view' }));

const everything = (filter: Record<string, string>) => `${officePaths.audit}?${new URLSearchParams(filter)}`;

export function WhoLookedPanel() {
  const entries = useQuery(auditQuery(looks));
  const { timeZone } = useSchool();
  return (
    <ListCard
      titleId={titleId}
      title="Access Log"
      countText={(total) => (total === 1 ? '1 look' : `${total.toLocaleString('en-CA')} views, newest first`)}
      tools={<Link className="button button-outline" to={everything({ action: 'view' })}>All in the Audit</Link>}
      query={entries}
      loading="Loading the access log..."
      failed="Failed to load the access log. Please try again later."
      empty={<EmptyState icon="eye" title="No documents viewed yet"><p>Each time the office opens a student’s document, it is listed here.</p></EmptyState>}
    >
      {(rows) => <Table labelledBy={titleId} rows={rows} columns={columnsFor(timeZone)} name={({ user, about }) => `${user}: ${about ?? ''}`} detail={detail} />}
    </ListCard>
  );
}

function columnsFor(timeZone: Zone): Column<AuditEntry>[] {
  return [
    { label: 'Viewed', place: 'lead', cell: ({ about, object, objectId }) => <bdi>{about ?? `${object} #${objectId}`}</bdi>, folded: ({ at }) => shortMomentText(at, timeZone) },
    { label: 'Who', cell: ({ user }) => <Link to={everything({ action: 'view', user })}><bdi>{user}</bdi></Link> },
    { label: 'When', isNumber: true, from: 'tablet', cell: ({ at }) => momentText(at, timeZone) },
  ];
}

const detail = ({ studentId, user }: AuditEntry) => (
  <ul className="rows">
    {studentId !== null && <li><Link to={everything({ student: String(studentId) })}>All entries about this student</Link></li>}
    <li><Link to={everything({ user })}>Everything that <bdi>{user}</bdi> did</Link></li>
  </ul>
);
