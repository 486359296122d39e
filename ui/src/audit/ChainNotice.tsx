// Whether the trail is whole, in words: what was checked, when, and what it proves.
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
      <Notice kind="error" title="The audit trail was changed past the program">
        <p>{`It breaks here: ${chain.problem ?? ''}. Keep a copy of the data folder and of the last backups, and ask whoever looks after the server.`}</p>
      </Notice>
    );
  }
  return <p className="fine-print audit-chain"><Words chain={chain} /></p>;
}

function Words({ chain: { state, rows, checkedAt, head } }: { chain: Chain }) {
  const { timeZone } = useSchool();
  if (state === 'unchecked' || checkedAt === null) return <span>The chain over the audit trail has not been checked yet; it is checked every night.</span>;
  if (rows === 0) return <span>The chain over the audit trail has no rows yet.</span>;
  return (
    <>
      <span>{`Chain whole: each of ${rows.toLocaleString('en-CA')} rows follows from all before it, checked ${momentText(checkedAt, timeZone)}.`}</span>
      {head && <><span> It ends with </span><code title={head}>{`${head.slice(0, 12)}…`}</code><span>; the server’s log has the end of every night to compare.</span></>}
    </>
  );
}
