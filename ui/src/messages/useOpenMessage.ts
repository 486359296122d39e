// The message that is open beside the list, and where the focus goes when it opens and closes.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { messageLinkId } from './MessageList.tsx';
import { messageQuery } from './queries.ts';

/** `listed`: the rows of the page that is shown; none while they are on their way. */
export function useOpenMessage(id: number | null, listed: readonly ContactMessage[] | undefined) {
  // It stays in sight when it leaves the list, as a new one does by being marked as read.
  const [kept, keep] = useState<ContactMessage | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(id);
  useEffect(() => {
    const before = shown.current;
    shown.current = id;
    if (before === id) return;
    if (id !== null) heading.current?.focus();
    // Only when the focus went down with the message; a search that closed it keeps its own.
    else if (before !== null && document.activeElement === document.body) document.getElementById(messageLinkId(before))?.focus();
  }, [id]);

  const near = listed?.find((one) => one.id === id) ?? (kept?.id === id ? kept : null);
  // An address may name a message of another page of the list, or one that the filter leaves out.
  const far = useQuery({ ...messageQuery(id ?? 0), enabled: id !== null && listed !== undefined && !near });
  return { message: near ?? (id !== null && far.data) ?? null, far, heading, keep };
}
