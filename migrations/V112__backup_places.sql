-- Where archives went: one row for each folder.
create table backup_places (
    -- The folder, with links resolved; '-' for archives that were sent through a pipe.
    folder text primary key,
    -- Whether it was on another file system than the data and the system.
    is_separate integer not null check (is_separate in (0, 1)),
    last_at integer not null
) strict, without rowid;
