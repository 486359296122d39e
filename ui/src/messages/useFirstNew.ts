// Opens the first new message automatically on wide screens, once per visit.
import { useState } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { useMedia, wide } from '../components/useMedia.ts';
import type { MessagesView } from './useMessagesView.ts';

type First = { view: string; id: number | null };

/** `listed`: the page's rows; undefined while loading. */
export function useFirstNew(view: MessagesView, listed: readonly ContactMessage[] | undefined) {
  const isWide = useMedia(wide);
  const [first, setFirst] = useState<First | null>(null);
  const current = JSON.stringify(view);
  if (!first && view.message !== null) setFirst({ view: current, id: null });
  else if (!first && listed) setFirst({ view: current, id: firstNew(view, listed) });
  return {
    id: isWide && first?.view === current ? first.id : null,
    /** Ends the automatic opening. */
    leave: () => setFirst({ view: current, id: null }),
  };
}

/** The message to open; null during a search. */
export function firstNew({ q, message }: MessagesView, listed: readonly ContactMessage[]): number | null {
  if (q.trim() !== '' || message !== null) return null;
  return listed.find(({ status }) => status === 'new')?.id ?? null;
}
