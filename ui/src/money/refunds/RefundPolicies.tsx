// The school's refund policies: what is refunded when a student leaves, and of a fee as an example.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RefundPolicy } from '../../api-types.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { Spinner } from '../../components/Spinner.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { useAction } from '../../components/useAction.ts';
import { shortDayText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { useSchool } from '../../school/queries.ts';
import { policiesQuery } from '../moneyQueries.ts';
import { costOf, exampleFee, exampleWords, scopeWords, untilWords, versionsOf } from './policyRules.ts';
import type { RefundPolicyDialog } from './RefundPolicyDialog.tsx';

type OpenDialog = { policy: RefundPolicy | null; Dialog: typeof RefundPolicyDialog };

export function RefundPolicies() {
  const policies = useQuery(policiesQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const opening = useAction<OpenDialog, RefundPolicy | null>({
    mutationFn: async (policy) => ({ policy, Dialog: (await loadPart(() => import('./RefundPolicyDialog.tsx'))).RefundPolicyDialog }),
    onSuccess: setOpened,
  });
  const { current, earlier } = versionsOf(policies.data ?? []);
  return (
    <div className="stack file-cards">
      <section className="card list-card" aria-labelledby="refund-policies">
        <header className="row list-head">
          <div>
            <h2 id="refund-policies" ref={heading} tabIndex={-1}>Refund Policies</h2>
            <p className="muted">What is refunded when a student leaves. Students read it before they ask to leave.</p>
          </div>
          <div className="list-tools"><button type="button" className="button button-outline" onClick={() => opening.run(null)}>Add a Policy</button></div>
        </header>
        {policies.isPending && <Spinner label="Loading the policies..." />}
        {policies.isError && <LoadFailed words="Failed to load the policies. Please try again later." query={policies} heading={heading} />}
        {policies.data?.length === 0 && <EmptyState icon="file" title="No policy yet"><p>Without one, each refund is decided by hand.</p></EmptyState>}
      </section>
      {current.map((policy) => <Policy key={policy.id} policy={policy} onEdit={() => opening.run(policy)} />)}
      {earlier.length > 0 && <Earlier policies={earlier} />}
      {opened && <opened.Dialog policy={opened.policy} onClose={() => setOpened(null)} />}
    </div>
  );
}

type RuleRow = RefundPolicy['rules'][number] & { id: number };

function Policy({ policy, onEdit }: { policy: RefundPolicy; onEdit: () => void }) {
  const titleId = `policy-${policy.id}`;
  const rows = policy.rules.map((rule, at): RuleRow => ({ ...rule, id: at }));
  return (
    <section className="card list-card" aria-labelledby={titleId}>
      <header className="row list-head">
        <div>
          <h3 id={titleId} dir="auto">{policy.name}</h3>
          <p className="muted">{scopeWords(policy)}</p>
        </div>
        <div className="list-tools"><button type="button" className="button button-quiet" aria-describedby={titleId} onClick={onEdit}>Change…</button></div>
      </header>
      <Table labelledBy={titleId} columns={columns} rows={rows} name={({ until }) => untilWords(until)} />
    </section>
  );
}

const columns: Column<RuleRow>[] = [
  { label: 'A student who leaves', place: 'lead', cell: ({ until }) => untilWords(until) },
  { label: 'Waived', isNumber: true, cell: ({ percent }) => `${percent}%` },
  { label: 'Less', isNumber: true, from: 'tablet', cell: ({ keep }) => (keep > 0 ? moneyText(keep, '') : '–') },
  { label: `Pays of ${moneyText(exampleFee, '')}`, isNumber: true, from: 'tablet', cell: (rule) => moneyText(costOf(rule), '') },
];

function Earlier({ policies }: { policies: RefundPolicy[] }) {
  const { timeZone } = useSchool();
  return (
    <details className="card">
      <summary>{policies.length === 1 ? '1 earlier version' : `${policies.length} earlier versions`}</summary>
      <ul className="rows">
        {policies.map((policy) => (
          <li key={policy.id}>
            <strong dir="auto">{policy.name}</strong>
            <p>{`${scopeWords(policy)}. Written ${shortDayText(policy.createdAt, timeZone, '')}${policy.by ? ` by ${policy.by}` : ''}.`}</p>
            <ul>{policy.rules.map((rule) => <li key={rule.until}>{exampleWords(rule)}</li>)}</ul>
          </li>
        ))}
      </ul>
    </details>
  );
}
