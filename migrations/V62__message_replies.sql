-- Conversations with visitors: assignment, replies, notes, decisions, reply templates.

-- The staff member who handles it.
alter table contact_messages add column assignee_id integer references users (id);

-- The application that was made of it.
alter table contact_messages add column request_id integer references admission_requests (id) on delete set null;

create index contact_messages_assignee on contact_messages (assignee_id, created_at);
create index contact_messages_assignee_status on contact_messages (assignee_id, status, created_at);
create index contact_messages_request on contact_messages (request_id) where request_id is not null;

-- Message-ID of the email that it replies to.
alter table outbox add column in_reply_to text;

create table message_replies (
    id integer primary key,
    message_id integer not null references contact_messages (id) on delete cascade,
    -- Sent by the office, or an answer of the visitor entered by the office.
    kind text not null check (kind in ('reply', 'answer')),
    user_id integer not null references users (id),
    body text not null check (length(body) between 1 and 10000),
    at integer not null
) strict;

create index message_replies_message on message_replies (message_id, at);

create table message_notes (
    id integer primary key,
    message_id integer not null references contact_messages (id) on delete cascade,
    user_id integer not null references users (id),
    body text not null check (length(body) between 1 and 4000),
    created_at integer not null
) strict;

create index message_notes_message on message_notes (message_id, created_at);

-- Decisions of the office about messages; append-only while the message exists.
create table message_events (
    id integer primary key,
    message_id integer not null references contact_messages (id) on delete cascade,
    at integer not null,
    user_id integer not null references users (id),
    verb text not null check (verb in ('reply', 'answer', 'close', 'reopen', 'spam', 'not_spam', 'undo')),
    from_status text not null check (from_status in ('new', 'open', 'replied', 'closed', 'spam')),
    to_status text not null check (to_status in ('new', 'open', 'replied', 'closed', 'spam')),
    decision_id text references decisions (id),
    -- The reply or answer of the decision; its row is deleted when the decision is undone.
    reply_id integer,
    undoes_id integer references message_events (id)
) strict;

create index message_events_message on message_events (message_id, id);
create index message_events_decision on message_events (decision_id) where decision_id is not null;

create trigger message_events_are_never_edited before update on message_events
begin select raise(abort, 'message_events are append-only'); end;

create trigger message_events_are_never_shortened before delete on message_events
when exists (select 1 from contact_messages where id = old.message_id)
begin select raise(abort, 'message_events are append-only'); end;

create table reply_templates (
    id integer primary key,
    name text not null collate nocase unique check (length(name) between 1 and 100),
    subject text not null check (length(subject) between 1 and 150),
    -- With the placeholders {name}, {school} and {reference}.
    body text not null check (length(body) between 1 and 10000),
    language text not null default 'en' check (language in ('en', 'fr')),
    version integer not null default 1
) strict;
