// A message in full: sender, text, what followed, the office's decisions and the reply.
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { ContactMessage, MessageThread } from '../api-types.ts';
import { ActionMenu, type MenuItem } from '../components/ActionMenu.tsx';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { PhoneNumber } from '../components/PhoneNumber.tsx';
import { SidePane } from '../components/SidePane.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { useKeys } from '../components/useKeys.ts';
import { momentText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { Assignee } from './Assignee.tsx';
import { Conversation } from './Conversation.tsx';
import { MarkButton } from './MarkButton.tsx';
import { linkPieces, replyLink, subjectLabel } from './message.ts';
import { MessageBadge } from './MessageBadge.tsx';
import { assigneesQuery, type MessageChange, messageQuery, type TextKind } from './queries.ts';
import { type Draft, noDraft, ReplyForm } from './ReplyForm.tsx';
import type { MessageActs } from './useMessageActs.ts';
import './messages.css';

type MessageViewProps = {
  message: ContactMessage;
  /** Takes the focus when a message is opened. */
  heading: RefObject<HTMLHeadingElement | null>;
  acts: MessageActs;
  draft: Draft | undefined;
  onDraft: (draft: Draft) => void;
  onMarked: (message: ContactMessage) => void;
  onClose: () => void;
};

export function MessageView({ message, heading, acts, draft = noDraft, onDraft, onMarked, onClose }: MessageViewProps) {
  const { id, name, status } = message;
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const mayAct = duties.includes('messages');
  const navigate = useNavigate();
  const thread = useQuery(messageQuery(id));
  const studentId = thread.data?.studentId ?? null;
  const requestId = thread.data?.requestId ?? null;
  const colleagues = useQuery({ ...assigneesQuery, enabled: mayAct }).data ?? [];
  const box = useRef<HTMLTextAreaElement>(null);
  const texts = useDialogPart(() => import('./TextDialog.tsx'));
  const [kind, setKind] = useState<TextKind>('notes');
  const templates = useDialogPart(() => import('./TemplatesDialog.tsx'));
  const isMarkable = status === 'new' || status === 'open';
  const isReplyable = mayAct && status !== 'spam';

  const change = (to: MessageChange) => acts.change({ message, to });
  function write(next: TextKind) {
    setKind(next);
    texts.open();
  }
  const reply = () => {
    box.current?.focus({ preventScroll: true });
    box.current?.form?.scrollIntoView({ block: 'nearest' });
  };
  function sent(replied: MessageThread, typed: Draft) {
    onDraft(noDraft);
    // The keys of the page work again.
    heading.current?.focus({ preventScroll: true });
    acts.settle(replied, `Reply to ${name} sent`, () => onDraft(typed));
  }
  const close = status === 'closed' ? () => change('reopen') : status === 'spam' ? undefined : () => change('close');
  useKeys(mayAct ? { r: isReplyable ? reply : undefined, c: close, n: () => write('notes') } : {});

  const more: MenuItem[] = [
    ...(isReplyable ? [{ label: 'They Answered…', onPress: () => write('answers') }] : []),
    { label: 'Add a Note…', onPress: () => write('notes') },
    ...(duties.includes('enrollments') && thread.data && requestId === null ? [{ label: 'Make It an Application…', onPress: () => void navigate(officePaths.requestFrom(id)) }] : []),
    ...(status === 'spam' ? [] : [{ label: 'Mark as Spam', onPress: () => change('spam'), isDangerous: true }]),
    { label: 'Reply Templates…', onPress: templates.open },
  ];

  return (
    <SidePane eyebrow={subjectLabel(message.subject)} title={name} heading={heading} onClose={onClose}>
      <p className="cluster muted">
        <time dateTime={message.createdAt}>{momentText(message.createdAt, timeZone)}</time>
        <span>{message.reference}</span>
        <MessageBadge status={status} />
      </p>
      {mayAct && (
        <div className="cluster screen-only">
          {isReplyable && <button type="button" className="button button-primary" aria-keyshortcuts="r" onClick={reply}>Reply <kbd aria-hidden="true">R</kbd></button>}
          {status === 'spam' && <button type="button" className="button button-primary" onClick={() => change('not-spam')}>Not Spam</button>}
          {isMarkable && <MarkButton message={message} onMarked={onMarked} />}
          {close && <button type="button" className="button button-outline" aria-keyshortcuts="c" onClick={close}><span>{status === 'closed' ? 'Reopen ' : 'Close '}</span><kbd aria-hidden="true">C</kbd></button>}
          <ActionMenu label="More" items={more} />
        </div>
      )}
      {status === 'new' && (
        <p className="fine-print">
          {mayAct ? 'Still new: it counts as read when you reply, mark it, or open another message.' : 'New: a colleague who answers messages marks it as read.'}
        </p>
      )}
      <dl className="grid">
        <div><dt>Email</dt><dd><a href={replyLink(message)}><EmailAddress address={message.email} /></a></dd></div>
        <div><dt>Phone</dt><dd>{message.phone ? <PhoneNumber number={message.phone} /> : 'Not provided'}</dd></div>
        {studentId !== null && (
          <div><dt>Student</dt><dd><Link to={officePaths.student(studentId)}>{thread.data?.studentNumber ?? 'With this address'}</Link></dd></div>
        )}
        {requestId !== null && <div><dt>Application</dt><dd><Link to={officePaths.request(requestId)}>Open the application</Link></dd></div>}
        <Assignee assignee={assigneeOf(message)} colleagues={colleagues} onAssign={(userId) => acts.assign({ id, userId })} />
      </dl>
      <p className="written message-text" dir="auto"><Linked text={message.message} /></p>
      {thread.isError && <LoadFailed words="Failed to load the replies. Please try again later." query={thread} heading={heading} />}
      {thread.data && <Conversation thread={thread.data} />}
      {thread.data && isReplyable && (
        <ReplyForm thread={thread.data} draft={draft} onDraft={onDraft} box={box} onSent={sent} onConflict={acts.take} />
      )}
      {texts.part && (
        <texts.part.TextDialog
          id={id}
          kind={kind}
          onSaved={(saved) => acts.settle(saved, kind === 'notes' ? 'Note saved' : `Answer of ${name} saved`)}
          onClose={texts.close}
        />
      )}
      {templates.part && <templates.part.TemplatesDialog onClose={templates.close} />}
    </SidePane>
  );
}

const assigneeOf = ({ assigneeId: id, assignee: username }: ContactMessage) => (id !== null && username !== null ? { id, username } : null);

/** A visitor's text with links; linked sites get no referrer. */
function Linked({ text }: { text: string }) {
  return linkPieces(text).map((piece, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- the pieces of a text have nothing but their places
    <span key={at}>{at % 2 === 1 ? <a href={piece} target="_blank" rel="noopener nofollow noreferrer">{piece}</a> : piece}</span>
  ));
}
