// Whether the weekday email about what waits is sent to one's own address.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { userQuery, useUser } from '../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../api.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { waitingQuery } from './officeState.ts';
import { setDigest } from './queries.ts';

/** Only for a role that can act on what waits, and while it is on. */
export function DigestCard() {
  const { email, digest, needsSecondFactor } = useUser();
  const client = useQueryClient();
  const waiting = useQuery({ ...waitingQuery, enabled: !needsSecondFactor });
  const setting = useMutation({
    ...setDigest,
    onSuccess: (user) => {
      client.setQueryData(userQuery.queryKey, user);
      showToast(user.digest ? 'Weekday email turned on' : 'Weekday email turned off');
    },
    onError: (error) => !isSignedOut(error) && showFailure('Nothing was changed', failureWords(error, 'Please try again.')),
  });
  if (!digest && !waiting.data?.length) return null;
  return (
    <section className="card" aria-labelledby="digest">
      <h2 id="digest">Weekday Email</h2>
      <label className="tick">
        <input type="checkbox" checked={setting.isPending ? setting.variables : digest} onChange={({ target }) => !setting.isPending && setting.mutate(target.checked)} />
        <span>Email me my to-do list on weekday mornings</span>
      </label>
      <p>Sent to <strong><bdi>{email}</bdi></strong> at 7:30 AM when something waits that you can act on: numbers and links, no names.</p>
    </section>
  );
}
