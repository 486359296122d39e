//! What belongs together in a school, whatever struck it.

/// Things that exist together or not at all: a name, and two queries that must answer the same set.
pub const PAIRS: &[(&str, &str, &str)] = &[
    (
        "message and confirmation",
        "select email from contact_messages",
        "select recipient from outbox where subject = 'We have your message'",
    ),
    (
        "message and the school's copy",
        "select email from contact_messages",
        "select reply_to from outbox where kind = 'contact_copy'",
    ),
    (
        "registration and email",
        "select email from students where email like 'guest%'",
        "select recipient from outbox where subject = 'Verify your email address' and recipient like 'guest%'",
    ),
    (
        "registration and token",
        "select email from students where email like 'guest%'",
        "select email from student_tokens where email like 'guest%'",
    ),
    (
        "enrollment and email",
        "select email || row_number() over (partition by email)
         from enrollments e join students s on s.id = e.student_id",
        "select recipient || row_number() over (partition by recipient)
         from outbox where subject = 'We have your enrollment request'",
    ),
    (
        "approval and charge",
        "select e.id from enrollments e join courses c on c.id = e.course_id
         where e.status = 'active' and c.price_cents is not null",
        "select enrollment_id from ledger where kind = 'charge' and amount_cents = 10000",
    ),
    (
        "approval and audit",
        "select id from enrollments where status = 'active'",
        "select object_id from audit where action = 'approve' and object = 'enrollment'",
    ),
    (
        "approval and email",
        "select email || row_number() over (partition by email)
         from enrollments e join students s on s.id = e.student_id where e.status = 'active'",
        "select recipient || row_number() over (partition by recipient)
         from outbox where subject = 'Your enrollment is approved'",
    ),
    (
        "application and email",
        "select email || reference from admission_requests",
        "select recipient || substr(subject, -9) from outbox where subject like 'We have your application %'",
    ),
    (
        "application and event",
        "select id from admission_requests",
        "select request_id from admission_events where verb = 'receive'",
    ),
    (
        "application and consent",
        "select id from admission_requests",
        "select request_id from consents where kind = 'privacy' and request_id is not null",
    ),
    (
        "applications and families",
        "select email from admission_requests",
        "select distinct email from admission_requests",
    ),
    (
        "offer and event",
        "select request_id from admission_offers",
        "select request_id from admission_events where verb = 'offer'",
    ),
    (
        "offer and email",
        "select email from admission_requests r join admission_offers o on o.request_id = r.id",
        "select recipient from outbox where subject like 'We offer you a place (%'",
    ),
    (
        "acceptance and admission",
        "select id from admission_requests where status = 'accepted'",
        "select request_id from admissions where status = 'active'",
    ),
    (
        "acceptance and event",
        "select id from admission_requests where status = 'accepted'",
        "select request_id from admission_events where verb = 'accept'",
    ),
    (
        "acceptance and consent",
        "select id from admission_requests where status = 'accepted'",
        "select request_id from consents where kind = 'offer'",
    ),
    (
        "acceptance and charge",
        "select id from admissions",
        "select admission_id from ledger where kind = 'charge' and amount_cents = 125050",
    ),
    (
        "acceptance and student",
        "select student_id from admission_requests where status = 'accepted'",
        "select id from students where email like 'family%'",
    ),
    (
        "acceptance and emails",
        "select email from admission_requests where status = 'accepted'",
        "select recipient from outbox where subject like 'You have accepted the offer (%'",
    ),
    (
        "acceptance and invitation",
        "select email from admission_requests where status = 'accepted'",
        "select recipient from outbox where subject = 'Your student account'",
    ),
    (
        "confirmations and requests",
        "select enrollment_id from confirmations",
        "select distinct enrollment_id from confirmations",
    ),
    (
        "confirmation and history",
        "select row_number() over () from confirmations",
        "select row_number() over () from student_history where actor_kind = 'guardian'",
    ),
    (
        "reply and state",
        "select message_id from message_replies",
        "select id from contact_messages where status = 'replied'",
    ),
    ("reply and event", "select id from message_replies", "select reply_id from message_events where verb = 'reply'"),
    (
        "reply and email",
        "select m.email from message_replies r join contact_messages m on m.id = r.message_id",
        "select recipient from outbox where kind = 'message_reply'",
    ),
    (
        "payment and key",
        "select idempotency_key from payments where reverses_id is null and import_line_id is null",
        "select key from idempotency where key like 'pay-%' or key like 'hold-%'",
    ),
    (
        "payment and receipt",
        "select id from payments where reverses_id is null",
        "select payment_id from receipts",
    ),
    (
        "receipts without a gap",
        "select number from receipts",
        "select printf('%s-%06d', substr(number, 1, 4), row_number() over (partition by substr(number, 1, 4)
             order by number)) from receipts",
    ),
    (
        "receipt and email",
        "select 'Receipt ' || number from receipts t join payments p on p.id = t.payment_id where import_line_id is null",
        "select o.subject from outbox o join receipts t on o.subject = 'Receipt ' || t.number
             join payments p on p.id = t.payment_id where import_line_id is null",
    ),
    (
        "receipt and ledger",
        "select payment_id, (body_json ->> '$.amountCents') - (body_json ->> '$.onAccountCents')
         from receipts t join payments p on p.id = t.payment_id
         where body_json ->> '$.amountCents' > body_json ->> '$.onAccountCents' and p.idempotency_key like 'pay-%'",
        "select payment_id, sum(l.amount_cents) from ledger l join payments p on p.id = l.payment_id
         where p.idempotency_key like 'pay-%' and not exists (select 1 from ledger r where r.reverses_id = l.id)
         group by payment_id",
    ),
    (
        "charge and key",
        "select id from ledger where kind = 'charge' and description like 'charge-%'",
        "select response ->> '$.entry.id' from idempotency where key like 'charge-%'",
    ),
    (
        "charge and email",
        "select row_number() over () from outbox where subject = 'A new charge'",
        "select row_number() over () from idempotency where key like 'charge-%'",
    ),
    (
        "first charge and key",
        "select enrollment_id from ledger where kind = 'charge' and amount_cents = 12300",
        "select response ->> '$.results[0].id' from idempotency where key like 'charge_unpriced-%'",
    ),
    (
        "first charge and price",
        "select enrollment_id from ledger where kind = 'charge' and amount_cents = 12300",
        "select id from enrollments where charged_price_cents = 12300",
    ),
    (
        "waiver and key",
        "select id from ledger where kind = 'waiver' and description like 'waive-%'",
        "select response ->> '$.entry.id' from idempotency where key like 'waive-%'",
    ),
    (
        "waiver and email",
        "select row_number() over () from outbox where subject = 'Part of your fee has been waived'",
        "select row_number() over () from idempotency where key like 'waive-%'",
    ),
    (
        "refund and key",
        "select id from ledger where kind = 'refund' and description like 'refund-%'",
        "select response ->> '$.entry.id' from idempotency where key like 'refund-%'",
    ),
    (
        "refund and payout",
        "select id, amount_cents from ledger where kind = 'refund'",
        "select ledger_id, amount_cents from payouts where ledger_id is not null",
    ),
    (
        "payout and key",
        "select reason, sum(amount_cents) from payouts where payment_id is not null and reverses_id is null group by reason",
        "select key, 300 from idempotency where key like 'pay_out-%'",
    ),
    (
        "refunds, payouts and emails",
        "select row_number() over () from outbox where subject = 'Your refund'",
        "select row_number() over () from idempotency where key like 'refund-%' or key like 'pay_out-%'",
    ),
    (
        "reversal and key",
        "select id from ledger where kind = 'reversal' and description like 'reverse-%'",
        "select response ->> '$.entry.id' from idempotency where key like 'reverse-%'",
    ),
    (
        "reversal and email",
        "select row_number() over () from outbox where subject = 'A correction to your fees'",
        "select row_number() over () from idempotency where key like 'reverse-%' or key like 'take_back-%'",
    ),
    (
        "reversed payment and key",
        "select reverses_id from payments where note like 'void-%'",
        "select response ->> '$.payment.id' from idempotency where key like 'void-%'",
    ),
    (
        "reversed payment and void receipt",
        "select reverses_id from payments where reverses_id is not null",
        "select payment_id from receipts where voided_at is not null",
    ),
    (
        "void receipt and email",
        "select 'Receipt ' || number || ' is void' from receipts t join payments p on p.id = t.payment_id
         where voided_at is not null and import_line_id is null",
        "select o.subject from outbox o join receipts t on o.subject = 'Receipt ' || t.number || ' is void'
             join payments p on p.id = t.payment_id where import_line_id is null",
    ),
    (
        "import and key",
        "select id from bank_imports",
        "select response ->> '$.id' from idempotency where key like 'import-%'",
    ),
    ("import and its lines", "select count(*) from bank_lines", "select 2 * count(*) from bank_imports"),
    (
        "posted line and key",
        "select id from payments where import_line_id is not null",
        "select response ->> '$.results[0].paymentId' from idempotency where key like 'post_line-%'
         union all select response ->> '$.results[1].paymentId' from idempotency where key like 'post_line-%'",
    ),
    (
        "posted line and the payments of two students",
        "select id, 2, amount_cents from bank_lines where state = 'posted'",
        "select import_line_id, count(*), sum(amount_cents) from payments where import_line_id is not null
         group by import_line_id",
    ),
    (
        "receipt of a line and email, of a payment that stands",
        "select 'Receipt ' || number from receipts t join payments p on p.id = t.payment_id
         where voided_at is null and import_line_id is not null",
        "select o.subject from outbox o join receipts t on o.subject = 'Receipt ' || t.number
             join payments p on p.id = t.payment_id where voided_at is null and import_line_id is not null",
    ),
    (
        "receipt of a line and email, of a payment that was undone: it left and was said to be void, or neither",
        "select substr(subject, 9, 11) from outbox o join receipts t on o.subject = 'Receipt ' || t.number
             join payments p on p.id = t.payment_id where voided_at is not null and import_line_id is not null",
        "select substr(subject, 9, 11) from outbox o join receipts t on o.subject = 'Receipt ' || t.number || ' is void'
             join payments p on p.id = t.payment_id where import_line_id is not null",
    ),
    (
        "undone import and its payments",
        "select p.id from bank_imports i join bank_lines l on l.import_id = i.id join payments p on p.import_line_id = l.id
         where undone_at is not null",
        "select p.id from payments p join payments r on r.reverses_id = p.id where p.import_line_id is not null",
    ),
    (
        "undone import and key",
        "select id from bank_imports where undone_at is not null",
        "select response ->> '$.import.id' from idempotency where key like 'undo-%'",
    ),
    (
        "undone import and audit",
        "select id from bank_imports where undone_at is not null",
        "select object_id from audit where action = 'undo' and object = 'bank_import'",
    ),
    (
        "invoice and key",
        "select number from invoices",
        "select response ->> '$.invoices[0].number' from idempotency where key like 'invoice-%'",
    ),
    (
        "invoices without a gap",
        "select number from invoices",
        "select printf('%s-%06d', substr(number, 1, 8), row_number() over (partition by substr(number, 1, 8)
             order by number)) from invoices",
    ),
    (
        "invoice and what is on it",
        "select id, total_cents from invoices",
        "select invoice_id, sum(iif(kind = 'charge', amount_cents, -amount_cents)) from invoice_entries n
             join ledger l on l.id = n.ledger_id group by invoice_id",
    ),
    (
        "invoice and email",
        "select 'Invoice ' || number from invoices",
        "select subject from outbox where subject glob 'Invoice INV-????-??????'",
    ),
    (
        "cancelled invoice and email",
        "select 'Invoice ' || number || ' is cancelled' from invoices where cancelled_at is not null",
        "select subject from outbox where subject like 'Invoice % is cancelled'",
    ),
    (
        "no charge is invoiced twice",
        "select ledger_id from invoice_entries n join invoices i on i.id = n.invoice_id where cancelled_at is null",
        "select distinct ledger_id from invoice_entries n join invoices i on i.id = n.invoice_id
         where cancelled_at is null",
    ),
    (
        "cancelled invoice and key",
        "select cancel_reason, credit_note_number from invoices where cancelled_at is not null",
        "select key, response ->> '$.creditNoteNumber' from idempotency where key like 'cancel-%'",
    ),
    (
        "credit notes without a gap",
        "select credit_note_number from invoices where cancelled_at is not null",
        "select printf('%s-%06d', substr(credit_note_number, 1, 7), row_number() over (
             partition by substr(credit_note_number, 1, 7) order by credit_note_number))
         from invoices where cancelled_at is not null",
    ),
    (
        "payout taken back and key",
        "select reason from payouts where reverses_id is not null and payment_id is not null",
        "select key from idempotency where key like 'take_back-%'",
    ),
    (
        "plan and key",
        "select row_number() over () from audit where action = 'plan'",
        "select row_number() over () from idempotency where key like 'plan-%'",
    ),
    (
        "plan and its parts",
        "select count(*) from instalments",
        "select 3 * count(*) from audit where action = 'plan'",
    ),
    (
        "plan that holds and the one before it",
        "select distinct enrollment_id, 3 from instalments",
        "select enrollment_id, count(*) from instalments where ended_at is null group by enrollment_id",
    ),
    (
        "applied payment and key",
        "select object_id, count(*) from audit where action = 'allocate' group by object_id",
        "select response ->> '$.payment.id', count(*) from idempotency where key like 'allocate-%' group by 1",
    ),
    (
        "moved part and key",
        "select object_id, count(*) from audit where action = 'move' group by object_id",
        "select response ->> '$.payment.id', count(*) from idempotency where key like 'move-%' group by 1",
    ),
    (
        "moved part, there and back",
        "select count(*) from ledger where kind = 'reversal' and description = 'Moved'",
        "select count(*) from audit where action = 'move'",
    ),
    (
        "deposited payment and key",
        "select id from payments where deposited_on is not null",
        "select response ->> '$.results[0].id' from idempotency where key like 'deposit-%'",
    ),
    (
        "deposited payment and audit",
        "select id from payments where deposited_on is not null",
        "select object_id from audit where action = 'deposit'",
    ),
    (
        "the card and the ledger",
        "select cents from total_due",
        "select coalesce(sum(max(0, balance)), 0) from enrollment_balances",
    ),
    (
        "the kept balances and the ledger",
        "select student_id, balance_cents from student_balances",
        "select student_id, sum(cents) from student_entries where student_id is not null group by student_id",
    ),
    ("no balance waits to be computed", "select student_id from stale_balances", "select 1 where false"),
    (
        "the months and the payments",
        "select sum(cents) from received_months",
        "select sum(p.amount_cents) from payments p join receipts t on t.payment_id = p.id where voided_at is null",
    ),
    (
        "no payment is used twice",
        "select id from payments_held where unapplied_cents < 0",
        "select id from payments_held where false",
    ),
];
