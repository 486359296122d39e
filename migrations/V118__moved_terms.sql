-- What a term was before a change of its days that students were told of, until that is undone. What it moved is among the
-- events of the sections and enrollments.
create table term_changes (
    decision_id text primary key references decisions (id),
    term_id integer not null references terms (id) on delete cascade,
    -- The columns of the term, as JSON.
    before text not null check (json_type(before) = 'object'),
    -- The version of the term after the change: undone only while it is that.
    version integer not null
) strict, without rowid;
create index term_changes_term on term_changes (term_id);
