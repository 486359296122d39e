// Which tab of the students' door is open, and the address that says so.
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';

export type AuthTab = 'login' | 'register';
type AuthView = { tab: AuthTab; isVerified: boolean; next: string | null };

export function useAuthView() {
  const [view, show] = useUrlView<AuthView>({ read, write });
  return {
    view,
    showTab: (tab: AuthTab, isKey = false) => show({ ...view, tab, isVerified: false }, isKey ? typing_pause_ms : 0),
  };
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
