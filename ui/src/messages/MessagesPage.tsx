// The inbox of contact messages, newest first, with one open beside the list.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Prefetch } from '../accounts/guards.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { ListCard } from '../components/ListCard.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { paths } from '../paths.ts';
import { MessageList } from './MessageList.tsx';
import { MessageView } from './MessageView.tsx';
import { NoMessageOpen } from './NoMessageOpen.tsx';
import { messagesQuery } from './queries.ts';
import { messageLink, readMessagesView, statusOptions, useMessagesView } from './useMessagesView.ts';
import { useOpenMessage } from './useOpenMessage.ts';
import './messages.css';

export const prefetch: Prefetch = (client, parameters) => [client.prefetchQuery(messagesQuery(readMessagesView(parameters)))];

export function MessagesPage() {
  const { view, search, filter, turnTo, close } = useMessagesView();
  const messages = useQuery(messagesQuery(view));
  const { message, far, heading, keep } = useOpenMessage(view.message, messages.data?.rows);
  const isFiltered = view.q.trim() !== '' || view.status !== '';

  return (
    <>
      <PageHead
        eyebrow="Today"
        title="Messages"
        actions={<Link className="button button-outline" to={paths.adminDashboard}>Back to Dashboard</Link>}
      />
      <div className={message ? 'inbox has-open' : 'inbox'}>
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
              open={view.message}
              linkTo={(id) => messageLink(view, id)}
              onOpen={keep}
            />
          )}
        </ListCard>
        {message && <MessageView key={message.id} message={message} heading={heading} onMarked={keep} onClose={close} />}
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
