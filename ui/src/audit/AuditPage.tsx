// The audit trail, newest first. A row unfolds to the values before and after.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import type { AuditEntry } from '../api-types.ts';
import { byDay } from '../components/byDay.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { clockText, type Zone } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { ChainNotice } from './ChainNotice.tsx';
import { EntryDetail } from './EntryDetail.tsx';
import { auditQuery, auditWordsQuery } from './queries.ts';
import { auditParameters, filters, readAuditView, useAuditView } from './useAuditView.ts';
import { readable, sentence } from './words.ts';

const titleId = 'entries';

export const prefetch: Prefetch = (client, parameters) => [
  client.prefetchQuery(auditQuery(readAuditView(parameters))),
  client.prefetchQuery(auditWordsQuery),
];

export function AuditPage() {
  const { view, filter, clear, turnTo } = useAuditView();
  const entries = useQuery(auditQuery(view));
  const { timeZone } = useSchool();
  const readsAll = useUser().duties.includes('every_audit');
  const isFiltered = filters.some((name) => view[name] !== '');
  return (
    <>
      <PageHead
        eyebrow="Administration"
        title="Audit"
        actions={<DownloadLink className="button button-outline" href={`/api/admin/audit?${auditParameters(view, 'csv')}`}>CSV</DownloadLink>}
      >
        {!readsAll && <p>Your own actions. Administrators see everyone’s.</p>}
      </PageHead>
      {readsAll && <ChainNotice />}
      <AuditFilters view={view} onFilter={filter} onClear={clear} />
      <ListCard
        titleId={titleId}
        title="Entries"
        countText={(total) => (total === 1 ? '1 entry' : `${total.toLocaleString('en-CA')} entries`)}
        query={entries}
        page={view.page}
        onTurn={turnTo}
        loading="Loading the audit trail..."
        failed="Failed to load the audit trail. Please try again later."
        empty={
          isFiltered ? (
            <EmptyState icon="search" title="No entries match">
              <button type="button" className="button button-outline" onClick={clear}>Clear the filters</button>
            </EmptyState>
          ) : (
            <EmptyState icon="eye" title="Nothing yet"><p>Changes and views by the office are listed here.</p></EmptyState>
          )
        }
      >
        {(rows) => (
          <Table
            labelledBy={titleId}
            rows={rows}
            columns={columnsFor(timeZone)}
            group={byDay<AuditEntry>(timeZone, ({ at }) => at)}
            name={nameOf}
            detail={detail}
          />
        )}
      </ListCard>
    </>
  );
}

const detail = (entry: AuditEntry) => <EntryDetail entry={entry} />;

const aboutText = ({ about, objectId }: AuditEntry) => about ?? (objectId === null ? '' : `#${objectId}`);

const nameOf = (entry: AuditEntry) => `${entry.user} ${sentence(entry)} ${aboutText(entry)}`;

const columnsFor = (timeZone: Zone): Column<AuditEntry>[] => [
  {
    label: 'What',
    place: 'lead',
    cell: (entry) => (
      <>
        <bdi>{entry.user}</bdi> <strong>{sentence(entry)}</strong> <About entry={entry} /> <Change changes={entry.changes} />
      </>
    ),
  },
  { label: 'Time', isNumber: true, cell: ({ at }) => clockText(at, timeZone) },
];

function About({ entry }: { entry: AuditEntry }) {
  const { object, objectId, about, studentId } = entry;
  const text = <bdi>{aboutText(entry)}</bdi>;
  if (studentId !== null) return <Link to={officePaths.student(studentId)}>{text}</Link>;
  if (object === 'course' && objectId !== null && about) return <Link to={officePaths.course(objectId)}>{text}</Link>;
  return text;
}

/** Cut to what stays in one line beside the sentence; the row's detail has it whole. */
const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/** The first change, and how many more there are. */
function Change({ changes }: Pick<AuditEntry, 'changes'>) {
  const [first] = changes;
  if (!first) return null;
  const more = changes.length > 1 ? ` +${changes.length - 1}` : '';
  const text = `${first.field ? `${readable(first.field)}: ` : ''}${first.before ?? '–'} → ${first.after ?? '–'}${more}`;
  return <small className="muted" title={text}><bdi>{shortened(text)}</bdi></small>;
}
