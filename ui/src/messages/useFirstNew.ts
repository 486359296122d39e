// The first new message opens by itself where there is room for it beside the list: once, when the inbox is opened.
import { useState } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { useMedia, wide } from '../components/useMedia.ts';
import type { MessagesView } from './useMessagesView.ts';

type First = { view: string; id: number | null };

/** `listed`: the rows of the page that is shown; none while they are on their way. */
export function useFirstNew(view: MessagesView, listed: readonly ContactMessage[] | undefined) {
  const isWide = useMedia(wide);
  const [first, setFirst] = useState<First | null>(null);
  const current = JSON.stringify(view);
  if (!first && view.message !== null) setFirst({ view: current, id: null });
  else if (!first && listed) setFirst({ view: current, id: firstNew(view, listed) });
  return {
    id: isWide && first?.view === current ? first.id : null,
    /** From now on a person chooses. */
    leave: () => setFirst({ view: current, id: null }),
  };
}

/** Not where something is searched for. */
export function firstNew({ q, message }: MessagesView, listed: readonly ContactMessage[]): number | null {
  if (q.trim() !== '' || message !== null) return null;
  return listed.find(({ status }) => status === 'new')?.id ?? null;
}
