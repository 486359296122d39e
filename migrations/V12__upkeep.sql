-- What the school does for itself at night (a backup, a drill, a check), and how it went: one row per task.
create table upkeep (
    task text primary key,
    -- When the task began to be due: a school that was never backed up has no other date to count from.
    since integer not null,
    tried_at integer,
    succeeded_at integer,
    -- Why the last try failed; null after one that succeeded.
    failure text,
    -- What a person is shown of the last success: file, size, counts.
    detail text not null default '{}' check (json_valid(detail)),
    -- When the admins were last told of a failure.
    alerted_at integer
) strict, without rowid;
