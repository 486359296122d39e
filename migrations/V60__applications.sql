-- Applications for a place: from the form to the admission. And links in emails to people without an account.

-- A link that was mailed, and the session of a browser that opened one.
create table links (
    -- SHA-256 of the link's secret, or of the session's cookie.
    token_hash blob primary key check (length(token_hash) = 32),
    purpose text not null check (purpose in ('application', 'family')),
    -- What it opens, by its number; null where the address alone counts.
    subject_id integer,
    -- The mailbox that it proves.
    email text not null collate nocase,
    is_session integer not null default 0 check (is_session in (0, 1)),
    created_at integer not null,
    expires_at integer not null,
    -- When it was first opened.
    used_at integer
) strict, without rowid;

create index links_subject on links (purpose, subject_id);
create index links_mailbox on links (purpose, email, created_at);
create index links_expiry on links (expires_at);

-- Visitors who asked for their links. The request is all that is written before the answer, so that the answer and its
-- time are the same for an address that has any and for one that has none.
create table link_requests (
    id integer primary key,
    purpose text not null check (purpose in ('application', 'family')),
    email text not null collate nocase,
    asker blob check (asker is null or length(asker) = 16),
    created_at integer not null
) strict;

create index link_requests_purpose on link_requests (purpose, id);
create index link_requests_created on link_requests (created_at);

create table applications (
    id integer primary key,
    -- `A-26-7QK4`: what the family and the office call it.
    reference text not null unique,
    first_name text not null,
    last_name text not null collate nocase,
    -- Null only for requests from before it was asked.
    date_of_birth text check (date_of_birth is date(date_of_birth)),
    gender text check (gender in ('male', 'female', 'other')),
    email text not null collate nocase,
    phone text not null,
    country text not null default 'CA',
    address text not null,
    city text,
    province text,
    postal_code text,
    grade integer not null check (grade between 9 and 12),
    previous_school text,
    guardian_name text,
    guardian_email text collate nocase,
    guardian_phone text,
    relationship text check (relationship in ('mother', 'father', 'guardian', 'agency', 'other')),
    start_term text,
    -- Codes of courses, as a JSON array.
    wanted_courses text not null default '[]' check (json_valid(wanted_courses)),
    message text,
    language text not null default 'en' check (language in ('en', 'fr')),
    source text not null default 'web' check (source in ('web', 'phone', 'paper', 'agent')),
    status text not null default 'pending' check (status in
        ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'accepted', 'expired',
         'declined', 'withdrawn')),
    state_since integer not null,
    assignee_id integer references users (id),
    student_id integer references students (id),
    created_at integer not null,
    -- Grows with every change of what the family or the office typed.
    version integer not null default 1
) strict;

-- The numbers of earlier requests are spread over all references of their year by an odd factor, which makes each of
-- them another.
with lettered as (
    select r.*, (id * 690069 + 77777) % 1048576 as n,
        '0123456789ABCDEFGHJKMNPQRSTVWXYZ' as letters
    from admission_requests r
)
insert into applications (id, reference, first_name, last_name, email, phone, address, grade, previous_school, status,
    state_since, created_at)
select id, printf('A-%s-%s%s%s%s', strftime('%y', created_at, 'unixepoch'), substr(letters, 1 + n / 32768, 1),
        substr(letters, 1 + n / 1024 % 32, 1), substr(letters, 1 + n / 32 % 32, 1), substr(letters, 1 + n % 32, 1)),
    first_name, last_name, email, phone, address, grade, previous_school, status, created_at, created_at
from lettered;

drop table admission_requests;
alter table applications rename to admission_requests;

create index admission_requests_created on admission_requests (created_at, id);
create index admission_requests_status on admission_requests (status, created_at);
create index admission_requests_email on admission_requests (email, created_at);
create index admission_requests_guardian on admission_requests (guardian_email, created_at)
    where guardian_email is not null;
create index admission_requests_assignee on admission_requests (assignee_id, created_at, id);
create index admission_requests_birth on admission_requests (date_of_birth);
create index admission_requests_student on admission_requests (student_id) where student_id is not null;

-- What a family is asked to agree to with an offer. A version is never edited; the next one takes its place.
create table texts (
    id integer primary key,
    kind text not null check (kind in ('offer_agreement')),
    language text not null check (language in ('en', 'fr')),
    version integer not null check (version > 0),
    body text not null check (length(body) between 1 and 20000),
    effective_on text not null check (effective_on is date(effective_on)),
    -- Null for the one that came with the program.
    created_by integer references users (id),
    created_at integer not null,
    unique (kind, language, version)
) strict;

create trigger texts_are_never_edited before update on texts
begin select raise(abort, 'texts are append-only'); end;

create trigger texts_are_never_removed before delete on texts
begin select raise(abort, 'texts are append-only'); end;

insert into texts (kind, language, version, body, effective_on, created_at) values ('offer_agreement', 'en', 1,
'By accepting this offer I take the place at the school for the student named in it.

I agree to pay the fee that the offer names. A deposit that the offer asks for is part of this fee. The school writes to me when an amount is due and how it can be paid.

I have given true and complete information in the application. I will tell the school when an address, a telephone number or the student''s status in Canada changes.

The student and I follow the school''s Terms of Service and Privacy Policy as they are published on its website.

If the student is under 18, I accept as a parent or guardian who may do so, or together with one.',
    '2023-06-01', 0);

create table admission_offers (
    id integer primary key,
    request_id integer not null references admission_requests (id) on delete cascade,
    fee_due_cents integer not null check (fee_due_cents between 0 and 9999999999),
    deposit_cents integer check (deposit_cents between 1 and 9999999999),
    deposit_due_on text check (deposit_due_on is date(deposit_due_on)),
    -- The last day on which it can be accepted.
    expires_on text not null check (expires_on is date(expires_on)),
    conditions text check (length(conditions) <= 4000),
    text_version_id integer not null references texts (id),
    sent_at integer not null,
    reminded_at integer,
    accepted_at integer,
    -- As it was typed.
    accepted_name text,
    declined_at integer,
    decline_reason text,
    -- When it stopped standing: declined, expired, withdrawn by the office, or another took its place.
    ended_at integer,
    superseded_by integer references admission_offers (id),
    -- When the office took it back before its email left: the family never heard of it.
    taken_back_at integer,
    check ((accepted_at is null) = (accepted_name is null)),
    check (declined_at is null or ended_at is not null),
    check (superseded_by is null or ended_at is not null)
) strict;

create unique index admission_offers_live on admission_offers (request_id) where ended_at is null;
create index admission_offers_request on admission_offers (request_id, id);
create index admission_offers_expiry on admission_offers (expires_on) where ended_at is null and accepted_at is null;
create index admission_offers_superseded on admission_offers (superseded_by) where superseded_by is not null;

-- What happened to each application, and by whom. Rows go with the application only.
create table admission_events (
    id integer primary key,
    request_id integer not null references admission_requests (id) on delete cascade,
    at integer not null,
    actor_kind text not null check (actor_kind in ('family', 'staff', 'system')),
    user_id integer references users (id),
    verb text not null check (verb in
        ('receive', 'edit', 'start_review', 'ask', 'answer', 'upload', 'waitlist', 'offer', 'accept', 'decline',
         'withdraw', 'expire', 'reopen', 'link', 'cancel', 'undo')),
    -- Null for a new one.
    from_status text check (from_status in
        ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'accepted', 'expired',
         'declined', 'withdrawn')),
    to_status text not null check (to_status in
        ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'accepted', 'expired',
         'declined', 'withdrawn')),
    reason text,
    -- Why it was declined, in a word for the school's figures.
    code text,
    -- What the office asked, which documents it wants as a JSON array, and what the family answered.
    asked text,
    wants text check (json_valid(wants)),
    answer text,
    offer_id integer references admission_offers (id) on delete cascade,
    decision_id text references decisions (id),
    -- The event that it takes back.
    undoes_id integer references admission_events (id) on delete cascade,
    -- Since when the state before had lasted, which undoing puts back.
    since_before integer
) strict;

create index admission_events_request on admission_events (request_id, id);
create index admission_events_decision on admission_events (decision_id) where decision_id is not null;
create index admission_events_undoes on admission_events (undoes_id) where undoes_id is not null;
create index admission_events_offer on admission_events (offer_id) where offer_id is not null;

create trigger admission_events_are_never_edited before update on admission_events
begin select raise(abort, 'the events of an application are append-only'); end;

create trigger admission_events_are_never_shortened before delete on admission_events
when exists (select 1 from admission_requests where id = old.request_id)
begin select raise(abort, 'the events of an application are append-only'); end;

-- Earlier requests have arrived, too.
insert into admission_events (request_id, at, actor_kind, verb, to_status)
select id, created_at, 'family', 'receive', status from admission_requests;

-- What the office writes down about an application, for itself.
create table admission_notes (
    id integer primary key,
    request_id integer not null references admission_requests (id) on delete cascade,
    user_id integer not null references users (id),
    body text not null check (length(body) between 1 and 4000),
    created_at integer not null
) strict;

create index admission_notes_request on admission_notes (request_id, id);

-- What an admission costs and what was paid for it is summed up over the ledger, and not kept beside it.
create table admissions_by_ledger (
    id integer primary key,
    request_id integer not null unique references admission_requests (id),
    offer_id integer references admission_offers (id),
    -- When the family accepted.
    enrollment_date integer not null,
    status text not null default 'active' check (status in ('active', 'completed', 'cancelled'))
) strict;

insert into admissions_by_ledger (id, request_id, enrollment_date, status)
select id, request_id, enrollment_date, status from admissions;

drop table admissions;
alter table admissions_by_ledger rename to admissions;
create index admissions_offer on admissions (offer_id) where offer_id is not null;

-- A consent can belong to an application: to the privacy policy, to news by email, to the agreement of an offer.
create table consents_of_applications (
    id integer primary key,
    student_id integer references students (id) on delete cascade,
    message_id integer references contact_messages (id) on delete cascade,
    request_id integer references admission_requests (id) on delete cascade,
    -- The request for a course that it came with.
    enrollment_id integer references enrollments (id),
    kind text not null check (kind in
        ('privacy', 'terms', 'enrollment', 'refunds', 'how_to_pay', 'offer', 'marketing')),
    -- The SHA-256 of the text's words; of rows from before that, a date.
    text_version text not null,
    is_given integer not null check (is_given in (0, 1)),
    at integer not null,
    -- Whether a screen showed the text and asked.
    was_asked integer not null default 1 check (was_asked in (0, 1)),
    check ((student_id is not null) + (message_id is not null) + (request_id is not null) = 1),
    check (kind <> 'enrollment' or enrollment_id is not null)
) strict;

insert into consents_of_applications (id, student_id, message_id, enrollment_id, kind, text_version, is_given, at,
    was_asked)
select id, student_id, message_id, enrollment_id, kind, text_version, is_given, at, was_asked from consents;

drop table consents;
alter table consents_of_applications rename to consents;

create index consents_student on consents (student_id, at) where student_id is not null;
create index consents_message on consents (message_id) where message_id is not null;
create index consents_request on consents (request_id) where request_id is not null;
create index consents_enrollment on consents (enrollment_id) where enrollment_id is not null;

create trigger consents_are_never_edited before update on consents
begin select raise(abort, 'consents are append-only'); end;

create trigger consents_are_never_shortened before delete on consents
when exists (select 1 from students where id = old.student_id)
    or exists (select 1 from contact_messages where id = old.message_id)
    or exists (select 1 from admission_requests where id = old.request_id)
begin select raise(abort, 'consents are append-only'); end;
