// Decisions about messages, with one undo for the last of them.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { ContactMessage, MessageThread, Undo } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { assignMessage, changeMessage, changeMessages, type MessageChange, messageQuery, undoDecision } from './queries.ts';

/** The last decision, while it can be undone; `onUndone` restores what was typed. */
export type LastDecision = { words: string; undo: Undo; decidedAt: string; onUndone?: (() => void) | undefined };

const done = { close: 'closed', reopen: 'reopened', spam: 'marked as spam', 'not-spam': 'moved out of spam' } satisfies Record<MessageChange, string>;

type Shown = {
  /** Keeps a message open and its row in place, with the undo of a decision. */
  onChanged: (message: ContactMessage, decision: { undo: (Undo & { decidedAt: string }) | null } | null) => void;
  /** The row is undecided again. */
  onUndone: (message: ContactMessage) => void;
};

export function useMessageActs({ onChanged, onUndone: onRestored }: Shown) {
  const client = useQueryClient();
  const [last, setLast] = useState<LastDecision | null>(null);
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(null), Date.parse(last.undo.until) - Date.parse(last.decidedAt));
    return () => clearTimeout(timer);
  }, [last]);

  function take(thread: MessageThread) {
    client.setQueryData(messageQuery(thread.id).queryKey, thread);
    onChanged(thread, null);
  }

  /** Shows a decided message, and offers its undo. */
  function settle(thread: MessageThread, words: string, onUndone?: () => void) {
    client.setQueryData(messageQuery(thread.id).queryKey, thread);
    const { undo, decidedAt } = thread;
    onChanged(thread, { undo: undo && decidedAt ? { ...undo, decidedAt } : null });
    offer(words, undo, decidedAt, onUndone);
  }

  function offer(words: string, undo: Undo | null | undefined, decidedAt: string | null | undefined, onUndone?: () => void) {
    setLast(undo && decidedAt ? { words, undo, decidedAt, onUndone } : null);
    if (!undo) showToast(words);
  }

  /** Shows the message as a colleague left it. */
  function refuse(error: Error, title: string) {
    if (isSignedOut(error)) return;
    const current = error instanceof ApiError ? (error.current as MessageThread | null) : null;
    if (current) take(current);
    showFailure(title, failureWords(error, 'Please try again.'));
  }

  const changing = useAction<MessageThread, { message: ContactMessage; to: MessageChange }>({
    mutationFn: ({ message, to }) => changeMessage(message.id, to),
    onSuccess: (thread, { to }) => settle(thread, `Message from ${thread.name} ${done[to]}`),
    onError: (error) => refuse(error, 'The message was not changed'),
  });
  const assigning = useAction<MessageThread, { id: number; userId: number | null }>({
    mutationFn: ({ id, userId }) => assignMessage(id, userId),
    onSuccess: (thread) => {
      take(thread);
      showToast(thread.assignee ? `Assigned to ${thread.assignee}` : 'Assigned to no one');
    },
    onError: (error) => refuse(error, 'The message was not assigned'),
  });
  const changingMany = useAction<Awaited<ReturnType<typeof changeMessages>>, { ids: number[]; to: 'close' | 'spam'; onDone: () => void }>({
    mutationFn: ({ ids, to }) => changeMessages(ids, to),
    onSuccess: ({ results, undo }, { to, onDone }) => {
      onDone();
      const rows = results.flatMap(({ row }) => row ?? []);
      for (const row of rows) {
        void client.invalidateQueries({ queryKey: messageQuery(row.id).queryKey });
        // One undo for all of them.
        onChanged(row, { undo: null });
      }
      const failed = results.find(({ ok }) => !ok);
      if (rows.length > 0) offer(`${rows.length === 1 ? '1 message' : `${rows.length} messages`} ${done[to]}`, undo, rows.find((row) => row.decidedAt)?.decidedAt);
      if (failed) showFailure(`${results.length - rows.length} not ${done[to]}`, failed.message ?? '');
    },
    onError: (error) => refuse(error, 'The messages were not changed'),
  });
  const undoing = useAction<Awaited<ReturnType<typeof undoDecision>>, LastDecision>({
    mutationFn: ({ undo }) => undoDecision(undo.id),
    onSuccess: ({ restored }, { onUndone }) => {
      setLast(null);
      for (const thread of restored as MessageThread[]) {
        client.setQueryData(messageQuery(thread.id).queryKey, thread);
        onRestored(thread);
      }
      onUndone?.();
      showToast('Undone', 'All is as it was before.');
    },
    onError: (error) => refuse(error, 'It could not be undone'),
  });

  return { last, settle, take, change: changing.run, assign: assigning.run, changeMany: changingMany.run, undo: undoing.run };
}

export type MessageActs = ReturnType<typeof useMessageActs>;
