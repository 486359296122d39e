// An account action without a form: shows its result and refetches the student.
import { useQueryClient } from '@tanstack/react-query';
import { failureWords } from '../api.ts';
import type { StudentRecord } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { type AccountVerb, actOnStudent } from './queries.ts';

const outcomes = {
  'resend-verification': 'New link sent',
  'send-password-link': 'Password link sent',
  'reset-second-factor': 'Second factor reset',
} satisfies Record<AccountVerb, string>;

export function useAccountAction({ id, email }: Pick<StudentRecord, 'id' | 'email'>) {
  const client = useQueryClient();
  const action = useAction({
    ...actOnStudent,
    onSuccess: async (_, { verb }) => {
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast(outcomes[verb], `To ${email}.`);
    },
    onError: (error) => showFailure('That did not work', failureWords(error, 'Please try again.')),
  });
  return (verb: AccountVerb) => action.run({ id, verb });
}
