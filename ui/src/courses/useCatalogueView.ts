// Which grade and filter the catalogue shows. The choice is kept here first and written to
// the address afterwards, so that fast keys never land on a tab the address still names.
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import type { Grade } from '../api-types.ts';
import { defaultGrade, readGrade } from './grades.ts';

export type CatalogueView = { grade: Grade; filter: string };

/** Browsers refuse to rewrite the address many times a second. */
const typing_pause_ms = 150;

export function useCatalogueView() {
  const location = useLocation();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [view, setView] = useState(() => readView(location.search));
  const [seenKey, setSeenKey] = useState(location.key);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);

  // A link or Back names another grade: follow it. Our own rewrites are already shown.
  if (location.key !== seenKey) {
    setSeenKey(location.key);
    if (navigationType !== 'REPLACE') setView(readView(location.search));
  }
  const followed = useRef(location.key);
  useEffect(() => {
    if (navigationType === 'REPLACE' || followed.current === location.key) return;
    // A rewrite still waiting would undo the link that was followed meanwhile.
    followed.current = location.key;
    clearTimeout(pending.current);
  }, [location.key, navigationType]);
  useEffect(() => () => clearTimeout(pending.current), []);

  function show(next: CatalogueView, pause_ms: number) {
    setView(next);
    clearTimeout(pending.current);
    const write = () => void navigate({ search: writeView(next) }, { replace: true, preventScrollReset: true });
    if (pause_ms === 0) write();
    else pending.current = setTimeout(write, pause_ms);
  }

  return {
    view,
    showGrade: (grade: Grade, isKey: boolean) => show({ ...view, grade }, isKey ? typing_pause_ms : 0),
    showFilter: (filter: string) => show({ ...view, filter }, typing_pause_ms),
  };
}

function readView(search: string): CatalogueView {
  const parameters = new URLSearchParams(search);
  return { grade: readGrade(parameters.get('grade')) ?? defaultGrade, filter: parameters.get('q') ?? '' };
}

function writeView({ grade, filter }: CatalogueView): string {
  const parameters = new URLSearchParams({ grade: String(grade) });
  if (filter.trim()) parameters.set('q', filter.trim());
  return `?${parameters}`;
}
