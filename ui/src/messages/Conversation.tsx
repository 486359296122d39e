// What followed a message: the office's replies, the visitor's answers and notes, oldest first.
import type { MessageThread } from '../api-types.ts';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { conversation } from './message.ts';

export function Conversation({ thread }: { thread: MessageThread }) {
  const { timeZone } = useSchool();
  const entries = conversation(thread);
  return entries.length > 0 && (
    <ol className="conversation" aria-label="Conversation">
      {entries.map(({ key, kind, title, body, at }) => (
        <li key={key} className={`is-${kind}`}>
          <p className="muted"><span dir="auto">{title}</span><span>{' · '}</span><time dateTime={at}>{momentText(at, timeZone)}</time></p>
          <p className="written">{body}</p>
        </li>
      ))}
    </ol>
  );
}
