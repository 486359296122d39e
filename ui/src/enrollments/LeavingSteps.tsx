// What leaving a course costs until which day, as the school's refund policy says.
import { useQuery } from '@tanstack/react-query';
import { Spinner } from '../components/Spinner.tsx';
import type { components } from '../openapi.ts';
import { leavingQuery, quoteQuery, type QuoteRequest } from './leaving.ts';

export function LeavingSteps({ id, portal = 'students' }: { id: number; portal?: 'students' | 'admin' }) {
  const { data, isPending, isError } = useQuery(leavingQuery(portal, id));
  if (isPending) return <Spinner label="Loading what leaving costs..." />;
  if (isError) return <p className="muted">What leaving costs could not be loaded. Please ask the office.</p>;
  if (data.policy === null) return <p className="muted">The school has no refund policy for this course: the office decides what leaving costs.</p>;
  if (data.steps.length === 0) return <p className="muted">Nothing was charged for this course, so leaving costs nothing.</p>;
  return <Steps steps={data.steps} />;
}

/** The same of a course before it is asked for; nothing while its price or its days are not known. */
export function QuotedSteps({ wanted }: { wanted: QuoteRequest }) {
  const { data } = useQuery(quoteQuery(wanted));
  if (!data || data.steps.length === 0) return null;
  return <><dt>Leaving the course</dt><dd><Steps steps={data.steps} /></dd></>;
}

const Steps = ({ steps }: { steps: components['schemas']['LeavingStep'][] }) => <ul className="rows">{steps.map(({ words }) => <li key={words}>{words}</li>)}</ul>;
