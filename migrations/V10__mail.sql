-- Letters to send. A row is written in the transaction of the change it reports, so that neither
-- exists without the other; a worker delivers it afterwards.
create table outbox (
    id integer primary key,
    -- Drawn when the letter is written and never again: a repeated delivery is recognisable by it.
    message_id text not null unique,
    recipient text not null,
    reply_to text,
    subject text not null,
    -- Emptied once sent: the links in a letter are secrets. A dead letter keeps its text, so that
    -- the office can send it again.
    text_body text,
    html_body text,
    state text not null default 'queued' check (state in ('queued', 'sent', 'dead')),
    -- Attempts begun. An attempt is counted, and the next one scheduled, before it is made.
    attempts integer not null default 0 check (attempts >= 0),
    next_attempt_at integer not null,
    -- Why the last attempt failed, without anybody's address.
    last_error text,
    created_at integer not null,
    sent_at integer,
    check ((state = 'sent') = (sent_at is not null)),
    check ((state = 'sent') = (text_body is null)),
    check ((state = 'sent') = (html_body is null))
) strict;

-- The worker asks for what is due; sent letters pile up and must not slow it down.
create index outbox_queue on outbox (next_attempt_at) where state = 'queued';

-- The office is shown what could not be delivered.
create index outbox_dead on outbox (created_at) where state = 'dead';
