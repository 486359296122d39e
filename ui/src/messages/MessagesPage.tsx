// The inbox of contact messages, newest first, with one open beside the list.
import { useQuery } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { paths } from '../paths.ts';
import { MessageList, messageLinkId } from './MessageList.tsx';
import { MessageView } from './MessageView.tsx';
import { NoMessageOpen } from './NoMessageOpen.tsx';
import { messagesQuery } from './queries.ts';
import { useFirstNew } from './useFirstNew.ts';
import { useRead } from './useMark.ts';
import { messageLink, readMessagesView, statusOptions, useMessagesView } from './useMessagesView.ts';
import { useOpenMessage, useReadWhatIsOpen } from './useOpenMessage.ts';
import './messages.css';

export const prefetch: Prefetch = (client, parameters) => [client.prefetchQuery(messagesQuery(readMessagesView(parameters)))];

export function MessagesPage() {
  const { view, search, filter, turnTo, close } = useMessagesView();
  const messages = useQuery(messagesQuery(view));
  const first = useFirstNew(view, messages.isPlaceholderData ? undefined : messages.data?.rows);
  const { message, far, heading, keep } = useOpenMessage(view.message, first.id, messages.data?.rows);
  const read = useRead(keep);
  useReadWhatIsOpen(view.message === null ? null : message, read);
  function closeFirst() {
    flushSync(first.leave);
    if (message) document.getElementById(messageLinkId(message.id))?.focus();
  }

  const isFiltered = view.q.trim() !== '' || view.status !== '';

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
              <FilterSelect label="Show" options={statusOptions} value={view.status} onChange={filter} />
            </>
          }
          query={messages}
          page={view.page}
          onTurn={turnTo}
          loading="Loading messages..."
          failed="Failed to load messages. Please try again later."
          empty={<NoMessages isFiltered={isFiltered} />}
        >
          {(rows) => (
            <MessageList
              messages={rows}
              open={message?.id ?? null}
              isOver={view.message === null}
              linkTo={(id) => messageLink(view, id)}
              onOpen={(next) => {
                // An automatically opened message counts as read once the user moves on.
                if (message && message.id !== next.id) read(message);
                first.leave();
                keep(next);
              }}
            />
          )}
        </ListCard>
        {message && (
          <MessageView
            key={message.id}
            message={message}
            heading={heading}
            onMarked={keep}
            onReply={() => read(message)}
            onClose={view.message === null ? closeFirst : close}
          />
        )}
        {!message && messages.isSuccess && (view.message !== null || messages.data.total > 0) && (
          <NoMessageOpen wanted={view.message === null ? null : far} />
        )}
      </div>
    </>
  );
}

function NoMessages({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon="search" title="No messages found">
      <p>No messages match your search. Try different keywords or show all messages.</p>
    </EmptyState>
  ) : (
    <EmptyState icon="mail" title="No messages yet">
      <p>What visitors send through the contact form arrives here.</p>
    </EmptyState>
  );
}
