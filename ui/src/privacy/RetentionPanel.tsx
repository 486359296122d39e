// The retention schedule, and the records that are ready to delete.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { failureWords, isSignedOut } from '../api.ts';
import type { Proposal, ProposedClass, RetentionRule } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { dateText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { ConfirmDeletionDialog } from './ConfirmDeletionDialog.tsx';
import { HoldDialog } from './HoldDialog.tsx';
import { privacyKey, releaseProposal, retentionQuery } from './queries.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { periodText, retentionActions, retentionClasses } from './words.ts';

export function RetentionPanel() {
  const retention = useQuery(retentionQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <div className="stack privacy-cards">
      <section className="card" aria-labelledby="proposals">
        <h2 id="proposals" ref={heading} tabIndex={-1}>Ready to Delete</h2>
        {retention.isPending && <Spinner label="Loading the retention schedule..." />}
        {retention.isError && <LoadFailed words="Failed to load the retention schedule. Please try again later." query={retention} heading={heading} />}
        {retention.data?.proposals.length === 0 && (
          <EmptyState icon="clock" title="Nothing is ready to delete"><p>Every night the server looks for records that can be deleted. It deletes nothing by itself.</p></EmptyState>
        )}
        {retention.data?.proposals.map((proposed) => <Proposed key={proposed.class} proposed={proposed} />)}
      </section>
      {retention.data && <Rules rules={retention.data.rules} />}
    </div>
  );
}

function Proposed({ proposed }: { proposed: ProposedClass }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const { class: of, count, asked, oldestDueOn, sample, held } = proposed;
  const more = count - sample.length;
  return (
    <section className="proposed" aria-labelledby={`proposed-${of}`}>
      <div className="row">
        <div>
          <h3 id={`proposed-${of}`}>{`${retentionClasses[of]}: ${count.toLocaleString('en-CA')}`}</h3>
          {oldestDueOn && <p className="muted">{`Due since ${dateText(oldestDueOn, '—')}${asked > 0 ? ` · ${asked} requested by their students` : ''}`}</p>}
        </div>
        {count > 0 && <button type="button" className="button button-danger" onClick={() => setIsConfirming(true)}>{`Delete ${count.toLocaleString('en-CA')}...`}</button>}
      </div>
      <ul className="rows">
        {sample.map((proposal) => <Item key={proposal.id} proposal={proposal} />)}
        {more > 0 && <li className="muted">{`and ${more.toLocaleString('en-CA')} more`}</li>}
        {held.map((proposal) => <Item key={proposal.id} proposal={proposal} />)}
      </ul>
      {isConfirming && <ConfirmDeletionDialog proposed={proposed} onClose={() => setIsConfirming(false)} />}
    </section>
  );
}

function Item({ proposal }: { proposal: Proposal }) {
  const client = useQueryClient();
  const [isHolding, setIsHolding] = useState(false);
  const { id, about, studentId, dueOn, isAsked, heldReason } = proposal;
  const name = <bdi>{about ?? `#${id}`}</bdi>;
  const release = useAction<void, number>({
    ...releaseProposal,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: privacyKey });
      showToast('Hold released');
    },
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('Error', failureWords(error, 'It could not be released. Please try again.'));
    },
  });
  return (
    <li className="row">
      <div>
        {studentId === null ? name : <Link to={officePaths.student(studentId)}>{name}</Link>}
        <p className="muted">
          {heldReason ? <><span>Held: </span><span dir="auto">{heldReason}</span></> : <span>{`since ${dateText(dueOn, '—')}${isAsked ? ' · requested by the student' : ''}`}</span>}
        </p>
      </div>
      {heldReason ? (
        <button type="button" className="button button-outline" aria-label={`Release ${about ?? id}`} aria-disabled={release.isPending} onClick={() => release.run(id)}>Release</button>
      ) : (
        <button type="button" className="button button-quiet" aria-label={`Hold ${about ?? id}`} onClick={() => setIsHolding(true)}>Hold...</button>
      )}
      {isHolding && <HoldDialog id={id} about={about ?? `#${id}`} onClose={() => setIsHolding(false)} />}
    </li>
  );
}

function Rules({ rules }: { rules: readonly RetentionRule[] }) {
  const [changing, setChanging] = useState<RetentionRule | null>(null);
  const today = useSchoolDay();
  return (
    <section className="card" aria-labelledby="rules">
      <h2 id="rules">Retention Schedule</h2>
      <ul className="rows">
        {rules.map((rule) => (
          <li className="row" key={rule.class + rule.inForceFrom + rule.years}>
            <div>
              <strong>{retentionClasses[rule.class]}</strong><span>{`: ${periodText(rule)}`}</span>
              {rule.inForceFrom > today && <> <span className="badge tone-blue">{`from ${dateText(rule.inForceFrom, '—')}`}</span></>}
              <p className="muted" dir="auto">{`${retentionActions[rule.action]}. ${rule.reason}.`}</p>
            </div>
            {rule.action !== 'keep' && rule.inForceFrom <= today && (
              <button type="button" className="button button-quiet" aria-label={`Change the period: ${retentionClasses[rule.class]}`} onClick={() => setChanging(rule)}>Change...</button>
            )}
          </li>
        ))}
      </ul>
      {changing && <RuleDialog rule={changing} onClose={() => setChanging(null)} />}
    </section>
  );
}
