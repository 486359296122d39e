-- A second factor of the office's accounts: codes that an authenticator app makes of a shared secret (TOTP,
-- RFC 6238). The secret itself is needed to check a code, so that no hash can stand in for it.
create table staff_totp (
    user_id integer primary key references users (id) on delete cascade,
    secret blob not null check (length(secret) = 20),
    created_at integer not null,
    -- When a first code of the app proved it; until then it counts for nothing.
    confirmed_at integer,
    -- The step of 30 seconds whose code was taken last: it and those before it are worth nothing any more.
    last_step integer not null default 0
) strict;

-- What lets somebody in without their app, each once. Only the SHA-256 of a code is kept, which has 120 bits.
create table staff_recovery_codes (
    code_hash blob primary key check (length(code_hash) = 32),
    user_id integer not null references users (id) on delete cascade,
    used_at integer
) strict, without rowid;

create index staff_recovery_codes_user on staff_recovery_codes (user_id);
