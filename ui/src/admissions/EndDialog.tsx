// A family declines the offer, or withdraws its application.
import { useState } from 'react';
import { failureWords } from '../api.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Field } from '../components/Field.tsx';
import { Notice } from '../components/Notice.tsx';
import { useAction } from '../components/useAction.ts';
import { declineOffer, withdrawApplication } from './ownQueries.ts';
import type { OwnApplication } from './wire.ts';

type EndDialogProps = { token: string; verb: 'decline' | 'withdraw'; onChanged: (now: OwnApplication) => void; onClose: () => void };

const words = {
  decline: { title: 'Decline the offer?', label: 'Decline the Offer', pending: 'Declining...', text: 'The place goes to another student.' },
  withdraw: { title: 'Withdraw the application?', label: 'Withdraw', pending: 'Withdrawing...', text: 'The office stops working on it. You can apply again at any time.' },
} as const;

export function EndDialog({ token, verb, onChanged, onClose }: EndDialogProps) {
  const [reason, setReason] = useState('');
  const { title, label, pending, text } = words[verb];
  const ending = useAction<OwnApplication>({
    mutationFn: () => (verb === 'decline' ? declineOffer : withdrawApplication)(token, reason.trim()),
    onSuccess: (now) => {
      onChanged(now);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={label}
      pendingLabel={pending}
      isPending={ending.isPending}
      isDangerous
      onConfirm={() => ending.run()}
      onClose={() => !ending.isPending && onClose()}
    >
      <p>{text}</p>
      <Field id="end-reason" label="Your reason (optional)" error={undefined}>
        {(control) => <textarea {...control} rows={3} maxLength={1000} dir="auto" value={reason} onChange={(event) => setReason(event.target.value)} />}
      </Field>
      {ending.isError && <Notice kind="error"><p>{failureWords(ending.error, 'That did not work. Please try again in a moment.')}</p></Notice>}
    </ConfirmDialog>
  );
}
