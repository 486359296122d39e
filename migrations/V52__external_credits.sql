-- Credits that a student earned at other schools, as the office records them beside a transcript. A row that
-- was wrong is voided with a reason and stays.
create table external_credits (
    id integer primary key,
    student_id integer not null references students (id),
    -- An Ontario course code, or what the other school calls it.
    code text not null check (length(code) between 1 and 12),
    name text not null check (length(name) between 1 and 100),
    -- Halves; one row may hold what is granted for whole years abroad.
    credits_hundredths integer not null
        check (credits_hundredths between 50 and 3000 and credits_hundredths % 50 = 0),
    -- Null where the other school gives none.
    mark integer check (mark between 0 and 100),
    completed_on text not null check (completed_on is date(completed_on)),
    school text not null check (length(school) between 1 and 200),
    -- The document that says so; null once it is removed.
    document_id integer references student_documents (id) on delete set null,
    recorded_at integer not null,
    recorded_by integer not null references users (id),
    changed_at integer,
    changed_by integer references users (id),
    voided_at integer,
    voided_by integer references users (id),
    voided_reason text check (length(voided_reason) between 3 and 500),
    -- Grows with every change, so that no change overwrites another unseen.
    version integer not null default 1,
    check ((voided_at is null) = (voided_by is null) and (voided_at is null) = (voided_reason is null))
) strict;

create index external_credits_student on external_credits (student_id, completed_on);
create index external_credits_document on external_credits (document_id) where document_id is not null;

create trigger external_credits_are_never_deleted before delete on external_credits
begin select raise(abort, 'credits are voided, never deleted'); end;
