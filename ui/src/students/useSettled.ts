// What stands above decides where the rest of a page is: a page of several queries shows them together.
import { useEffect, useState } from 'react';

/** A slow query holds the others back no longer than this. */
const patience_ms = 1000;

/** Whether all of these have answered or failed, or took too long. Once true, it stays. */
export function useSettled(...queries: readonly { isLoading: boolean }[]): boolean {
  const [isOver, setIsOver] = useState(false);
  if (!isOver && !queries.some(({ isLoading }) => isLoading)) setIsOver(true);
  useEffect(() => void setTimeout(setIsOver, patience_ms, true), []);
  return isOver;
}
