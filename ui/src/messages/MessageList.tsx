// The messages of one page, each a link that opens it beside the list.
import type { MouseEvent } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { subjectLabel } from './message.ts';

type MessageListProps = {
  messages: readonly ContactMessage[];
  open: number | null;
  linkTo: (id: number) => string;
  onOpen: (message: ContactMessage) => void;
};

export function MessageList({ messages, open, linkTo, onOpen }: MessageListProps) {
  return (
    <ul className="message-list">
      {messages.map((message) => (
        <li key={message.id}>
          <MessageLink message={message} isOpen={message.id === open} href={linkTo(message.id)} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

/** The id of a message's link, where the focus returns to. */
export function messageLinkId(id: number): string {
  return `message-${id}`;
}

type MessageLinkProps = {
  message: ContactMessage;
  isOpen: boolean;
  href: string;
  onOpen: (message: ContactMessage) => void;
};

function MessageLink({ message, isOpen, href, onOpen }: MessageLinkProps) {
  const { timeZone } = useSchool();
  const isNew = message.status === 'new';

  function openHere(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(message);
  }

  return (
    <a
      id={messageLinkId(message.id)}
      className={isNew ? 'message-link is-new' : 'message-link'}
      href={href}
      aria-current={isOpen || undefined}
      onClick={openHere}
    >
      <span className="message-who" dir="auto">{message.name}</span>
      <time dateTime={message.createdAt}>{momentText(message.createdAt, timeZone)}</time>
      <span className="message-subject">
        {subjectLabel(message.subject)}
        {isNew && <span className="badge badge-brass">new</span>}
      </span>
      <span className="message-start" dir="auto">{message.message}</span>
    </a>
  );
}
