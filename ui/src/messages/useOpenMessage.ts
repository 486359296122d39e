// The open message, and the focus when it opens and closes.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { messageLinkId } from './MessageList.tsx';
import { messageQuery } from './queries.ts';

/** `first`: the message shown while the address names none. `listed`: the page's rows; undefined while loading. */
export function useOpenMessage(id: number | null, first: number | null, listed: readonly ContactMessage[] | undefined) {
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

  const open = id ?? first;
  const near = listed?.find((one) => one.id === open) ?? (kept?.id === open ? kept : null);
  // The address may name a message on another page or outside the filter.
  const far = useQuery({ ...messageQuery(id ?? 0), enabled: id !== null && listed !== undefined && !near });
  return { message: near ?? (id === null ? null : far.data) ?? null, far, heading, keep };
}

/** Marks an opened message as read, once: marked as unread while it is open, it stays unread. */
export function useReadWhatIsOpen(message: ContactMessage | null, read: (message: ContactMessage) => void) {
  const opened = useRef<number | null>(null);
  useEffect(() => {
    if (opened.current === (message?.id ?? null)) return;
    opened.current = message?.id ?? null;
    if (message) read(message);
  });
}
