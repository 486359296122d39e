-- Links to a new password for the people of the office, made by `reset-password` on the command line.
-- Only the SHA-256 of a token is kept: a leaked database opens no account.
create table staff_tokens (
    token_hash blob primary key check (length(token_hash) = 32),
    user_id integer not null references users (id) on delete cascade,
    created_at integer not null,
    expires_at integer not null
) strict, without rowid;

create index staff_tokens_user on staff_tokens (user_id);
