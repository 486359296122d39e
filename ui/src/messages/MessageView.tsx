// One message in full: who wrote it and how to reach them, the text, and what can be done.
import type { RefObject } from 'react';
import type { ContactMessage } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { momentText } from '../dates.ts';
import { mailLink, telephoneLink } from '../school/links.ts';
import { useSchool } from '../school/queries.ts';
import { useUser } from '../staff/useUser.ts';
import { MarkButton } from './MarkButton.tsx';
import { replyLink, subjectLabel } from './message.ts';

type MessageViewProps = {
  message: ContactMessage;
  /** Takes the focus when a message is opened. */
  heading: RefObject<HTMLHeadingElement | null>;
  onMarked: (message: ContactMessage) => void;
  onClose: () => void;
};

export function MessageView({ message, heading, onMarked, onClose }: MessageViewProps) {
  const { timeZone } = useSchool();
  // An answered or closed message is past being read.
  const isMarkable = ['new', 'open'].includes(message.status);
  const mayMark = useUser().duties.includes('messages') && isMarkable;

  return (
    <article className="card message-view" aria-labelledby="open-message">
      <button type="button" className="message-close" onClick={onClose}>
        <Icon name="arrow" /><Icon name="close" /> <span>Back to the List</span>
      </button>
      <p className="eyebrow">{subjectLabel(message.subject)}</p>
      <h2 id="open-message" ref={heading} tabIndex={-1} dir="auto">{message.name}</h2>
      <p className="message-when">
        <time dateTime={message.createdAt}>{momentText(message.createdAt, timeZone)}</time>
        {message.status === 'new' && <span className="badge badge-brass">new</span>}
      </p>
      <div className="actions">
        <a className="button button-primary" href={replyLink(message)}><Icon name="mail" /> Reply by Email</a>
        {mayMark && <MarkButton message={message} onMarked={onMarked} />}
      </div>
      <dl className="facts">
        <div><dt>Email</dt><dd><a href={mailLink(message.email)}>{message.email}</a></dd></div>
        <div><dt>Phone</dt><dd><Phone number={message.phone} /></dd></div>
      </dl>
      <p className="written" dir="auto">{message.message}</p>
    </article>
  );
}

/** What was typed as a number may be none. */
function Phone({ number }: { number: string | null }) {
  if (!number) return 'Not provided';
  return /\d/.test(number) ? <a href={telephoneLink(number)}>{number}</a> : number;
}
