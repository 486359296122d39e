// What the refund policy proposes when a student leaves a course on a day, step by step.
import { useQuery } from '@tanstack/react-query';
import { ApiError, failureWords } from '../../api.ts';
import type { RefundProposal } from '../../api-types.ts';
import { Spinner } from '../../components/Spinner.tsx';
import { proposalQuery } from '../leaving.ts';

type ProposalProps = { enrollmentId: number; effectiveOn: string; noticeOn?: string | null; onUse?: (proposal: RefundProposal) => void };

export function Proposal({ enrollmentId, effectiveOn, noticeOn = null, onUse }: ProposalProps) {
  const { data, error, isPending } = useQuery(proposalQuery(enrollmentId, effectiveOn, noticeOn));
  if (!effectiveOn) return null;
  if (isPending) return <Spinner label="Asking the refund policy..." />;
  if (error) return <p className="muted">{error instanceof ApiError && error.reason === 'no_policy' ? 'There is no refund policy for this request: decide the amounts by hand.' : failureWords(error, 'The refund policy could not be asked.')}</p>;
  return (
    <>
      <ol className="prose fine-print">{data.arithmetic.map((step) => <li key={step}>{step}</li>)}</ol>
      {onUse && <p><button type="button" className="button button-outline" onClick={() => onUse(data)}>Use These Amounts</button></p>}
    </>
  );
}
