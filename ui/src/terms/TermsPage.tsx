// Terms: the list, and one term with its sections.
import { lazy, Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { loadPart } from '../components/loadPart.ts';
import { Spinner } from '../components/Spinner.tsx';
import { sectionsQuery, termsQuery } from './queries.ts';
import { TermList } from './TermList.tsx';
import { TermView } from './TermView.tsx';

export const prefetch: Prefetch = (client, _, { id }) => [client.prefetchQuery(termsQuery), ...(id ? [client.prefetchQuery(sectionsQuery(Number(id)))] : [])];

/** Opened from the to-do list alone. */
const PlannedSections = lazy(async () => ({ default: (await loadPart(() => import('./PlannedSections.tsx'))).PlannedSections }));

export function TermsPage() {
  const { id } = useParams();
  const isPlanned = useSearchParams()[0].get('show') === 'planned';
  if (isPlanned && !id) return <Suspense fallback={<Spinner label="Loading sections..." />}><PlannedSections /></Suspense>;
  return id ? <TermView id={Number(id)} /> : <TermList />;
}
