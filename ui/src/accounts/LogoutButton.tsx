// Ends the session in one portal, here and in every other tab.
import type { UseMutationOptions } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { failureWords } from '../api.ts';
import { Icon } from '../components/Icon.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useLeavePortal } from './PortalLayout.tsx';
import { notifyOtherTabs, type Portal, portals } from './session.ts';

type LogoutButtonProps = {
  portal: Portal;
  logOut: UseMutationOptions<void>;
  /** Section 8's words; the student's toast has a title only. */
  title: string;
  description?: string;
};

export function LogoutButton({ portal, logOut, title, description }: LogoutButtonProps) {
  const leave = useLeavePortal(portal);
  const loggingOut = useAction({
    ...logOut,
    onSuccess: async () => {
      notifyOtherTabs(portal);
      await leave();
      showToast(title, description);
    },
    onError: (error) => showFailure('Logout failed', failureWords(error, 'You are still logged in. Please try again.')),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    loggingOut.run();
  }

  return (
    <>
      {/* Works without scripts too. */}
      <form id="log-out" method="post" action={portals[portal].logout} hidden onSubmit={submit} />
      <button type="submit" form="log-out" className="button button-outline" aria-disabled={loggingOut.isPending}>
        <Icon name="logout" /> <span>{loggingOut.isPending ? 'Logging out...' : 'Logout'}</span>
      </button>
    </>
  );
}
