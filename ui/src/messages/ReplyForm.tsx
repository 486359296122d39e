// Replies to a visitor in place: Ctrl+Enter sends. A colleague's reply that came first is shown before anything is sent.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent, KeyboardEvent, Ref } from 'react';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { MessageThread } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { replyToMessage, templatesQuery } from './queries.ts';

/** What is typed; the subject is that of a template. */
export type Draft = { body: string; subject: string | null };

type ReplyFormProps = {
  thread: MessageThread;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  box: Ref<HTMLTextAreaElement>;
  onSent: (thread: MessageThread, sent: Draft) => void;
  /** Called with the message as a colleague left it. */
  onConflict: (thread: MessageThread) => void;
};

export const noDraft: Draft = { body: '', subject: null };

export function ReplyForm({ thread, draft, onDraft, box, onSent, onConflict }: ReplyFormProps) {
  const templates = useQuery(templatesQuery);
  const sending = useMutation({
    mutationFn: (close: boolean) => replyToMessage(thread.id, { ...draft, close, expectedReplies: thread.replies.length }),
    onSuccess: (sent) => onSent(sent, draft),
    onError: (error) => {
      const current = error instanceof ApiError ? (error.current as MessageThread | null) : null;
      if (current) onConflict(current);
    },
  });

  function send(close: boolean) {
    if (draft.body.trim() !== '' && !sending.isPending) sending.mutate(close);
  }

  function sendByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send(event.shiftKey);
  }

  function insert(id: string) {
    const template = templates.data?.find((one) => String(one.id) === id);
    if (!template) return;
    const body = draft.body.trim() === '' ? template.body : `${draft.body.trimEnd()}\n\n${template.body}`;
    onDraft({ body, subject: template.subject });
  }

  return (
    <form
      className="ruled screen-only"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send(false);
      }}
    >
      <div className="field">
        <label htmlFor="reply">{`Reply to ${thread.name}`}</label>
        <p className="field-hint" id="reply-hint">{draft.subject ? `The email is titled “${draft.subject}” and quotes the message.` : 'The email quotes the message.'}</p>
        <textarea
          id="reply"
          ref={box}
          rows={5}
          maxLength={10000}
          dir="auto"
          aria-describedby="reply-hint"
          aria-keyshortcuts="r"
          value={draft.body}
          onChange={(event) => onDraft({ ...draft, body: event.target.value })}
          onKeyDown={sendByKey}
        />
      </div>
      {sending.isError && !isSignedOut(sending.error) && (
        <Notice kind="error"><p>{failureWords(sending.error, 'The reply could not be sent. Please try again.')}</p></Notice>
      )}
      <div className="cluster reply-acts">
        <button type="submit" className="button button-primary" aria-disabled={sending.isPending} title="Ctrl+Enter">{sending.isPending ? 'Sending...' : 'Send'}</button>
        <button type="button" className="button button-outline" aria-disabled={sending.isPending} title="Ctrl+Shift+Enter" onClick={() => send(true)}>Send and Close</button>
        {templates.data && templates.data.length > 0 && (
          <select className="filter-select" aria-label="Insert a template" value="" onChange={(event) => insert(event.target.value)}>
            <option value="">Template…</option>
            {templates.data.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
          </select>
        )}
      </div>
    </form>
  );
}
