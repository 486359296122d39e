// The messages of one page, each a link that opens it beside the list.
import { Link } from 'react-router';
import type { ContactMessage } from '../api-types.ts';
import type { Selection } from '../components/Table.tsx';
import type { Decision } from '../components/useStableRows.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { MessageBadge } from './MessageBadge.tsx';
import { answerAge, subjectLabel } from './message.ts';
import { overList } from './useMessagesView.ts';
import { useUndoTime } from './useUndoTime.ts';
import './messages.css';

type MessageListProps = {
  messages: readonly ContactMessage[];
  open: number | null;
  /** Whether Back from a message leads to this list. */
  isOver: boolean;
  /** Absent for readers who decide nothing. */
  selection: Selection | null;
  /** Decided rows, greyed in place until the list is left. */
  decisions: Readonly<Record<number, Decision<ContactMessage>>>;
  onUndo: (undo: Undoable) => void;
  linkTo: (id: number) => string;
  /** Called before the link is followed. */
  onOpen: (message: ContactMessage) => void;
};

export function MessageList({ messages, open, isOver, selection, decisions, onUndo, linkTo, onOpen }: MessageListProps) {
  return (
    <ul className="message-list">
      {messages.map((message) => (
        <li key={message.id} className={message.id in decisions ? 'is-done' : undefined}>
          {selection && (
            <input
              type="checkbox"
              aria-label={`Select the message from ${message.name}`}
              checked={selection.has(message.id)}
              disabled={message.id in decisions}
              onChange={() => selection.toggle(message.id)}
            />
          )}
          <MessageLink
            message={message}
            isOpen={message.id === open}
            to={linkTo(message.id)}
            state={isOver ? overList : null}
            onOpen={onOpen}
          />
          {decisions[message.id]?.undo && <RowUndo name={message.name} undo={decisions[message.id]?.undo ?? null} onUndo={onUndo} />}
        </li>
      ))}
    </ul>
  );
}

export type Undoable = NonNullable<Decision['undo']>;

function RowUndo({ name, undo, onUndo }: { name: string; undo: Undoable | null; onUndo: (undo: Undoable) => void }) {
  const isUndoable = useUndoTime(undo, undo?.decidedAt ?? null);
  return isUndoable && undo && <button type="button" className="button button-quiet" aria-label={`Undo: ${name}`} onClick={() => onUndo(undo)}>Undo</button>;
}

/** Id of a message's link, which takes the focus back. */
export function messageLinkId(id: number): string {
  return `message-${id}`;
}

type MessageLinkProps = {
  message: ContactMessage;
  isOpen: boolean;
  to: string;
  state: typeof overList | null;
  onOpen: (message: ContactMessage) => void;
};

function MessageLink({ message, isOpen, to, state, onOpen }: MessageLinkProps) {
  const { timeZone } = useSchool();

  return (
    <Link
      id={messageLinkId(message.id)}
      className={message.status === 'new' ? 'is-new' : undefined}
      to={to}
      state={state}
      preventScrollReset
      aria-current={isOpen || undefined}
      onClick={() => onOpen(message)}
    >
      <span className="clamp" dir="auto">{message.name}</span>
      <time dateTime={message.createdAt}>{momentText(message.createdAt, timeZone)}</time>
      <span>
        <span>{[subjectLabel(message.subject), answerAge(message), message.assignee].filter(Boolean).join(' · ')}</span>
        <MessageBadge status={message.status} />
      </span>
      <span className="clamp" dir="auto">{message.message}</span>
    </Link>
  );
}
