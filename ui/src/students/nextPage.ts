// The page of the portal that a visitor wanted, kept through registration, verification and login.
import { useLocation } from 'react-router';
import { destination } from '../accounts/session.ts';
import { paths } from '../paths.ts';

/** As a field of a request; nothing if no page was wanted. */
export function useNextPage(): { next?: string } {
  const { search } = useLocation();
  return new URLSearchParams(search).has('next') ? { next: destination('student', search) } : {};
}

/** The login after a verification. */
export function useVerifiedLogin(): string {
  const next = useNextPage();
  return next.next ? `${paths.studentVerified}&${new URLSearchParams(next)}` : paths.studentVerified;
}
