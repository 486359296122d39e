-- Failed guesses and asked-for links, so that a restart forgets none. Accounts and addresses are kept
-- as keyed hashes: the table names nobody.
create table attempts (
    key blob primary key check (length(key) = 16),
    failures integer not null check (failures > 0),
    -- Milliseconds since 1970, unlike elsewhere: budgets refill within seconds.
    until integer not null,
    forget_at integer not null
) strict, without rowid;

create index attempts_forget on attempts (forget_at);

-- What this school made up for itself on its first start: the key of the hashes above and of the
-- cookies by which it knows a device again.
create table secrets (
    name text primary key,
    value blob not null check (length(value) = 32)
) strict, without rowid;
