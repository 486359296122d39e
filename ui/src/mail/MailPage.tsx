// The list of sent emails with their delivery status, newest first. Their texts are never shown: the links in them are
// secrets.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import type { MailRecord } from '../api-types.ts';
import { byDay } from '../components/byDay.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { listParameters, readListView, useListView } from '../components/useListView.ts';
import { clockText, momentText, type Zone } from '../dates.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { dashboardQuery } from '../staff/officeState.ts';
import { emptyWords, deliveryText, mayRetry, readStatus, statusBadge, statusOptions } from './emails.ts';
import { NotSentNotice } from './NotSentNotice.tsx';
import { mailQuery } from './queries.ts';
import { RetryAllButton } from './RetryAllButton.tsx';
import { RetryButton } from './RetryButton.tsx';
import { SettleButton } from './SettleButton.tsx';
import { SpoolNotice } from './SpoolNotice.tsx';

const titleId = 'emails';

export const prefetch: Prefetch = (client, parameters) => {
  const view = readListView(parameters);
  return [client.prefetchQuery(mailQuery({ ...view, status: readStatus(view.status) }))];
};

export function MailPage() {
  const { view, search, filter, turnTo } = useListView();
  const status = readStatus(view.status);
  const emails = useQuery(mailQuery({ ...view, status }));
  const dashboard = useQuery(dashboardQuery).data;
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const isAllowed = duties.includes('mail');
  const isAllDead = status === 'dead' && view.q.trim() === '' && (emails.data?.total ?? 0) > 1;
  const { icon, title, text } = emptyWords(view.q, status);

  return (
    <>
      <PageHead
        eyebrow="Records"
        title="Mail"
        actions={
          <>
            <Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>
            {isAllowed && isAllDead && <RetryAllButton headingId={titleId} />}
          </>
        }
      />
      <SpoolNotice dashboard={dashboard} />
      <NotSentNotice dashboard={dashboard} />
      <ListCard
        titleId={titleId}
        title="Emails"
        countText={(total) => (total === 1 ? '1 email' : `${total} emails`)}
        tools={
          <>
            <SearchBox label="Search by address or subject..." value={view.q} onChange={search} />
            <FilterSelect label="Status" options={statusOptions} value={status} onChange={filter} />
            {duties.includes('exports') && <DownloadLink className="button button-outline" href={`/api/admin/mail${listParameters({ ...view, status })}&format=csv`}>CSV</DownloadLink>}
          </>
        }
        query={emails}
        page={view.page}
        onTurn={turnTo}
        loading="Loading emails..."
        failed="Failed to load the emails. Please try again later."
        empty={<EmptyState icon={icon} title={title}><p>{text}</p></EmptyState>}
      >
        {(rows) => (
          <Table
            labelledBy={titleId}
            columns={columnsFor(timeZone, isAllowed && rows.some(mayRetry), rows.some(({ lastError }) => lastError))}
            rows={rows}
            group={byDay<MailRecord>(timeZone, ({ createdAt }) => createdAt)}
            name={({ subject, recipient }) => `${subject}, to ${recipient}`}
            detail={detail}
          />
        )}
      </ListCard>
    </>
  );
}

function columnsFor(timeZone: Zone, hasActions: boolean, hasFailures: boolean): Column<MailRecord>[] {
  const facts: Column<MailRecord>[] = [
    {
      label: 'Email',
      place: 'lead',
      id: ({ id }) => `email-${id}`,
      cell: (row) => <><strong dir="auto">{row.subject}</strong><small>{' to '}<EmailAddress address={row.recipient} /></small></>,
      folded: (row) => <Status email={row} />,
    },
    ...(hasFailures ? [{ label: 'Why', place: 'side', from: 'desk', cell: ({ lastError }: MailRecord) => <small dir="auto" title={lastError ?? undefined}>{lastError}</small> } as const] : []),
    { label: 'Status', from: 'tablet', cell: (row) => <Status email={row} /> },
    { label: 'Time', isNumber: true, from: 'tablet', cell: (row) => clockText(row.createdAt, timeZone) },
  ];
  const retry: Column<MailRecord> = {
    label: 'Action',
    place: 'action',
    cell: (row) => (
      <span className="cluster row-buttons">
        {mayRetry(row) && <RetryButton email={row} headingId={titleId} />}
        {row.status === 'dead' && !row.settledAt && <SettleButton email={row} headingId={titleId} />}
      </span>
    ),
  };
  return hasActions ? [...facts, retry] : facts;
}

const detail = (email: MailRecord) => <Fate email={email} />;

/** The delivery details of an email. */
function Fate({ email }: { email: MailRecord }) {
  const { timeZone } = useSchool();
  return (
    <dl className="pairs">
      <div><dt>To</dt><dd><EmailAddress address={email.recipient} /></dd></div>
      <div><dt>Written</dt><dd>{momentText(email.createdAt, timeZone)}</dd></div>
      <div><dt>Since then</dt><dd>{deliveryText(email, timeZone)}</dd></div>
      {email.lastError && <div><dt>Why</dt><dd dir="auto">{email.lastError}</dd></div>}
    </dl>
  );
}

function Status({ email }: { email: MailRecord }) {
  const { label, tone } = statusBadge(email);
  return <span className={`badge tone-${tone}`}>{label}</span>;
}
