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
        "select id from enrollments where status = 'active'",
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
    ("payment and key", "select idempotency_key from payments", "select key from idempotency"),
    ("payment and receipt", "select id from payments", "select payment_id from receipts"),
    (
        "receipts without a gap",
        "select number from receipts",
        "select printf('%s-%06d', substr(number, 1, 4), row_number() over (partition by substr(number, 1, 4)
             order by number)) from receipts",
    ),
    (
        "receipt and email",
        "select 'Receipt ' || number from receipts",
        "select subject from outbox where kind = 'payment_receipt'",
    ),
    (
        "receipt and ledger",
        "select payment_id, (body_json ->> '$.amountCents') - (body_json ->> '$.onAccountCents') from receipts
         where body_json ->> '$.amountCents' > body_json ->> '$.onAccountCents'",
        "select payment_id, sum(amount_cents) from ledger where payment_id is not null group by payment_id",
    ),
];
