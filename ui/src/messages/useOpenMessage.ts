// The message that is open beside the list, and where the focus goes when it opens and closes.
import { useEffect, useRef, useState } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { messageLinkId } from './MessageList.tsx';

export function useOpenMessage(id: number | null, listed: readonly ContactMessage[]) {
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

  const message = listed.find((one) => one.id === id) ?? (kept?.id === id ? kept : null);
  return { message, heading, keep };
}
