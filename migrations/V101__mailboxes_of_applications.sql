-- The mailboxes of an application: which of them opened a link, and to which the office stopped disclosing.

create table admission_openings (
    request_id integer not null references admission_requests (id) on delete cascade,
    email text not null collate nocase,
    -- When it first opened a link that was mailed to it.
    opened_at integer not null,
    primary key (request_id, email)
) strict, without rowid;

insert into admission_openings (request_id, email, opened_at)
select subject_id, email, min(coalesce(used_at, created_at)) from links
where purpose = 'application' and (is_session = 1 or used_at is not null)
    and subject_id in (select id from admission_requests)
group by subject_id, email;

create table admission_stops (
    request_id integer not null references admission_requests (id) on delete cascade,
    email text not null collate nocase,
    stopped_at integer not null,
    -- For the office alone.
    reason text not null,
    stopped_by integer references users (id),
    -- Whether it was taken off the application as the guardian's, and goes back there with the end of the stop.
    was_guardian integer not null default 0 check (was_guardian in (0, 1)),
    primary key (request_id, email)
) strict, without rowid;

-- Guardians who were stopped before, in the applications of their students.
insert into admission_stops (request_id, email, stopped_at, reason, stopped_by, was_guardian)
select r.id, u.email, min(u.stopped_at), coalesce(u.stopped_reason, ''), max(u.stopped_by),
    r.guardian_email is not null and r.guardian_email = u.email
from admission_requests r join guardians u on u.student_id = r.student_id
where u.stopped_at is not null and u.email is not null
group by r.id, u.email;

update admission_requests set guardian_email = null
where exists (select 1 from admission_stops s
    where s.request_id = admission_requests.id and s.email = admission_requests.guardian_email);

delete from links where purpose = 'application' and exists (select 1 from admission_stops s
    where s.request_id = links.subject_id and s.email = links.email);

-- Stops, their ends, and accounts that a family does not know are steps of an application.
create table new_admission_events (
    id integer primary key,
    request_id integer not null references admission_requests (id) on delete cascade,
    at integer not null,
    actor_kind text not null check (actor_kind in ('family', 'staff', 'system')),
    user_id integer references users (id),
    verb text not null check (verb in
        ('receive', 'edit', 'start_review', 'ask', 'answer', 'upload', 'waitlist', 'offer', 'accept', 'decline',
         'withdraw', 'expire', 'reopen', 'link', 'cancel', 'undo', 'stop', 'resume', 'disown')),
    -- Null for a new one.
    from_status text check (from_status in
        ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'accepted', 'expired',
         'declined', 'withdrawn')),
    to_status text not null check (to_status in
        ('pending', 'in_review', 'info_requested', 'waitlisted', 'offered', 'accepted', 'expired',
         'declined', 'withdrawn')),
    reason text,
    code text,
    asked text,
    wants text check (wants is null or json_valid(wants)),
    answer text,
    offer_id integer references admission_offers (id) on delete cascade,
    decision_id text references decisions (id),
    undoes_id integer references admission_events (id) on delete cascade,
    since_before integer
) strict;

insert into new_admission_events select id, request_id, at, actor_kind, user_id, verb, from_status, to_status, reason,
    code, asked, wants, answer, offer_id, decision_id, undoes_id, since_before from admission_events;
drop table admission_events;
alter table new_admission_events rename to admission_events;

create index admission_events_request on admission_events (request_id, id);
create index admission_events_decision on admission_events (decision_id) where decision_id is not null;
create index admission_events_undoes on admission_events (undoes_id) where undoes_id is not null;
create index admission_events_offer on admission_events (offer_id) where offer_id is not null;

create trigger admission_events_are_never_edited before update on admission_events
begin select raise(abort, 'the events of an application are append-only'); end;

create trigger admission_events_are_never_shortened before delete on admission_events
when exists (select 1 from admission_requests where id = old.request_id)
begin select raise(abort, 'the events of an application are append-only'); end;

create trigger admission_events_are_never_replaced before insert on admission_events
begin select raise(abort, 'the events of an application are append-only') from admission_events
where id = new.id; end;
