-- Staff are managed in the browser: who somebody is, when they were last here, and a number that grows
-- with each change, so that nobody writes over what a colleague wrote meanwhile.
alter table users add column full_name text check (length(full_name) between 2 and 100);
alter table users add column last_login_at integer;
alter table users add column version integer not null default 1;

-- Links do a second thing: confirm the address to which an account moves.
alter table staff_tokens add column purpose text not null default 'reset_password'
    check (purpose in ('reset_password', 'change_email'));
-- The address whose mailbox the link proves; null: the account's.
alter table staff_tokens add column email text collate nocase;

-- Who was asked to join the office. The row stays when its link is dead, so that the page behind the link
-- can say why. Only the SHA-256 of the link's secret is kept.
create table staff_invitations (
    id integer primary key,
    token_hash blob not null unique check (length(token_hash) = 32),
    email text not null collate nocase,
    full_name text not null check (length(full_name) between 2 and 100),
    role text not null check (role in ('admin', 'registrar', 'bursar', 'viewer')),
    invited_by integer not null references users (id),
    created_at integer not null,
    sent_at integer not null,
    expires_at integer not null,
    withdrawn_at integer,
    accepted_at integer,
    check (withdrawn_at is null or accepted_at is null)
) strict;

create unique index staff_invitations_open on staff_invitations (email)
    where withdrawn_at is null and accepted_at is null;
create index staff_invitations_expiry on staff_invitations (expires_at) where accepted_at is null;

-- Who asked for a link to a new password. The request is all that is written before the answer, so that the
-- answer and its time are the same whether the name has an account or not.
create table staff_requests (
    id integer primary key,
    username text not null collate nocase,
    created_at integer not null
) strict;

create index staff_requests_created on staff_requests (created_at);
