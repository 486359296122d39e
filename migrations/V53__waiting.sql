-- What waits for the office, and since when.

-- When a document's file was found to be lost; of those lost before this migration only the upload is known.
alter table student_documents add column fault_at integer;
update student_documents set fault_at = uploaded_at where fault is not null;

-- An undelivered email that the office has settled in another way: it rang, or the address is no longer used.
-- Sending it again clears this.
alter table outbox add column settled_at integer;
create index outbox_unsettled on outbox (created_at) where state = 'dead' and settled_at is null;

-- The one row of the dashboard: the day (the school's) on which the office was last told by email what waits, and
-- when an administrator hid the first steps.
create table dashboard (
    id integer primary key check (id = 1),
    told_on text,
    steps_hidden_at integer
) strict;
