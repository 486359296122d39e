-- The day of a deposit is noted and taken back, never exchanged for another; and a counter is never deleted.
drop trigger payments_are_never_edited;

create trigger payments_are_never_edited before update on payments
when new.id is not old.id or new.student_id is not old.student_id or new.request_id is not old.request_id
    or new.amount_cents is not old.amount_cents or new.method is not old.method
    or new.reference is not old.reference or new.payer_name is not old.payer_name
    or new.received_on is not old.received_on or new.note is not old.note or new.created_by is not old.created_by
    or new.created_at is not old.created_at or new.reverses_id is not old.reverses_id
    or new.idempotency_key is not old.idempotency_key or new.import_line_id is not old.import_line_id
    or new.decision_id is not old.decision_id or new.deposited_on <> old.deposited_on
begin select raise(abort, 'payments are append-only'); end;

create trigger counters_are_never_deleted before delete on counters
begin select raise(abort, 'a number is neither left out nor used twice'); end;
