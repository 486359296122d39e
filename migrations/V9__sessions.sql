-- Who is signed in. The cookie's value is never stored, only its SHA-256: a leaked database is no
-- collection of hijacked sessions.
create table sessions (
    id_hash blob primary key check (length(id_hash) = 32),
    -- Which door: students and staff are kept apart.
    kind text not null check (kind in ('student', 'staff')),
    -- The student's or the user's id.
    subject_id integer not null,
    data text not null,
    created_at integer not null,
    last_seen_at integer not null,
    expires_at integer not null
) strict, without rowid;

create index sessions_subject on sessions (kind, subject_id);
create index sessions_expiry on sessions (expires_at);
