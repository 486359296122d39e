// The frame of a portal: a header, the page, the notifications, and what happens when the
// session ends by itself or in another tab.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { ScrollRestoration, useNavigate } from 'react-router';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import type { Elements } from '../components/elements.ts';
import { LoadingBar } from '../components/LoadingBar.tsx';
import { NoIndex } from '../components/NoIndex.tsx';
import { scrollKey } from '../components/scrollKey.ts';
import { Toaster } from '../components/Toaster.tsx';
import { skipQuestion } from '../components/useUnsavedChanges.tsx';
import { useSchool } from '../school/queries.ts';
import { useArrival } from '../website/useArrival.ts';
import { loadSignedIn, forgetPrivateData, onOtherTab, type Portal, portals } from './session.ts';
import { reportEnd, useHasSessionEnded } from './sessionEnd.ts';
import { useOldBrowserReport } from './useOldBrowserReport.ts';
import './PortalLayout.css';

type PortalLayoutProps = {
  portal: Portal;
  header: Elements;
  /** Beside the page, where there is room. */
  aside?: Elements;
  /** The login form shown over the page after the session has ended. */
  logIn: Elements;
  children: Elements;
};

export function PortalLayout({ portal, header, aside, logIn, children }: PortalLayoutProps) {
  const hasEnded = useHasSessionEnded();
  const leave = useLeavePortal(portal);
  useArrival(useSchool());
  useOtherTabs(portal, leave);
  useOldBrowserReport(portal);

  return (
    <>
      <NoIndex />
      <a className="skip-link" href="#main">Skip to the content</a>
      {header}
      <div className={aside ? 'wrap portal portal-with-aside' : 'wrap portal'}>
        {aside}
        <main id="main" tabIndex={-1}>
          <LoadingBar />
          {children}
        </main>
      </div>
      <Toaster />
      {hasEnded && logIn && <SessionEnded logIn={logIn} onLeave={() => void leave()} />}
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}

function SessionEnded({ logIn, onLeave }: { logIn: Elements; onLeave: () => void }) {
  const [isAsking, setIsAsking] = useState(false);

  return (
    <Dialog title="Please log in again" onClose={() => setIsAsking(true)}>
      <p>Your session has ended. Log in to continue where you were. Nothing you typed is lost.</p>
      {logIn}
      {isAsking && (
        <ConfirmDialog
          title="Leave without logging in?"
          confirmLabel="Leave"
          cancelLabel="Stay"
          isDangerous
          onConfirm={onLeave}
          onClose={() => setIsAsking(false)}
        >
          <p>Anything you have entered and not saved will be lost.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
}

/** Clears all private data and goes to the login page, which redirects a signed-in user. */
export function useLeavePortal(portal: Portal) {
  const client = useQueryClient();
  const navigate = useNavigate();

  return useCallback(async () => {
    // From here until the next page the layout renders nothing private.
    client.setQueryData(portals[portal].who.queryKey, null);
    await navigate(portals[portal].login, { state: skipQuestion });
    reportEnd(false);
    forgetPrivateData(client);
  }, [client, navigate, portal]);
}

/** Reloads the signed-in user when another tab reports a change, and when the browser
 * restores a page from its back/forward cache.
 */
function useOtherTabs(portal: Portal, leave: () => Promise<void>) {
  const client = useQueryClient();

  useEffect(() => {
    const look = async () => {
      const { queryKey } = portals[portal].who;
      const before = client.getQueryData<{ id: number } | null>(queryKey);
      const now = await loadSignedIn(client, portal).catch(() => before);
      if (!now || now.id !== before?.id) await leave();
      else reportEnd(false);
    };
    const lookAtReturn = (event: PageTransitionEvent) => event.persisted && void look();
    const unsubscribe = onOtherTab(portal, () => void look());
    window.addEventListener('pageshow', lookAtReturn);
    return () => {
      unsubscribe();
      window.removeEventListener('pageshow', lookAtReturn);
    };
  }, [client, portal, leave]);
}
