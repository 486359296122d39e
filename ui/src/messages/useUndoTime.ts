// Whether a decision can still be undone, by the server's clock.
import { useEffect, useState } from 'react';
import type { Undo } from '../api-types.ts';

export function useUndoTime(undo: Undo | null, decidedAt: string | null): boolean {
  const [over, setOver] = useState<string | null>(null);
  const left_ms = undo && decidedAt ? Math.max(0, Date.parse(undo.until) - Date.parse(decidedAt)) : 0;
  const id = undo?.id ?? null;
  useEffect(() => {
    if (id === null) return;
    const timer = setTimeout(() => setOver(id), left_ms);
    return () => clearTimeout(timer);
  }, [id, left_ms]);
  return id !== null && over !== id;
}
