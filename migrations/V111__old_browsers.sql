-- When a signed-in browser last had other time-zone rules than the school's, for the doctor. It names no account.
create table old_browsers (
    portal text not null primary key check (portal in ('student', 'staff')),
    seen_on text not null
) strict, without rowid;
