-- How many rows there are, for each state, so that neither a list's length nor the office's figures are
-- counted anew for whoever looks. The triggers count, not the program: a total changes in the transaction
-- of its rows, whoever writes them. src/operations/doctor/totals.rs has each of them as it is counted by hand.
--
-- Whoever makes one of these tables anew, to widen a CHECK, makes its triggers anew as well. `insert or
-- replace` would take rows away without their triggers: no statement of the program says it.
create table totals (
    -- The table.
    topic text not null,
    -- The state; empty where all rows are counted together. Of the ledger: what is added up.
    word text not null,
    value integer not null check (value >= 0),
    primary key (topic, word)
) strict, without rowid;

insert into totals (topic, word, value)
select 'admission_requests', status, count(*) from admission_requests group by status
union all select 'contact_messages', status, count(*) from contact_messages group by status
union all select 'enrollments', status, count(*) from enrollments group by status
union all select 'outbox', state, count(*) from outbox group by state
union all select 'students', status, count(*) from students group by status
union all select 'student_documents', '', count(*) from student_documents
union all select 'audit', '', count(*) from audit;

create trigger admission_requests_total_grows after insert on admission_requests begin
    insert into totals (topic, word, value) values ('admission_requests', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger admission_requests_total_shrinks after delete on admission_requests begin
    update totals set value = value - 1 where topic = 'admission_requests' and word = old.status;
end;

create trigger admission_requests_total_moves after update of status on admission_requests
    when new.status <> old.status begin
    update totals set value = value - 1 where topic = 'admission_requests' and word = old.status;
    insert into totals (topic, word, value) values ('admission_requests', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger contact_messages_total_grows after insert on contact_messages begin
    insert into totals (topic, word, value) values ('contact_messages', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger contact_messages_total_shrinks after delete on contact_messages begin
    update totals set value = value - 1 where topic = 'contact_messages' and word = old.status;
end;

create trigger contact_messages_total_moves after update of status on contact_messages
    when new.status <> old.status begin
    update totals set value = value - 1 where topic = 'contact_messages' and word = old.status;
    insert into totals (topic, word, value) values ('contact_messages', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger enrollments_total_grows after insert on enrollments begin
    insert into totals (topic, word, value) values ('enrollments', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger enrollments_total_shrinks after delete on enrollments begin
    update totals set value = value - 1 where topic = 'enrollments' and word = old.status;
end;

create trigger enrollments_total_moves after update of status on enrollments
    when new.status <> old.status begin
    update totals set value = value - 1 where topic = 'enrollments' and word = old.status;
    insert into totals (topic, word, value) values ('enrollments', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger outbox_total_grows after insert on outbox begin
    insert into totals (topic, word, value) values ('outbox', new.state, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger outbox_total_shrinks after delete on outbox begin
    update totals set value = value - 1 where topic = 'outbox' and word = old.state;
end;

create trigger outbox_total_moves after update of state on outbox
    when new.state <> old.state begin
    update totals set value = value - 1 where topic = 'outbox' and word = old.state;
    insert into totals (topic, word, value) values ('outbox', new.state, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger students_total_grows after insert on students begin
    insert into totals (topic, word, value) values ('students', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger students_total_shrinks after delete on students begin
    update totals set value = value - 1 where topic = 'students' and word = old.status;
end;

create trigger students_total_moves after update of status on students
    when new.status <> old.status begin
    update totals set value = value - 1 where topic = 'students' and word = old.status;
    insert into totals (topic, word, value) values ('students', new.status, 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger student_documents_total_grows after insert on student_documents begin
    insert into totals (topic, word, value) values ('student_documents', '', 1)
    on conflict (topic, word) do update set value = value + 1;
end;

create trigger student_documents_total_shrinks after delete on student_documents begin
    update totals set value = value - 1 where topic = 'student_documents' and word = '';
end;

-- The trail is never shortened, and neither is the ledger.
create trigger audit_total_grows after insert on audit begin
    insert into totals (topic, word, value) values ('audit', '', 1)
    on conflict (topic, word) do update set value = value + 1;
end;

-- What is owed on all enrollments, in cents: the sum, over each of them, of charges less waivers and payments
-- plus refunds, and never less than zero for one. A reversal is the opposite of the row that it undoes. The
-- ledger is never edited: a new row changes the balance of its enrollment alone.
insert into totals (topic, word, value)
select 'ledger', 'due', coalesce(sum(max(0, cents)), 0) from (
    select sum(l.amount_cents * iif(l.kind = 'reversal', -1, 1)
        * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1)) as cents
    from ledger l left join ledger undone on undone.id = l.reverses_id
    where l.enrollment_id is not null group by l.enrollment_id
);

create trigger ledger_total_changes after insert on ledger when new.enrollment_id is not null begin
    update totals set value = value + (
        select max(0, coalesce(sum(cents), 0)) - max(0, coalesce(sum(iif(id = new.id, 0, cents)), 0)) from (
            select l.id, l.amount_cents * iif(l.kind = 'reversal', -1, 1)
                * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1) as cents
            from ledger l left join ledger undone on undone.id = l.reverses_id
            where l.enrollment_id = new.enrollment_id
        )
    ) where topic = 'ledger' and word = 'due';
end;

-- The triggers have an insert of an enrollment look for rows that refer to it, should a reference be open.
-- Without this index it would read them all.
create index enrollments_repeat on enrollments (repeat_of) where repeat_of is not null;
