// The button that reminds a student's guardians to confirm a request.
import { useQueryClient } from '@tanstack/react-query';
import { failureWords } from '../api.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { remindGuardians } from './queries.ts';

export function RemindGuardians({ id }: { id: number }) {
  const client = useQueryClient();
  const sending = useAction({
    mutationFn: () => remindGuardians([id]),
    onSuccess: ({ results: [result] }) => {
      void client.invalidateQueries({ queryKey: recordsKey });
      if (result?.ok) showToast('The guardians are reminded', 'By email, once a day.');
      else showFailure('No reminder was sent', result?.message ?? 'Please try again.');
    },
    onError: (error) => showFailure('No reminder was sent', failureWords(error, 'Please try again.')),
  });
  return (
    <button type="button" className="button button-outline" aria-disabled={sending.isPending} onClick={() => sending.run()}>
      {sending.isPending ? 'Reminding...' : 'Remind'}
    </button>
  );
}
