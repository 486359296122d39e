// Which tab of the students' login page is open, and the address that says so; and the account that was
// made there just now.
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';

export type AuthTab = 'login' | 'register';
type AuthView = { tab: AuthTab; isVerified: boolean; next: string | null };

export function useAuthView() {
  const [registered, setRegistered] = useRegistered();
  const [view, show] = useUrlView<AuthView>({ read, write }, { registered });
  return {
    view,
    registered,
    setRegistered,
    showTab: (tab: AuthTab, isKey = false) => show({ ...view, tab, isVerified: false }, isKey ? typing_pause_ms : 0),
  };
}

/** The address that was registered just now. The browser keeps it with the page, so that a reload still knows it. */
function useRegistered() {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const kept = (state as { registered?: string | null } | null)?.registered ?? null;
  const [registered, setRegistered] = useState(kept);
  useEffect(() => {
    if (kept === registered) return;
    void navigate({ search }, { replace: true, state: { registered }, preventScrollReset: true });
  }, [kept, registered, search, navigate]);

  return [registered, setRegistered] as const;
}

function read(parameters: URLSearchParams): AuthView {
  // Section 2: with verified=true the login tab is forced.
  const isVerified = parameters.get('verified') === 'true';
  const tab = parameters.get('tab') === 'register' && !isVerified ? 'register' : 'login';
  return { tab, isVerified, next: parameters.get('next') };
}

/** Where the person wanted to go stays in the address, whichever tab is open. */
function write({ tab, next }: AuthView): Record<string, string> {
  return { ...(tab === 'register' && { tab }), ...(next && { next }) };
}
