// Terms: the list, and one term with its sections.
import { useParams } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { sectionsQuery, termsQuery } from './queries.ts';
import { TermList } from './TermList.tsx';
import { TermView } from './TermView.tsx';

export const prefetch: Prefetch = (client, _, { id }) => [client.prefetchQuery(termsQuery), ...(id ? [client.prefetchQuery(sectionsQuery(Number(id)))] : [])];

export function TermsPage() {
  const { id } = useParams();
  return id ? <TermView id={Number(id)} /> : <TermList />;
}
