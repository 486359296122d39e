// The list of open invitations.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { failureWords, isSignedOut } from '../api.ts';
import type { StaffInvitation } from '../api-types.ts';
import { ActionMenu } from '../components/ActionMenu.tsx';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { answerInvitation, colleaguesKey, invitationsQuery } from './queries.ts';
import { roleTitle } from './roles.ts';

const titleId = 'invitations';
/** Heading of the list below (StaffPage), which stays when no invitation is left. */
const accountsId = 'staff-accounts';

export function Invitations() {
  const { data = [], dataUpdatedAt } = useQuery(invitationsQuery);
  if (data.length === 0) return null;
  return (
    <section className="card" aria-labelledby={titleId}>
      <h2 id={titleId} tabIndex={-1}>Invited</h2>
      <ul className="rows bare">
        {data.map((invitation) => <Invitation key={invitation.id} invitation={invitation} now_ms={dataUpdatedAt} />)}
      </ul>
    </section>
  );
}

function Invitation({ invitation, now_ms }: { invitation: StaffInvitation; now_ms: number }) {
  const client = useQueryClient();
  const { timeZone } = useSchool();
  const [isAsking, setIsAsking] = useState(false);
  const { id, fullName, email, role, invitedBy, expiresAt } = invitation;

  /** Moves the focus from a removed row to the heading of the remaining list. */
  async function refresh() {
    await client.invalidateQueries({ queryKey: colleaguesKey });
    const left = client.getQueryData(invitationsQuery.queryKey) ?? [];
    if (left.some((one) => one.id === id)) return;
    // The closing dialog returns the focus to a button that disappears; move it afterwards.
    flushSync(() => setIsAsking(false));
    document.getElementById(left.length > 0 ? titleId : accountsId)?.focus();
  }
  const action = useAction({
    ...answerInvitation,
    onSuccess: async (_, { verb }) => {
      await refresh();
      setIsAsking(false);
      showToast(verb === 'resend' ? 'Invitation sent again' : 'Invitation withdrawn', verb === 'resend' ? `To ${email}. The earlier link no longer works.` : null);
    },
    onError: (error) => {
      if (isSignedOut(error)) return;
      showFailure('That did not work', failureWords(error, 'Please try again.'));
      void refresh();
    },
  });
  const isExpired = Date.parse(expiresAt) <= now_ms;
  return (
    <li className="row">
      <div>
        <p><strong dir="auto">{fullName}</strong><span>{` · ${roleTitle(role)}`}</span>{isExpired && <> <span className="badge tone-yellow">expired</span></>}</p>
        <p className="fine-print"><bdi>{email}</bdi> · by <bdi>{invitedBy}</bdi><span>{` · ${isExpired ? 'expired' : 'works until'} ${momentText(expiresAt, timeZone)}`}</span></p>
      </div>
      <ActionMenu
        label={`Actions for the invitation of ${fullName}`}
        isCompact
        items={[
          { label: 'Send Again', onPress: () => action.run({ id, verb: 'resend' }) },
          { label: 'Withdraw...', onPress: () => setIsAsking(true), isDangerous: true },
        ]}
      />
      {isAsking && (
        <ConfirmDialog
          title={`Withdraw the invitation of ${fullName}?`}
          confirmLabel="Withdraw"
          pendingLabel="Withdrawing..."
          isPending={action.isPending}
          isDangerous
          onConfirm={() => action.run({ id, verb: 'withdraw' })}
          onClose={() => setIsAsking(false)}
        >
          <p>The link stops working at once. You can invite <bdi>{email}</bdi> again at any time.</p>
        </ConfirmDialog>
      )}
    </li>
  );
}
