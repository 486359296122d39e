// Ends the session at one door, here and in every other tab.
import type { UseMutationOptions } from '@tanstack/react-query';
import { failureWords } from '../api.ts';
import { type Door, tellOtherTabs } from '../session.ts';
import { Icon } from './Icon.tsx';
import { useLeave } from './PortalLayout.tsx';
import { showFailure, showToast } from './toasts.ts';
import { useAction } from './useAction.ts';

type LogoutButtonProps = {
  door: Door;
  logOut: UseMutationOptions<void>;
  /** Section 8's words; the student's toast has a title only. */
  title: string;
  description?: string;
};

export function LogoutButton({ door, logOut, title, description }: LogoutButtonProps) {
  const leave = useLeave(door);
  const loggingOut = useAction({
    ...logOut,
    onSuccess: async () => {
      tellOtherTabs(door);
      await leave();
      showToast(title, description);
    },
    onError: (error) => showFailure('Logout failed', failureWords(error, 'You are still logged in. Please try again.')),
  });

  return (
    <button
      type="button"
      className="button button-outline"
      aria-disabled={loggingOut.isPending}
      onClick={() => loggingOut.run()}
    >
      <Icon name="logout" /> <span>{loggingOut.isPending ? 'Logging out...' : 'Logout'}</span>
    </button>
  );
}
