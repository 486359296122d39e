// From 18 on: whether the guardians keep the family page.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { Guardian } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { familyPageQuery, keepFamilyPage } from './queries.ts';

/** Only for a student of age with a guardian who can be written to. */
export function FamilyPageChoice({ guardians }: { guardians: readonly Guardian[] }) {
  const client = useQueryClient();
  const { data } = useQuery({ ...familyPageQuery, enabled: guardians.some(({ email, stoppedAt }) => email && stoppedAt === null) });
  const keeping = useMutation({
    ...keepFamilyPage,
    onSuccess: (now) => {
      client.setQueryData(familyPageQuery.queryKey, now);
      showToast(now.isKept ? 'Family page kept' : 'Family page ended');
    },
    onError: (error) => !isSignedOut(error) && showFailure('Nothing was changed', failureWords(error, 'Please try again.')),
  });
  if (!data?.isOfAge) return null;
  return (
    <label className="tick">
      <input type="checkbox" checked={keeping.isPending ? keeping.variables : data.isKept} onChange={({ target }) => !keeping.isPending && keeping.mutate(target.checked)} />
      <span> My parents or guardians keep the family page now that I am 18: my courses, which documents are missing, fees owing, and copies of emails.</span>
    </label>
  );
}
