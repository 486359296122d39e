create table contact_messages (
    id integer primary key,
    name text not null,
    email text not null collate nocase,
    phone text,
    subject text not null check (subject in ('admission', 'courses', 'general', 'other')),
    message text not null,
    status text not null default 'new' check (status in ('new', 'open', 'replied', 'closed', 'spam')),
    created_at integer not null
) strict;

create index contact_messages_status on contact_messages (status, created_at);
