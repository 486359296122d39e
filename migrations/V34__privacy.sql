-- The privacy desk: what people agreed to, what they ask for, how long what is kept, and what went wrong.

-- Which text somebody agreed to, and when. A row is added and never changed: whoever takes consent back adds
-- one that says so. It goes with what it belongs to: an account that nobody verified, a visitor's message.
create table consents (
    id integer primary key,
    student_id integer references students (id) on delete cascade,
    message_id integer references contact_messages (id) on delete cascade,
    -- The request for a course that was made under these terms.
    enrollment_id integer references enrollments (id),
    kind text not null check (kind in ('privacy', 'terms', 'enrollment')),
    -- As ui/texts.json has it.
    text_version text not null,
    is_given integer not null check (is_given in (0, 1)),
    at integer not null,
    check ((student_id is null) <> (message_id is null)),
    check ((kind = 'enrollment') = (enrollment_id is not null))
) strict;

create index consents_student on consents (student_id, at) where student_id is not null;
create index consents_message on consents (message_id) where message_id is not null;
create index consents_enrollment on consents (enrollment_id) where enrollment_id is not null;

create trigger consents_are_never_edited before update on consents
begin select raise(abort, 'consents are append-only'); end;

create trigger consents_are_never_shortened before delete on consents
when exists (select 1 from students where id = old.student_id)
    or exists (select 1 from contact_messages where id = old.message_id)
begin select raise(abort, 'consents are append-only'); end;

-- What somebody asks about what the school holds of them. The law gives 30 days (PIPEDA, section 8(3)).
create table privacy_requests (
    id integer primary key,
    student_id integer not null references students (id),
    asked_by text not null check (asked_by in ('student', 'guardian')),
    kind text not null check (kind in ('access', 'correction', 'deletion', 'consent_withdrawal')),
    -- In the words of whoever asks.
    details text check (length(details) <= 2000),
    received_on text not null check (received_on is date(received_on)),
    due_on text not null check (due_on is date(due_on)),
    status text not null default 'open' check (status in ('open', 'withdrawn', 'granted', 'refused')),
    created_at integer not null,
    -- Who of the office noted it, where it came by telephone or on paper.
    created_by integer references users (id),
    decided_at integer,
    decided_by integer references users (id),
    -- What the person is told.
    decision text,
    check ((status = 'open') = (decided_at is null)),
    check ((status in ('granted', 'refused')) = (decided_by is not null)),
    check (status <> 'refused' or decision is not null)
) strict;

create unique index privacy_requests_open on privacy_requests (student_id, kind) where status = 'open';
create index privacy_requests_student on privacy_requests (student_id, created_at);
create index privacy_requests_due on privacy_requests (status, due_on, id);

-- How long what is kept, and what happens then: the newest row of a class that is in force counts.
create table retention (
    id integer primary key,
    class text not null check (class in
        ('marks', 'ledger', 'documents', 'profile', 'messages', 'admission_requests', 'breaches')),
    -- Null: for good.
    years integer check (years between 0 and 100),
    since text not null check (since in ('left_on', 'received_on')),
    action text not null check (action in ('keep', 'delete_file', 'blank', 'delete')),
    in_force_from text not null check (in_force_from is date(in_force_from)),
    reason text not null,
    created_by integer references users (id),
    created_at integer not null,
    check ((action = 'keep') = (class in ('marks', 'ledger')))
) strict;

create index retention_class on retention (class, in_force_from, id);

create trigger retention_is_never_edited before update on retention
begin select raise(abort, 'the rules of retention are append-only'); end;

create trigger retention_is_never_shortened before delete on retention
begin select raise(abort, 'the rules of retention are append-only'); end;

insert into retention (class, years, since, action, in_force_from, reason, created_at) values
    ('marks', 55, 'left_on', 'keep', '2023-06-01',
        'The Ontario Student Record guideline keeps what a student earned for 55 years after they leave', 0),
    ('ledger', 7, 'left_on', 'keep', '2023-06-01',
        'Tax law asks for six years after the year; the ledger is kept whole', 0),
    ('documents', 5, 'left_on', 'delete_file', '2023-06-01',
        'The Ontario Student Record guideline keeps what a report rests on for five years', 0),
    ('profile', 5, 'left_on', 'blank', '2023-06-01',
        'Address, telephone and parents are of no use five years after a student left; the name stays with the marks', 0),
    ('messages', 2, 'received_on', 'delete', '2023-06-01',
        'A question that was answered is of no use after two years', 0),
    ('admission_requests', 2, 'received_on', 'delete', '2023-06-01',
        'A family that did not come is forgotten after two years', 0),
    ('breaches', 2, 'received_on', 'delete', '2023-06-01',
        'Records of a breach are kept for at least 24 months (SOR/2018-64, section 6)', 0);

-- What has been kept long enough, as the night found it. Nothing is deleted before an admin confirms.
create table retention_proposals (
    id integer primary key,
    class text not null check (class in
        ('marks', 'ledger', 'documents', 'profile', 'messages', 'admission_requests', 'breaches')),
    -- Number of the student, the document, the message, the request or the breach.
    object_id integer not null,
    student_id integer references students (id) on delete cascade,
    due_on text not null check (due_on is date(due_on)),
    -- Whether the student asked for it, which was granted.
    is_asked integer not null default 0 check (is_asked in (0, 1)),
    proposed_at integer not null,
    -- A legal hold: kept after all, until it is released.
    held_at integer,
    held_by integer references users (id),
    held_reason text check (length(held_reason) between 3 and 500),
    unique (class, object_id),
    check ((held_at is null) = (held_by is null)),
    check ((held_at is null) = (held_reason is null))
) strict;

create index retention_proposals_student on retention_proposals (student_id) where student_id is not null;

-- What went wrong: kept for 24 months at least.
create table breaches (
    id integer primary key,
    happened_on text check (happened_on is date(happened_on)),
    discovered_on text not null check (discovered_on is date(discovered_on)),
    what text not null check (length(what) between 10 and 4000),
    affected text not null check (length(affected) between 1 and 1000),
    affected_count integer check (affected_count between 0 and 1000000),
    -- Whether there is a real risk of significant harm, and why (PIPEDA, section 10.1).
    risk text not null check (risk in ('not_assessed', 'low', 'significant')),
    risk_reason text check (length(risk_reason) <= 2000),
    reported_to_opc_on text check (reported_to_opc_on is date(reported_to_opc_on)),
    people_told_on text check (people_told_on is date(people_told_on)),
    measures text check (length(measures) <= 4000),
    created_at integer not null,
    created_by integer not null references users (id),
    changed_at integer,
    version integer not null default 1
) strict;

create index breaches_discovered on breaches (discovered_on, id);

-- What a family asked under an address, for whoever downloads everything.
create index admission_requests_email on admission_requests (email, created_at);

-- What is deleted from a profile is deleted from its history, too: its values may be blanked, and nothing else
-- of a row may change.
drop trigger student_history_is_never_edited;
create trigger student_history_is_never_edited before update on student_history
when new.before is not null or new.after is not null or new.id <> old.id or new.student_id <> old.student_id
    or new.at <> old.at or new.actor_kind <> old.actor_kind or new.user_id is not old.user_id
    or new.field <> old.field or new.reason is not old.reason
begin select raise(abort, 'the history of a student is append-only'); end;
