-- `replace into` deletes the row that it replaces without the triggers that refuse a delete. So an id, or another value
-- that is unique, is refused before it replaces a row. Of the events of an enrollment, which every request has, only
-- an id that is given is looked up: here it is -1 without one.

create trigger audit_is_never_replaced before insert on audit
begin select raise(abort, 'the audit trail is append-only') from audit where id = new.id; end;

create trigger audit_chain_is_never_replaced before insert on audit_chain
begin select raise(abort, 'the audit trail is append-only') from audit_chain where audit_id = new.audit_id; end;

create trigger enrollment_events_are_never_replaced before insert on enrollment_events when new.id > 0
begin select raise(abort, 'the events of an enrollment are append-only') from enrollment_events
where id = new.id; end;

create trigger student_history_is_never_replaced before insert on student_history
begin select raise(abort, 'the history of a student is append-only') from student_history where id = new.id; end;

create trigger document_events_are_never_replaced before insert on document_events
begin select raise(abort, 'the events of a document are append-only') from document_events where id = new.id; end;

create trigger admission_events_are_never_replaced before insert on admission_events
begin select raise(abort, 'the events of an application are append-only') from admission_events
where id = new.id; end;

create trigger message_events_are_never_replaced before insert on message_events
begin select raise(abort, 'message_events are append-only') from message_events where id = new.id; end;

create trigger section_events_are_never_replaced before insert on section_events
begin select raise(abort, 'the events of a section are append-only') from section_events
where id = new.id or undoes_id = new.undoes_id; end;

create trigger consents_are_never_replaced before insert on consents
begin select raise(abort, 'consents are append-only') from consents where id = new.id; end;

create trigger accepted_texts_are_never_replaced before insert on accepted_texts
begin select raise(abort, 'accepted texts are append-only') from accepted_texts where version = new.version; end;

create trigger texts_are_never_replaced before insert on texts
begin select raise(abort, 'texts are append-only') from texts
where id = new.id or kind = new.kind and language = new.language and version = new.version; end;

create trigger retention_is_never_replaced before insert on retention
begin select raise(abort, 'the rules of retention are append-only') from retention where id = new.id; end;

create trigger site_versions_are_never_replaced before insert on site_versions
begin select raise(abort, 'what was published is not edited') from site_versions where id = new.id; end;

create trigger external_credits_are_never_replaced before insert on external_credits
begin select raise(abort, 'credits are voided, never deleted') from external_credits where id = new.id; end;

create trigger ledger_is_never_replaced before insert on ledger
begin select raise(abort, 'the ledger is append-only') from ledger
where id = new.id or reverses_id = new.reverses_id; end;

create trigger payments_are_never_replaced before insert on payments
begin select raise(abort, 'payments are append-only') from payments where id = new.id or reverses_id = new.reverses_id
    or created_by = new.created_by and idempotency_key = new.idempotency_key; end;

create trigger receipts_are_never_replaced before insert on receipts
begin select raise(abort, 'receipts are append-only') from receipts
where id = new.id or number = new.number or payment_id = new.payment_id; end;

create trigger payouts_are_never_replaced before insert on payouts
begin select raise(abort, 'payouts are append-only') from payouts
where id = new.id or reverses_id = new.reverses_id; end;

create trigger invoices_are_never_replaced before insert on invoices
begin select raise(abort, 'invoices are append-only') from invoices where id = new.id or number = new.number
    or credit_note_number = new.credit_note_number; end;

create trigger instalments_are_never_replaced before insert on instalments
begin select raise(abort, 'instalments are append-only') from instalments where id = new.id; end;

create trigger bank_imports_are_never_replaced before insert on bank_imports
begin select raise(abort, 'imports of a bank are append-only') from bank_imports
where id = new.id or sha256 = new.sha256 and undone_at is null; end;

create trigger bank_lines_are_never_replaced before insert on bank_lines
begin select raise(abort, 'lines of the bank are append-only') from bank_lines
where id = new.id or import_id = new.import_id and line_no = new.line_no; end;

create trigger refund_policies_are_never_replaced before insert on refund_policies
begin select raise(abort, 'refund policies are append-only') from refund_policies where id = new.id; end;

-- A counter begins with its first number, and a code outlives its account.
create trigger counters_begin_at_one before insert on counters when new.next <> 2
begin select raise(abort, 'a number is neither left out nor used twice'); end;

create trigger payment_codes_are_never_deleted before delete on payment_codes
begin select raise(abort, 'no code is used again'); end;

-- Where a table has a trigger on inserts, SQLite looks for rows that refer to the new one.
create index invoice_entries_invoice on invoice_entries (invoice_id);
create index message_events_undoes on message_events (undoes_id) where undoes_id is not null;
create index admission_offers_text on admission_offers (text_version_id);
