// After a new login over the open page: the same user continues, another user starts over.
import type { QueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { skipQuestion } from '../components/useUnsavedChanges.tsx';
import { forgetPrivateData, type Portal, portals, signIn } from './session.ts';

type Person = { id: number };

export function useReturn(portal: Portal) {
  const navigate = useNavigate();

  return async (client: QueryClient, before: Person, now: Person) => {
    const { home, who } = portals[portal];
    if (now.id !== before.id) {
      client.setQueryData(who.queryKey as readonly unknown[], null);
      forgetPrivateData(client);
    }
    signIn(client, portal, now);
    if (now.id !== before.id) await navigate(home, { state: skipQuestion });
    // What failed meanwhile is asked for again.
    else await client.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  };
}
