// The state of the audit trail's hash chain.
import { useQuery } from '@tanstack/react-query';
import type { Chain } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { chainQuery } from './queries.ts';

export function ChainNotice() {
  const { data: chain } = useQuery(chainQuery);
  if (!chain) return null;
  if (chain.state === 'broken') {
    return (
      <Notice kind="error" title="The audit trail was changed outside the program">
        <p>{`It breaks here: ${chain.problem ?? ''}. Keep a copy of the data folder and of the last backups, and contact the server’s administrator.`}</p>
      </Notice>
    );
  }
  return (
    <details className="audit-chain">
      <summary><span className={`badge ${chain.state === 'unchecked' ? '' : 'tone-green'}`}>{chain.state === 'unchecked' ? 'Not verified yet' : 'Complete'}</span></summary>
      <p className="fine-print"><Words chain={chain} /></p>
    </details>
  );
}

function Words({ chain: { state, rows, checkedAt, head } }: { chain: Chain }) {
  const { timeZone } = useSchool();
  if (state === 'unchecked' || checkedAt === null) return <span>The audit trail has not been verified yet. It is verified every night.</span>;
  return (
    <>
      <span>{`All ${rows.toLocaleString('en-CA')} entries verified ${momentText(checkedAt, timeZone)}.`}</span>
      {head && <><span> The last hash is </span><code title={head}>{`${head.slice(0, 12)}…`}</code><span>; compare it with the server’s log, which has the hash of every night.</span></>}
    </>
  );
}
