// The selected rows of a list; cleared when the view changes.
import { useState } from 'react';
import type { Selection } from './Table.tsx';

type Kept<Row> = { key: string; chosen: ReadonlyMap<number, Row> };

/** `key` names the view; `rows` are the page's selectable rows. */
export function useSelection<Row extends { id: number }>(key: string, rows: readonly Row[]) {
  const [kept, setKept] = useState<Kept<Row>>({ key, chosen: new Map() });
  const chosen = kept.key === key ? kept.chosen : new Map<number, Row>();
  const choose = (next: ReadonlyMap<number, Row>) => setKept({ key, chosen: next });
  const count = rows.filter(({ id }) => chosen.has(id)).length;

  const selection: Selection = {
    has: (id) => chosen.has(id),
    toggle: (id) => {
      const next = new Map(chosen);
      const row = rows.find((one) => one.id === id);
      if (!next.delete(id) && row) next.set(id, row);
      choose(next);
    },
    toggleAll: () => choose(count === rows.length ? new Map() : new Map(rows.map((row) => [row.id, row]))),
    state: count === 0 ? 'none' : count === rows.length ? 'all' : 'some',
  };
  return {
    selection,
    chosen: [...chosen.values()],
    isPageChosen: rows.length > 0 && count === rows.length,
    chooseAll: (all: readonly Row[]) => choose(new Map(all.map((row) => [row.id, row]))),
    keepOnly: (ids: ReadonlySet<number>) => choose(new Map([...chosen].filter(([id]) => ids.has(id)))),
    clear: () => choose(new Map()),
  };
}
