// Documents that the office does not ask of a student after all: each with why, and a way to ask again.
import { useQueryClient } from '@tanstack/react-query';
import { deleteJson, failureWords, isSignedOut } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';

/** A line for each document that was waived. */
export function Waivers({ file: { student, waivers } }: { file: StudentFile }) {
  const client = useQueryClient();
  const asking = useAction<void, number>({
    mutationFn: (requirement) => deleteJson(`/api/admin/students/${student.id}/waivers/${requirement}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast('The document is asked for again');
    },
    onError: (error) => !isSignedOut(error) && showFailure('That did not work', failureWords(error, 'Please try again.')),
  });
  return (
    <ul className="bare">
      {waivers?.map(({ requirementId, label, reason, by }) => (
        <li className="row" key={requirementId}>
          <p><strong>{label}</strong><span>{': not needed. '}</span><span dir="auto">{reason}</span><span className="muted">{` (${by})`}</span></p>
          <button type="button" className="button button-quiet" onClick={() => asking.run(requirementId)}>Ask for It Again</button>
        </li>
      ))}
    </ul>
  );
}
