// Disables a colleague's account, and hands over the work in the same act.
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { StaffRow } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { HandOver } from './HandOver.tsx';
import { colleaguesKey, disableColleague } from './queries.ts';
import { nameOf } from './words.ts';

export function DisableDialog({ row, onClose }: { row: StaffRow; onClose: () => void }) {
  const client = useQueryClient();
  const [to, setTo] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const disabling = useAction({
    mutationFn: () => disableColleague(row, to),
    onSuccess: async () => {
      await Promise.all([colleaguesKey, ['messages'], ['admissions']].map((queryKey) => client.invalidateQueries({ queryKey })));
      showToast('The account is disabled', null);
      onClose();
    },
    onError: (failure) => {
      const wrong = failure instanceof ApiError ? failure.fields.handOverTo : undefined;
      setError(wrong);
      if (failure instanceof ApiError && failure.status === 409) void client.invalidateQueries({ queryKey: colleaguesKey });
      if (!wrong && !isSignedOut(failure)) showFailure('Nothing was changed', failureWords(failure, 'Please try again.'));
    },
  });
  return (
    <ConfirmDialog
      title={`Disable ${nameOf(row)}?`}
      confirmLabel="Disable Account"
      pendingLabel="Disabling..."
      isPending={disabling.isPending}
      isDangerous
      onConfirm={() => disabling.run()}
      onClose={onClose}
    >
      <p>The account is logged out everywhere at once, links to a new password stop working, and it cannot be used until you enable it again. What was done with it stays on record.</p>
      <HandOver row={row} to={to} error={error} onChoose={setTo} />
    </ConfirmDialog>
  );
}
