// The list of sent emails with their delivery status, newest first. Their texts are never shown: the links in them are
// secrets.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import type { MailRecord } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { readListView, useListView } from '../components/useListView.ts';
import { momentText } from '../dates.ts';
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
  const isAllowed = useUser().duties.includes('mail');
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
          </>
        }
        query={emails}
        page={view.page}
        onTurn={turnTo}
        loading="Loading emails..."
        failed="Failed to load the emails. Please try again later."
        empty={<EmptyState icon={icon} title={title}><p>{text}</p></EmptyState>}
      >
        {(rows) => <Table labelledBy={titleId} columns={columnsFor(timeZone, isAllowed && rows.some(mayRetry))} rows={rows} />}
      </ListCard>
    </>
  );
}

function columnsFor(timeZone: string, hasActions: boolean): Column<MailRecord>[] {
  const facts: Column<MailRecord>[] = [
    {
      label: 'Email',
      cell: (row) => <span id={`email-${row.id}`}><strong dir="auto">{row.subject}</strong><small><EmailAddress address={row.recipient} /></small></span>,
    },
    {
      label: 'What Happened',
      cell: (row) => <><span>{deliveryText(row, timeZone)}</span>{row.lastError && <small dir="auto">{row.lastError}</small>}</>,
    },
    { label: 'Written', cell: (row) => momentText(row.createdAt, timeZone) },
    { label: 'Status', cell: (row) => <Status email={row} /> },
  ];
  const retry: Column<MailRecord> = {
    label: 'Action',
    cell: (row) => (
      <span className="cluster">
        {mayRetry(row) && <RetryButton email={row} headingId={titleId} />}
        {row.status === 'dead' && !row.settledAt && <SettleButton email={row} headingId={titleId} />}
      </span>
    ),
  };
  return hasActions ? [...facts, retry] : facts;
}

function Status({ email }: { email: MailRecord }) {
  const { label, tone } = statusBadge(email);
  return <span className={`badge tone-${tone}`}>{label}</span>;
}
