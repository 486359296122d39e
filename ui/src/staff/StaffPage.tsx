// The staff page: accounts, roles and invitations.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Prefetch } from '../accounts/guards.ts';
import type { StaffRow } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { momentText, shortDayText, type Zone } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { Invitations } from './Invitations.tsx';
import { InviteDialog } from './InviteDialog.tsx';
import { invitationsQuery, rolesQuery, staffQuery } from './queries.ts';
import { RoleMeaning } from './RoleField.tsx';
import { roleTitle } from './roles.ts';
import { StaffActions } from './StaffActions.tsx';
import { nameOf } from './words.ts';

const titleId = 'staff-accounts';

export const prefetch: Prefetch = (client) => [staffQuery, invitationsQuery, rolesQuery].map((query) => client.prefetchQuery(query as never));

export function StaffPage() {
  const staff = useQuery(staffQuery);
  const { timeZone } = useSchool();
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <PageHead
        eyebrow="Administration"
        title="Staff"
        actions={<button type="button" className="button button-primary" onClick={() => setIsInviting(true)}><Icon name="plus" /> Invite Colleague</button>}
      />
      <div className="stack staff-lists">
        <Invitations />
        <ListCard
          titleId={titleId}
          title="Accounts"
          countText={(total) => (total === 1 ? '1 account' : `${total} accounts`)}
          query={staff}
          loading="Loading the staff..."
          failed="Failed to load the staff. Please try again later."
          empty={<EmptyState icon="people" title="No accounts yet"><p>Invite a colleague to begin.</p></EmptyState>}
        >
          {(rows) => (
            <Table
              labelledBy={titleId}
              rows={rows}
              columns={columnsFor(timeZone)}
              name={nameOf}
              isDone={({ state }) => state === 'disabled'}
              detail={detail}
            />
          )}
        </ListCard>
      </div>
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </>
  );
}

function columnsFor(timeZone: Zone): Column<StaffRow>[] {
  return [
    {
      label: 'Name',
      place: 'lead',
      cell: (row) => <strong dir="auto">{nameOf(row)}</strong>,
      folded: ({ role }) => roleTitle(role),
    },
    { label: 'Username', from: 'tablet', cell: ({ username }) => username },
    { label: 'Role', from: 'tablet', cell: ({ role }) => roleTitle(role) },
    { label: 'Last login', from: 'desk', cell: ({ lastLoginAt }) => shortDayText(lastLoginAt, timeZone, 'Never') },
    { label: 'Second factor', from: 'desk', cell: ({ hasSecondFactor, needsSecondFactor }) => (hasSecondFactor ? 'On' : needsSecondFactor ? <span className="flag">Missing</span> : 'Off') },
    { label: 'Devices', isNumber: true, from: 'desk', cell: ({ devices }) => devices },
    { label: 'State', cell: (row) => <State row={row} /> },
    { label: 'Actions', place: 'action', cell: (row) => <StaffActions row={row} /> },
  ];
}

function State({ row: { state, isLastAdmin } }: { row: StaffRow }) {
  if (state === 'disabled') return <span className="badge">disabled</span>;
  return <span className="badge tone-green">{isLastAdmin ? 'last admin' : 'active'}</span>;
}

const detail = (row: StaffRow) => <Detail row={row} />;

function Detail({ row }: { row: StaffRow }) {
  const { timeZone } = useSchool();
  return (
    <div className="staff-detail">
      <p>
        <EmailAddress address={row.email} /><span>{` · account since ${shortDayText(row.createdAt, timeZone, '—')} · ${row.lastLoginAt ? `last login ${momentText(row.lastLoginAt, timeZone)}` : 'never logged in'}`}</span>
      </p>
      {row.isLastAdmin && <p>The only administrator who can log in: the role and the account cannot be removed until there is a second one.</p>}
      <RoleMeaning role={row.role} />
    </div>
  );
}
