// A message in full: sender, text and actions.
import type { RefObject } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import type { ContactMessage } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { Icon } from '../components/Icon.tsx';
import { PhoneNumber } from '../components/PhoneNumber.tsx';
import { SidePane } from '../components/SidePane.tsx';
import { momentText } from '../dates.ts';
import { mailLink } from '../school/links.ts';
import { useSchool } from '../school/queries.ts';
import { MarkButton } from './MarkButton.tsx';
import { linkPieces, replyLink, subjectLabel } from './message.ts';
import { MessageBadge } from './MessageBadge.tsx';
import './messages.css';

type MessageViewProps = {
  message: ContactMessage;
  /** Takes the focus when a message is opened. */
  heading: RefObject<HTMLHeadingElement | null>;
  onMarked: (message: ContactMessage) => void;
  /** Called before the mail program opens. */
  onReply: () => void;
  onClose: () => void;
};

export function MessageView({ message, heading, onMarked, onReply, onClose }: MessageViewProps) {
  const { timeZone } = useSchool();
  // Answered and closed messages cannot be marked.
  const isMarkable = message.status === 'new' || message.status === 'open';
  const mayMark = useUser().duties.includes('messages') && isMarkable;

  return (
    <SidePane eyebrow={subjectLabel(message.subject)} title={message.name} heading={heading} onClose={onClose}>
      <p className="cluster muted">
        <time dateTime={message.createdAt}>{momentText(message.createdAt, timeZone)}</time>
        <MessageBadge status={message.status} />
      </p>
      <div className="cluster">
        <a className="button button-primary" href={replyLink(message)} onClick={onReply}><Icon name="mail" /> Reply by Email</a>
        {mayMark && <MarkButton message={message} onMarked={onMarked} />}
      </div>
      {message.status === 'new' && (
        <p className="fine-print">
          {mayMark ? 'Still new: it counts as read when you reply, mark it, or open another message.' : 'New: a colleague who answers messages marks it as read.'}
        </p>
      )}
      <dl className="grid">
        <div><dt>Email</dt><dd><a href={mailLink(message.email)}><EmailAddress address={message.email} /></a></dd></div>
        <div><dt>Phone</dt><dd>{message.phone ? <PhoneNumber number={message.phone} /> : 'Not provided'}</dd></div>
      </dl>
      <p className="written message-text" dir="auto"><Linked text={message.message} /></p>
    </SidePane>
  );
}

/** A visitor's text with links; linked sites get no referrer. */
function Linked({ text }: { text: string }) {
  return linkPieces(text).map((piece, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text have nothing but their places
    <span key={at}>{at % 2 === 1 ? <a href={piece} target="_blank" rel="noopener nofollow noreferrer">{piece}</a> : piece}</span>
  ));
}

