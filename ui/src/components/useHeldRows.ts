// The rows of a list that is worked through. From the first decision on they stand still: a decided row
// stays in its place with what became of it, so that the next press can never hit another one, until
// the list is left or asked for anew.
import { type QueryKey, useQuery, useQueryClient, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { Rows } from '../api.ts';
import type { Undo } from '../api-types.ts';

/** What became of a row: its next state, where rows have one; `words` where there is more to say, as when somebody else decided it. */
export type Decision<Row = unknown> = {
  status: Row extends { status: infer Status } ? Status : string;
  words: string | null;
  /** What else is different in the row since. */
  now?: Partial<Row>;
  /** How it is taken back, from the moment of the decision on. */
  undo?: (Undo & { decidedAt: string }) | null;
};

type Kept<Row> = { key: string; data: Rows<Row>; decisions: Record<number, Decision<Row>> };

type HeldRows<Row, Key extends QueryKey> = {
  options: UseQueryOptions<Rows<Row>, Error, Rows<Row>, Key>;
  /** The same list in any view. */
  listKey: QueryKey;
  /** What else is out of date after a decision. */
  staleKeys: readonly QueryKey[];
  /** The id of the heading, which takes the focus when the list is shown anew. */
  titleId: string;
  /** The id of a row's button, which takes the focus when it is next. */
  buttonId: (id: number) => string;
};

/** The id of the button that shows the list anew. */
export const nextOnesId = (titleId: string) => `${titleId}-next`;

export function useHeldRows<Row extends { id: number }, Key extends QueryKey>(held: HeldRows<Row, Key>) {
  const { options, listKey, staleKeys, titleId, buttonId } = held;
  const client = useQueryClient();
  const query = useQuery(options);
  const key = JSON.stringify(options.queryKey);
  const [kept, setKept] = useState<Kept<Row> | null>(null);
  // Another page, another search: the list was left.
  if (kept && kept.key !== key) setKept(null);
  const own = kept?.key === key ? kept : null;
  const decisions = own?.decisions ?? {};
  const shown: UseQueryResult<Rows<Row>> = own ? ({ ...query, data: changed(own.data, (id) => decisions[id]?.now) } as typeof query) : query;

  /** Also for many at once; rows of other pages go along, and count. */
  function keep(decided: Record<number, Decision<Row>>) {
    hold((before) => ({ ...before, decisions: { ...before.decisions, ...decided } }));
  }

  /** The row waits as before, with something else in it. */
  function amend(id: number, now: Partial<Row>) {
    hold((before) => ({ ...before, data: changed(before.data, (one) => (one === id ? now : undefined)) }));
  }

  function hold(change: (before: Kept<Row>) => Kept<Row>) {
    const { data } = query;
    setKept((before) => (before?.key === key ? change(before) : data ? change({ key, data, decisions: {} }) : before));
    // Whoever comes back asks anew; whoever is here sees nothing move.
    void client.invalidateQueries({ queryKey: listKey, refetchType: 'none' });
    for (const queryKey of staleKeys) void client.invalidateQueries({ queryKey });
  }

  /** Whoever went on meanwhile is not called back; whoever sees the focus is led to the next row that waits. */
  function decide(id: number, decision: Decision<Row>, hadFocus: boolean) {
    flushSync(() => keep({ [id]: decision }));
    if (!hadFocus) return;
    const rows = shown.data?.rows ?? [];
    const place = rows.findIndex((row) => row.id === id);
    const waiting = [...rows.slice(place + 1), ...rows.slice(0, place)].find((row) => !decisions[row.id]);
    const preventScroll = !document.activeElement?.matches(':focus-visible');
    document.getElementById(waiting ? buttonId(waiting.id) : nextOnesId(titleId))?.focus({ preventScroll });
  }

  async function showNext() {
    await client.refetchQueries({ queryKey: listKey });
    setKept(null);
    document.getElementById(titleId)?.focus();
  }

  /** The row waits again, and gets the focus where its own button had it. */
  function takeBack(id: number, hadFocus: boolean) {
    release([id]);
    if (hadFocus) document.getElementById(buttonId(id))?.focus();
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
