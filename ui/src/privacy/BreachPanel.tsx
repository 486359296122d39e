// The breach book: each breach of personal data, its risk and who was notified.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Breach } from '../api-types.ts';
import { ActionMenu } from '../components/ActionMenu.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { dateText, momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { BreachDialog } from './BreachDialog.tsx';
import { breachesQuery } from './queries.ts';
import { risks, riskTones } from './words.ts';

const titleId = 'breaches';

export function BreachPanel() {
  const breaches = useQuery(breachesQuery);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <ListCard
        titleId={titleId}
        title="Breach Book"
        countText={(total) => (total === 1 ? '1 breach' : `${total} breaches`)}
        tools={<button type="button" className="button button-outline" onClick={() => setIsAdding(true)}><Icon name="plus" /> Record a Breach</button>}
        query={breaches}
        loading="Loading the breach book..."
        failed="Failed to load the breach book. Please try again later."
        empty={
          <EmptyState icon="book" title="No breach on record">
            <p>The law requires a record of every breach for 24 months, even of a harmless one.</p>
          </EmptyState>
        }
      >
        {(rows) => <Table labelledBy={titleId} rows={rows} columns={columns} name={({ what }) => what.slice(0, 60)} detail={detail} />}
      </ListCard>
      {isAdding && <BreachDialog onClose={() => setIsAdding(false)} />}
    </>
  );
}

const columns: Column<Breach>[] = [
  { label: 'What', place: 'lead', cell: ({ what }) => <strong dir="auto">{what.length > 80 ? `${what.slice(0, 80)}…` : what}</strong>, folded: ({ discoveredOn }) => dateText(discoveredOn, '—') },
  { label: 'Discovered', from: 'tablet', cell: ({ discoveredOn }) => dateText(discoveredOn, '—') },
  { label: 'Affected', place: 'side', from: 'desk', cell: ({ affected, affectedCount }) => <span dir="auto">{affectedCount === null ? affected : affectedCount.toLocaleString('en-CA')}</span> },
  { label: 'Risk', cell: ({ risk }) => <span className={`badge tone-${riskTones[risk]}`}>{risks[risk].toLowerCase()}</span> },
  { label: 'Told', from: 'tablet', cell: (breach) => told(breach) },
  { label: 'Actions', place: 'action', cell: (breach) => <Change breach={breach} /> },
];

const detail = (breach: Breach) => <Detail breach={breach} />;

/** Whether the people that the law names were notified of a significant risk. */
function told({ risk, reportedToOpcOn, peopleToldOn }: Breach) {
  if (risk === 'significant' && (reportedToOpcOn === null || peopleToldOn === null)) {
    if (reportedToOpcOn === peopleToldOn) return <span className="badge tone-red">not yet</span>;
    return <span className="badge tone-red">{`not the ${reportedToOpcOn === null ? 'commissioner' : 'people'}`}</span>;
  }
  if (reportedToOpcOn === null && peopleToldOn === null) return '—';
  return [reportedToOpcOn && 'commissioner', peopleToldOn && 'people'].filter(Boolean).join(', ');
}

function Change({ breach }: { breach: Breach }) {
  const [isChanging, setIsChanging] = useState(false);
  return (
    <>
      <ActionMenu label={`Actions for: ${breach.what.slice(0, 60)}`} isCompact items={[{ label: 'Change...', onPress: () => setIsChanging(true) }]} />
      {isChanging && <BreachDialog breach={breach} onClose={() => setIsChanging(false)} />}
    </>
  );
}

function Detail({ breach }: { breach: Breach }) {
  const { timeZone } = useSchool();
  const { what, affected, happenedOn, riskReason, reportedToOpcOn, peopleToldOn, measures, by, createdAt, changedAt } = breach;
  return (
    <div className="privacy-detail">
      <p className="written" dir="auto">{what}</p>
      <p>Affected: <span dir="auto">{affected}</span><span>{`. Happened: ${dateText(happenedOn, 'not known')}. Commissioner told: ${dateText(reportedToOpcOn, 'no')}. People told: ${dateText(peopleToldOn, 'no')}.`}</span></p>
      {riskReason && <p>Risk: <span dir="auto">{riskReason}</span></p>}
      {measures && <p>Action taken: <span dir="auto">{measures}</span></p>}
      <p className="muted">Recorded by <bdi>{by}</bdi><span>{`, ${momentText(createdAt, timeZone)}${changedAt ? `; changed ${momentText(changedAt, timeZone)}` : ''}`}</span></p>
    </div>
  );
}
