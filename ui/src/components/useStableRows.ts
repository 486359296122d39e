// Rows of a list that is being decided. From the first decision on they stay in place with their results, so that the
// next press cannot hit another row, until the list is left or refreshed.
import { type QueryKey, useQuery, useQueryClient, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { Rows } from '../api.ts';
import type { Undo } from '../api-types.ts';
import { moveFocus } from './movedFocus.ts';

/** The result of a decision: the new status, and `words` if there is more to say, such as a colleague's earlier decision. */
export type Decision<Row = unknown> = {
  status: Row extends { status: infer Status } ? Status : string;
  words: string | null;
  /** Other changes in the row. */
  now?: Partial<Row>;
  /** How to undo it. */
  undo?: (Undo & { decidedAt: string }) | null;
};

type Kept<Row> = { key: string; data: Rows<Row>; decisions: Record<number, Decision<Row>> };

type HeldRows<Row, Key extends QueryKey> = {
  options: UseQueryOptions<Rows<Row>, Error, Rows<Row>, Key>;
  /** Key of the list in any view. */
  listKey: QueryKey;
  /** Keys of other queries to invalidate after a decision. */
  staleKeys: readonly QueryKey[];
  /** Id of the heading, which takes the focus when the list is refreshed. */
  titleId: string;
  /** Id of a row's button, which takes the focus when the row is next. */
  buttonId: (id: number) => string;
};

/** Id of the button that refreshes the list. */
export const refreshButtonId = (titleId: string) => `${titleId}-next`;

export function useStableRows<Row extends { id: number }, Key extends QueryKey>(held: HeldRows<Row, Key>) {
  const { options, listKey, staleKeys, titleId, buttonId } = held;
  const client = useQueryClient();
  const query = useQuery(options);
  const key = JSON.stringify(options.queryKey);
  const [kept, setKept] = useState<Kept<Row> | null>(null);
  // Another page or search: the list was left.
  if (kept && kept.key !== key) setKept(null);
  const own = kept?.key === key ? kept : null;
  const decisions = own?.decisions ?? {};
  const shown: UseQueryResult<Rows<Row>> = own ? ({ ...query, data: changed(own.data, (id) => decisions[id]?.now) } as typeof query) : query;

  /** Keeps one or many decisions; rows of other pages are counted too. */
  function keep(decided: Record<number, Decision<Row>>) {
    hold((before) => ({ ...before, decisions: { ...before.decisions, ...decided } }));
  }

  /** Changes an undecided row. */
  function amend(id: number, now: Partial<Row>) {
    hold((before) => ({ ...before, data: changed(before.data, (one) => (one === id ? now : undefined)) }));
  }

  function hold(change: (before: Kept<Row>) => Kept<Row>) {
    const { data } = query;
    setKept((before) => (before?.key === key ? change(before) : data ? change({ key, data, decisions: {} }) : before));
    // Refetched on the next visit; nothing moves in the open list.
    void client.invalidateQueries({ queryKey: listKey, refetchType: 'none' });
    for (const queryKey of staleKeys) void client.invalidateQueries({ queryKey });
  }

  /** Moves the focus to the next undecided row, unless it has moved elsewhere in the meantime. */
  function decide(id: number, decision: Decision<Row>, hadFocus: boolean) {
    flushSync(() => keep({ [id]: decision }));
    if (!hadFocus) return;
    const rows = shown.data?.rows ?? [];
    const place = rows.findIndex((row) => row.id === id);
    const waiting = [...rows.slice(place + 1), ...rows.slice(0, place)].find((row) => !decisions[row.id]);
    const preventScroll = !document.activeElement?.matches(':focus-visible');
    if (waiting) moveFocus(document.getElementById(buttonId(waiting.id)), { preventScroll });
    else document.getElementById(refreshButtonId(titleId))?.focus({ preventScroll });
  }

  async function showNext() {
    await client.refetchQueries({ queryKey: listKey });
    setKept(null);
    document.getElementById(titleId)?.focus();
  }

  /** The row is undecided again, and gets the focus if its Undo button had it. */
  function takeBack(id: number, hadFocus: boolean) {
    release([id]);
    if (hadFocus) moveFocus(document.getElementById(buttonId(id)));
  }

  function release(ids: readonly number[]) {
    flushSync(() => setKept((before) => before && {
      ...before,
      decisions: Object.fromEntries(Object.entries(before.decisions).filter(([id]) => !ids.includes(Number(id)))),
    }));
    for (const queryKey of [listKey, ...staleKeys]) {
      void client.invalidateQueries({ queryKey, refetchType: queryKey === listKey ? 'none' : 'active' });
    }
  }

  return { query: shown, decisions, decidedCount: Object.keys(decisions).length, decide, keep, amend, takeBack, release, showNext };
}

function changed<Row extends { id: number }>(data: Rows<Row>, nowOf: (id: number) => Partial<Row> | undefined): Rows<Row> {
  return { ...data, rows: data.rows.map((row) => ({ ...row, ...nowOf(row.id) })) };
}
