-- The documents of an accepted application become the student's once a mailbox of the application opened the account.
-- Applications for which that may be so now; the commit that notes one looks at it.
create table document_handovers (
    request_id integer primary key references admission_requests (id) on delete cascade,
    at integer not null
) strict;

create trigger account_opened after update of status on students
when old.status = 'unverified' and new.status = 'active' begin
    insert into document_handovers (request_id, at)
    select id, new.updated_at from admission_requests where student_id = new.id
    on conflict do nothing;
end;

create trigger application_opened after insert on admission_openings begin
    insert into document_handovers (request_id, at)
    select id, new.opened_at from admission_requests where id = new.request_id and student_id is not null
    on conflict do nothing;
end;

-- The address that the family gave for the student's account, and when the family confirmed it.
alter table admission_requests add column account_email text collate nocase;
alter table admission_requests add column account_confirmed_at integer;
-- When the old mailbox took a change of the application's address back: from then on the office changes it.
alter table admission_requests add column address_restored_at integer;
-- The address of an account that the family does not know: it waits for the office until the account has another.
alter table admission_requests add column disowned_email text collate nocase;
create index admission_requests_disowned on admission_requests (disowned_email) where disowned_email is not null;

create trigger account_confirmed after update of account_confirmed_at on admission_requests
when new.account_confirmed_at is not null and new.student_id is not null begin
    insert into document_handovers (request_id, at) values (new.id, new.account_confirmed_at)
    on conflict do nothing;
end;

-- What the office deletes is gone by the application, too.
create trigger handed_over_document_removed before delete on student_documents begin
    delete from admission_documents where moved_to = old.id;
end;

-- Documents that were deleted before are known by their content.
delete from admission_documents where moved_to is null and exists (
    select 1 from document_removals v join admission_requests r on r.student_id = v.student_id
    where r.id = admission_documents.request_id and v.sha256 = admission_documents.sha256);

-- A change of an application's address is undone from the old mailbox, by a link with a purpose of its own.
create table new_links (
    -- SHA-256 of the link's secret, or of the session's cookie.
    token_hash blob primary key check (length(token_hash) = 32),
    purpose text not null check (purpose in ('application', 'application_undo', 'family')),
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

insert into new_links select token_hash, purpose, subject_id, email, is_session, created_at, expires_at, used_at
from links;
drop table links;
alter table new_links rename to links;

create index links_subject on links (purpose, subject_id);
create index links_mailbox on links (purpose, email, created_at);
create index links_expiry on links (expires_at);

create table new_link_requests (
    id integer primary key,
    purpose text not null check (purpose in ('application', 'application_undo', 'family')),
    email text not null collate nocase,
    asker blob check (asker is null or length(asker) = 16),
    created_at integer not null
) strict;

insert into new_link_requests select id, purpose, email, asker, created_at from link_requests;
drop table link_requests;
alter table new_link_requests rename to link_requests;

create index link_requests_purpose on link_requests (purpose, id);
create index link_requests_created on link_requests (created_at);
