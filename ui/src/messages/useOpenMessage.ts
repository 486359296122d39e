// The open message, and the focus when it opens and closes.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { messageLinkId } from './MessageList.tsx';
import { messageQuery } from './queries.ts';

/** `listed`: the page's rows; undefined while loading. */
export function useOpenMessage(id: number | null, listed: readonly ContactMessage[] | undefined) {
  // Keep it open when it leaves the list, as by being marked as read.
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
  // The address may name a message on another page or outside the filter.
  const far = useQuery({ ...messageQuery(id ?? 0), enabled: id !== null && listed !== undefined && !near });
  return { message: near ?? (id !== null && far.data) ?? null, far, heading, keep };
}
