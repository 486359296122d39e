-- The people of the office. No row exists until `create-admin` makes one: there is no default account.
-- Instants are whole seconds since 1970 (UTC) everywhere; calendar dates are text, YYYY-MM-DD.
create table users (
    id integer primary key,
    username text not null collate nocase unique check (length(username) between 1 and 64),
    password_hash text not null,
    email text not null collate nocase,
    role text not null default 'admin' check (role in ('admin', 'registrar', 'bursar', 'viewer')),
    created_at integer not null,
    disabled_at integer
) strict;

-- What staff did and which documents they looked at. Rows are only ever added.
create table audit (
    id integer primary key,
    at integer not null,
    -- Null: the command line or the program itself, named in `actor`.
    user_id integer references users (id),
    actor text not null,
    action text not null,
    object text not null,
    object_id integer,
    detail text not null default '{}' check (json_valid(detail))
) strict;

create index audit_object on audit (object, object_id);

create trigger audit_is_never_edited before update on audit
begin select raise(abort, 'the audit trail is append-only'); end;

create trigger audit_is_never_shortened before delete on audit
begin select raise(abort, 'the audit trail is append-only'); end;
