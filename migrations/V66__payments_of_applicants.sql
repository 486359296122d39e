-- A student's money includes that of the application which led to the student: the fee of the admission, and what the
-- family paid before there was a student.
drop view student_entries;
drop view student_payments;

create view student_payments as
select p.id, p.student_id from payments p cross join students s on s.id = p.student_id
where s.merged_into is null and p.reverses_id is null
union all
select p.id, s.merged_into from students s cross join payments p on p.student_id = s.id
where s.merged_into is not null and p.reverses_id is null
union all
select p.id, q.student_id from admission_requests q cross join payments p on p.request_id = q.id
where q.student_id is not null and p.reverses_id is null;

create view student_entries as
select e.student_id, l.amount_cents * iif(l.kind = 'reversal', -1, 1)
        * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1) as cents
from enrollments e cross join ledger l on l.enrollment_id = e.id left join ledger undone on undone.id = l.reverses_id
union all
select q.student_id, l.amount_cents * iif(l.kind = 'reversal', -1, 1)
        * iif(coalesce(undone.kind, l.kind) in ('charge', 'refund'), 1, -1) as cents
from admission_requests q cross join admissions a on a.request_id = q.id cross join ledger l on l.admission_id = a.id
    left join ledger undone on undone.id = l.reverses_id
where q.student_id is not null
union all
select p.student_id, -h.unapplied_cents from student_payments p cross join payments_held h on h.id = p.id;
