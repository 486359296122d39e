// The number of consents by text and version.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ConsentCount } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { consentCountsQuery } from './queries.ts';
import { consentKinds, versionText } from './consentKinds.ts';

export function ConsentPanel() {
  const counts = useQuery(consentCountsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="card" aria-labelledby="consent-counts">
      <h2 id="consent-counts" ref={heading} tabIndex={-1}>Consents by Version</h2>
      <p className="muted">Students agree to the texts beside the button when they register or request a course. Each student’s latest answer counts.</p>
      {counts.isPending && <Spinner label="Counting the consents..." />}
      {counts.isError && <LoadFailed words="Failed to count the consents. Please try again later." query={counts} heading={heading} />}
      {counts.data?.length === 0 && <EmptyState icon="file" title="No consents yet"><p>Consents are counted here from the first registration.</p></EmptyState>}
      {counts.data && counts.data.length > 0 && (
        <ul className="rows">
          {counts.data.map((count) => <Count key={`${count.kind} ${count.textVersion} ${count.wasAsked}`} count={count} />)}
        </ul>
      )}
    </section>
  );
}

function Count({ count: { kind, textVersion, isCurrent, wasAsked, students, messages, applications, withdrawn } }: { count: ConsentCount }) {
  const parts = [
    students > 0 ? counted(students, 'student') : null,
    messages > 0 ? counted(messages, 'message') : null,
    applications > 0 ? counted(applications, 'application') : null,
    withdrawn > 0 ? `${counted(withdrawn, 'student')} withdrew it` : null,
    wasAsked ? null : 'not asked; recorded by an earlier version',
  ].filter(Boolean);
  return (
    <li className="row">
      <div>
        <strong>{consentKinds[kind]}</strong>
        <p className="muted">{parts.join(' · ') || 'No students'}</p>
      </div>
      <span className={isCurrent ? 'badge tone-green' : 'badge'}>{`${isCurrent ? 'in force, ' : ''}${versionText(textVersion)}`}</span>
    </li>
  );
}

const counted = (count: number, word: string) => `${count.toLocaleString('en-CA')} ${word}${count === 1 ? '' : 's'}`;
