// The inbox of contact messages, newest first, with one open beside the list.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { useUser } from '../accounts/signedIn.ts';
import type { ContactMessage } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { RefreshButton } from '../components/RefreshButton.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { useKeys } from '../components/useKeys.ts';
import { useSelection } from '../components/useSelection.ts';
import { type Decision, useStableRows } from '../components/useStableRows.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { paths } from '../paths.ts';
import { MessageList, messageLinkId } from './MessageList.tsx';
import { MessageView } from './MessageView.tsx';
import { NoMessageOpen } from './NoMessageOpen.tsx';
import { assigneesQuery, messageQuery, messagesParameters, messagesQuery } from './queries.ts';
import type { Draft } from './ReplyForm.tsx';
import { useFirstNew } from './useFirstNew.ts';
import { useRead } from './useMark.ts';
import { useMessageActs } from './useMessageActs.ts';
import { filterOf, filterOptions, messageLink, readMessagesView, useMessagesView } from './useMessagesView.ts';
import { useOpenMessage, useReadWhatIsOpen } from './useOpenMessage.ts';
import '../components/Bulk.css';
import './messages.css';

export const prefetch: Prefetch = (client, parameters) => [client.prefetchQuery(messagesQuery(readMessagesView(parameters)))];

export function MessagesPage() {
  const { view, search, filter, turnTo, close } = useMessagesView();
  const { id: ownId, duties } = useUser();
  const mayAct = duties.includes('messages');
  const held = useStableRows({ options: messagesQuery(view), listKey: ['messages', 'all'], staleKeys: [['dashboard']], titleId: 'inbox', buttonId: messageLinkId });
  const { query: messages, decisions } = held;
  const rows = messages.data?.rows ?? [];
  const first = useFirstNew(view, messages.isPlaceholderData ? undefined : messages.data?.rows);
  const { message, far, heading, keep } = useOpenMessage(view.message, mayAct ? first.id : null, messages.data?.rows);
  const client = useQueryClient();
  const isNarrowed = view.status !== '' || view.assignee !== '';
  /** A row that is decided, or that its filter no longer finds, stays in place until the list is left. */
  function changed(now: ContactMessage, decision: Pick<Decision, 'undo'> | null) {
    keep(now);
    if (decision || isNarrowed) return held.keep({ [now.id]: { status: now.status, words: null, now, ...decision } });
    for (const queryKey of [['messages', 'all'], ['dashboard']]) void client.invalidateQueries({ queryKey });
  }
  function marked(now: ContactMessage) {
    void client.invalidateQueries({ queryKey: messageQuery(now.id).queryKey });
    changed(now, null);
  }
  const acts = useMessageActs({
    onChanged: changed,
    onUndone: (now) => {
      held.release([now.id]);
      held.amend(now.id, now);
      keep(now);
    },
  });
  const read = useRead(marked);
  useReadWhatIsOpen(view.message === null || !mayAct ? null : message, read);
  const { selection, chosen, clear } = useSelection(JSON.stringify({ ...view, message: null }), rows.filter(({ id }) => !decisions[id]));
  // Kept while other messages are open.
  const [drafts, setDrafts] = useState<Readonly<Record<number, Draft>>>({});
  const { question } = useUnsavedChanges(Object.values(drafts).some(({ body }) => body.trim() !== ''));
  const colleagues = useQuery({ ...assigneesQuery, enabled: mayAct }).data ?? [];

  function closeFirst() {
    flushSync(first.leave);
    if (message) document.getElementById(messageLinkId(message.id))?.focus();
  }
  function step(by: 1 | -1) {
    const place = rows.findIndex(({ id }) => id === message?.id);
    const next = rows[place === -1 ? 0 : place + by];
    if (next) document.getElementById(messageLinkId(next.id))?.click();
  }
  const { last } = acts;
  useKeys({ j: () => step(1), k: () => step(-1), u: last ? () => acts.undo(last) : undefined });

  const isFiltered = view.q.trim() !== '' || view.status !== '' || view.assignee !== '';
  const changeMany = (to: 'close' | 'spam') => acts.changeMany({ ids: chosen.map(({ id }) => id), to, onDone: clear });

  return (
    <>
      <PageHead
        eyebrow="Today"
        title="Messages"
        actions={<Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>}
      />
      <div className={message ? 'panes has-open' : 'panes'}>
        <ListCard
          titleId="inbox"
          title="Inbox"
          countText={(total) => (total === 1 ? '1 message' : `${total} messages`)}
          tools={
            <>
              <SearchBox label="Search messages..." value={view.q} onChange={search} />
              <FilterSelect
                label="Show"
                options={filterOptions(colleagues.length > 1 || view.assignee !== '')}
                value={filterOf(view)}
                onChange={(choice) => filter(choice, ownId)}
              />
              {duties.includes('exports') && <DownloadLink className="button button-outline" href={`/api/admin/messages${messagesParameters(view)}&format=csv`}>CSV</DownloadLink>}
            </>
          }
          query={messages}
          page={view.page}
          onTurn={turnTo}
          loading="Loading messages..."
          failed="Failed to load messages. Please try again later."
          empty={<NoMessages isFiltered={isFiltered} mayAct={mayAct} />}
        >
          {(listed) => (
            <>
              <MessageList
                messages={listed}
                open={message?.id ?? null}
                isOver={view.message === null}
                selection={mayAct ? selection : null}
                decisions={decisions}
                onUndo={(undo) => acts.undo({ words: '', undo, decidedAt: undo.decidedAt })}
                linkTo={(id) => messageLink(view, id)}
                onOpen={(next) => {
                  // An automatically opened message counts as read once the user moves on.
                  if (message && message.id !== next.id && mayAct) read(message);
                  first.leave();
                  keep(next);
                }}
              />
              <RefreshButton titleId="inbox" label="Show the next ones" decidedCount={held.decidedCount} onShow={held.showNext} />
            </>
          )}
        </ListCard>
        {message && (
          <MessageView
            key={message.id}
            message={message}
            heading={heading}
            acts={acts}
            draft={drafts[message.id]}
            onDraft={(draft) => setDrafts((before) => ({ ...before, [message.id]: draft }))}
            onMarked={marked}
            onClose={view.message === null ? closeFirst : close}
          />
        )}
        {!message && messages.isSuccess && (view.message !== null || messages.data.total > 0) && (
          <NoMessageOpen wanted={view.message === null ? null : far} />
        )}
      </div>
      {chosen.length > 0 ? (
        <div className="floats cluster bulk-bar" role="group" aria-label="Bulk actions">
          <p role="status"><strong>{`${chosen.length} selected`}</strong></p>
          <button type="button" className="button button-primary" onClick={() => changeMany('close')}>Close</button>
          <button type="button" className="button button-outline" onClick={() => changeMany('spam')}>Mark as Spam</button>
          <button type="button" className="button button-quiet" onClick={clear}>Clear</button>
        </div>
      ) : last && (
        <div className="floats cluster bulk-bar" role="group" aria-label="Last decision">
          <p role="status">{last.words}</p>
          <button type="button" className="button button-outline" onClick={() => acts.undo(last)}>Undo <kbd aria-hidden="true">U</kbd></button>
        </div>
      )}
      {question}
    </>
  );
}

function NoMessages({ isFiltered, mayAct }: { isFiltered: boolean; mayAct: boolean }) {
  return isFiltered ? (
    <EmptyState icon="search" title="No messages found">
      <p>No messages match your search. Try different keywords or show all messages.</p>
    </EmptyState>
  ) : (
    <EmptyState icon="mail" title="No messages yet">
      <p>{mayAct ? 'What visitors send through the contact form arrives here.' : 'Messages that a colleague assigns to you appear here.'}</p>
    </EmptyState>
  );
}
