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
  return <p className="fine-print audit-chain"><Words chain={chain} /></p>;
}

function Words({ chain: { state, rows, checkedAt, head } }: { chain: Chain }) {
  const { timeZone } = useSchool();
  if (state === 'unchecked' || checkedAt === null) return <span>The audit trail has not been verified yet. It is verified every night.</span>;
  if (rows === 0) return <span>The audit trail has no entries to verify yet.</span>;
  return (
    <>
      <span>{`Chain whole: each of ${rows.toLocaleString('en-CA')} rows follows from all before it, checked ${momentText(checkedAt, timeZone)}.`}</span>
      {head && <><span> It ends with </span><code title={head}>{`${head.slice(0, 12)}…`}</code><span>; the server’s log has the end of every night to compare.</span></>}
    </>
  );
}
