// Holds a record back from deletion for a reason, until it is released: a dispute, an audit, a court order.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { holdProposal, privacyKey } from './queries.ts';

export function HoldDialog({ id, about, onClose }: { id: number; about: string; onClose: () => void }) {
  const client = useQueryClient();
  const holding = useMutation(holdProposal);
  return (
    <ReasonDialog
      title="Keep This Record"
      intro={<p><bdi>{about}</bdi> is kept, whatever its age, until you release it.</p>}
      idPrefix="hold"
      rows={3}
      wanted="Please say why it is kept"
      submitLabel="Hold"
      failed="It could not be held. Please try again."
      send={async (reason) => {
        await holding.mutateAsync({ id, reason });
        await client.invalidateQueries({ queryKey: privacyKey });
        showToast('Hold placed', 'The record is kept until you release it.');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
