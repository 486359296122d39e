// The open tab of the student login page, and the email just registered there.
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

/** The email just registered, kept in the history state across reloads. */
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

/** Keeps the requested destination in the address of either tab. */
function write({ tab, next }: AuthView): Record<string, string> {
  return { ...(tab === 'register' && { tab }), ...(next && { next }) };
}
