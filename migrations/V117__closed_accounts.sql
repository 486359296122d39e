-- The decision that closed an account, and the state to which undoing it gives the account back. What else it ended is
-- among the events of the enrollments.
create table account_closings (
    decision_id text primary key references decisions (id),
    student_id integer not null references students (id) on delete cascade,
    -- The state of the account before.
    before text not null check (before in ('unverified', 'active', 'suspended', 'closed'))
) strict, without rowid;
create index account_closings_student on account_closings (student_id);
