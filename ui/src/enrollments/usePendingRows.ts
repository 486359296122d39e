// The rows of the pending table. From the first decision on they stand still: a decided row stays in
// its place with its new state, so that the next press can never hit another student, until the list
// is left or the next ones are asked for.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Rows } from '../api.ts';
import type { PendingEnrollment } from '../api-types.ts';
import type { ListView } from '../components/useListView.ts';
import { pendingEnrollmentsQuery } from './queries.ts';

/** What became of a row; `words` where somebody else decided it. */
export type Decision = { status: string; words: string | null };

type Kept = { key: string; data: Rows<PendingEnrollment>; decisions: Record<number, Decision> };

export function usePendingRows(view: ListView) {
  const client = useQueryClient();
  const query = useQuery(pendingEnrollmentsQuery(view));
  const key = JSON.stringify(view);
  const [kept, setKept] = useState<Kept | null>(null);
  // Another page, another search: the list was left.
  if (kept && kept.key !== key) setKept(null);
  const held = kept?.key === key ? kept : null;
  const decisions = held?.decisions ?? {};

  function decide(id: number, decision: Decision) {
    const shown = query.data;
    setKept((before) =>
      before?.key === key
        ? { ...before, decisions: { ...before.decisions, [id]: decision } }
        : shown ? { key, data: shown, decisions: { [id]: decision } } : before,
    );
    // Whoever comes back asks anew; whoever is here sees nothing move.
    void client.invalidateQueries({ queryKey: ['enrollments', 'pending'], refetchType: 'none' });
    void client.invalidateQueries({ queryKey: ['dashboard'] });
    void client.invalidateQueries({ queryKey: ['enrollments', 'unpriced'] });
  }

  async function showNext() {
    await client.refetchQueries({ queryKey: ['enrollments', 'pending'] });
    setKept(null);
  }

  const rows = held ? ({ ...query, data: held.data } as typeof query) : query;
  return { query: rows, decisions, decidedCount: Object.keys(decisions).length, decide, showNext };
}
