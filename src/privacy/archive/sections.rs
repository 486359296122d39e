//! Sections of the download, with one statement each. `tests/http/privacy/columns.rs` lists the section of every
//! database column, or why it has none, and fails for a column that is missing from the list.
//!
//! A column name that ends in `At` is an instant, one that begins with `is` a boolean. Staff are not named: only their
//! role is shown, and the school names the person on request.

use std::sync::LazyLock;

use crate::students::profile::Profile;

/// Owner of a section's rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOwner {
    /// The account, by id, and accounts merged into it.
    Account,
    /// An email address of the student, during the time they had it.
    Address,
}

/// A part of the download.
#[derive(Debug)]
pub struct Section {
    /// File name without extension.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Explanation for the reader.
    pub about: &'static str,
    /// The owner of the rows.
    pub whose: RowOwner,
    /// Selects the rows by `:id`, or by `:email` between `:since` and `:until`. `{profile}` is replaced by the
    /// profile's columns.
    sql: &'static str,
}

impl Section {
    /// The SQL statement.
    pub fn statement(&self) -> String {
        self.sql.replace("{profile}", &PROFILE).replace("{opened}", OPENED)
    }
}

/// The profile's columns.
static PROFILE: LazyLock<String> = LazyLock::new(|| {
    let fields = Profile::COLUMNS.iter().zip(Profile::WIRE);
    let columns = fields.map(|(column, wire)| match *column {
        "province" => "coalesce(province, region) as province".to_owned(),
        "transferring_credits" => "transferring_credits as isTransferringCredits".to_owned(),
        _ => format!("{column} as {wire}"),
    });
    columns.collect::<Vec<_>>().join(", ")
});

/// SQL: an application `r` whose applicant's mailbox has shown that the application is its own, by opening a link of it or
/// since the family confirmed the account's address, or the office linked it before such was asked: anyone can type an
/// address into the form.
const OPENED: &str = "(exists (select 1 from admission_openings p where p.request_id = r.id and p.email = :email)
    or r.account_confirmed_at is not null and r.account_email = :email
    or r.account_email is null and exists (select 1 from students s where s.id = r.student_id and s.email = :email))";

/// Every section, in the order of the index.
pub const SECTIONS: [Section; 40] = [
    Section {
        name: "profile",
        title: "Profile and account",
        about: "Your password is not here: the school has only a hash of it.",
        whose: RowOwner::Account,
        sql: "select id as accountNumber, student_number as studentNumber, email, pending_email as pendingEmail, status,
                  {profile},
                  origin as madeBy, suspended_reason as suspendedReason, closed_reason as closedReason,
                  closed_at as closedAt, merged_into as goesOnAs, identity_checked_at as identityCheckedAt,
                  identity_changed_at as identityChangedAt, guardian_changed_at as guardianChangedAt, created_at as createdAt, updated_at as updatedAt,
                  last_activity_at as lastActivityAt, family_page_since as familyPageKeptAt
              from students where id = :id or merged_into = :id order by id = :id desc, id",
    },
    Section {
        name: "guardians",
        title: "Parents and guardians",
        about: "The parents or guardians you named.",
        whose: RowOwner::Account,
        sql: "select id as number, name, email, phone, relationship, is_primary as isPrimary,
                  gets_mail as isWrittenTo, created_at as namedAt, stopped_at as stoppedAt
              from guardians
              where student_id in (select :id union all select id from students where merged_into = :id)
              order by is_primary desc, id",
    },
    Section {
        name: "guardians-confirmations",
        title: "What parents and guardians confirmed",
        about: "One that is void counts for nothing.",
        whose: RowOwner::Account,
        sql: "select k.guardian_id as guardian, k.enrollment_id as enrollment, k.until, k.how,
                  k.name_typed as nameTyped, k.text_version as textVersion, k.at as at, k.void_at as voidAt,
                  k.void_why as voidWhy
              from confirmations k
              where k.student_id in (select :id union all select id from students where merged_into = :id)
              order by k.at, k.id",
    },
    Section {
        name: "guardians-asked",
        title: "Emails that asked a parent or guardian to confirm",
        about: "With the last reminder, in days after the first email.",
        whose: RowOwner::Account,
        sql: "select a.guardian_id as guardian, a.enrollment_id as enrollment, a.asked_at as askedAt,
                  a.reminded_days as remindedAfterDays, coalesce(a.sent_at, a.asked_at) as lastWrittenAt
              from guardians g cross join confirmation_asks a on a.guardian_id = g.id
              where g.student_id in (select :id union all select id from students where merged_into = :id)
              order by a.asked_at, a.enrollment_id",
    },
    Section {
        name: "changes",
        title: "Changes of your profile",
        about: "Every change, with what was there before: former names, addresses and email addresses.",
        whose: RowOwner::Account,
        sql: "select h.at as at, h.actor_kind as changedBy, h.field, h.before, h.after, h.reason
              from student_history h
              where h.student_id in (select :id union all select id from students where merged_into = :id)
              order by h.at, h.id",
    },
    Section {
        name: "enrollments",
        title: "Enrollments, marks and credits",
        about: "Of several marks in one course the best one earns the credit.",
        whose: RowOwner::Account,
        sql: "select e.id as number, c.code, c.name as course, c.grade, x.label as section, t.name as term, e.start_date as startDate,
                  e.end_date as endDate, e.status, e.midterm_mark as midtermMark, e.midterm_on as midtermOn,
                  e.final_mark as finalMark, e.mark_at as markAt,
                  iif(e.credits_hundredths is null, null, printf('%.2f', iif(exists (
                      select 1 from better_attempts b where b.id = e.id), 0, e.credits_hundredths) / 100.0)) as credits,
                  e.repeat_of as repeatOf, e.reason, e.leave_asked_at as leaveAskedAt, e.leave_reason as leaveReason,
                  e.withdrawn_on as withdrawnOn, e.waitlisted_at as waitlistedAt,
                  e.offered_until as placeOfferedUntilAt,
                  iif(e.quoted_price_cents is null, null, printf('%.2f', e.quoted_price_cents / 100.0)) as quotedPrice, e.quoted_at as quotedAt,
                  iif(e.charged_price_cents is null, null, printf('%.2f', e.charged_price_cents / 100.0)) as chargedPrice,
                  e.created_at as requestedAt, e.decided_at as decidedAt, e.approved_at as approvedAt
              from enrollments e join courses c on c.id = e.course_id
                  left join sections x on x.id = e.section_id left join terms t on t.id = x.term_id
              where e.student_id = :id order by e.created_at, e.id",
    },
    Section {
        name: "decisions",
        title: "What happened to your enrollments",
        about: "Every step and decision, with its reason.",
        whose: RowOwner::Account,
        sql: "select v.enrollment_id as enrollment, v.at as at, v.verb as what, v.actor_kind as decidedBy,
                  v.from_status as fromStatus, v.to_status as toStatus, v.reason, v.effective_on as effectiveOn,
                  v.mark, v.missing, v.overrides, v.undoes_id is not null as isUndo
              from enrollments e cross join enrollment_events v on v.enrollment_id = e.id
              where e.student_id = :id order by v.at, v.id",
    },
    Section {
        name: "credits-from-elsewhere",
        title: "Credits from other schools",
        about: "As the office recorded them; one that is void counts for nothing.",
        whose: RowOwner::Account,
        sql: "select id as number, code, name, credits_hundredths / 100.0 as credits, mark,
                  completed_on as completedOn, school, document_id as document, recorded_at as recordedAt,
                  changed_at as changedAt, voided_at as voidedAt, voided_reason as voidedReason
              from external_credits where student_id = :id order by completed_on, id",
    },
    Section {
        name: "ledger",
        title: "Charges and payments",
        about: "In Canadian dollars.",
        whose: RowOwner::Account,
        sql: "select l.id as number, l.kind, printf('%.2f', l.amount_cents / 100.0) as amount,
                  l.enrollment_id as enrollment, l.admission_id as admission, l.reverses_id as reverses, l.note, l.description, l.item,
                  printf('%.2f', l.tax_cents / 100.0) as tax, l.payment_id as payment, l.due_on as dueOn,
                  l.created_at as createdAt
              from ledger l where l.id in (
                  select l.id from enrollments e cross join ledger l on l.enrollment_id = e.id
                      where e.student_id = :id
                  union all select l.id from admission_requests r cross join admissions a on a.request_id = r.id
                      cross join ledger l on l.admission_id = a.id where r.student_id = :id)
              order by l.created_at, l.id",
    },
    Section {
        name: "payments",
        title: "Payments and their receipts",
        about: "In Canadian dollars. A receipt is void once its payment was reversed; “says” is what it said when it \
            was issued, with amounts in cents.",
        whose: RowOwner::Account,
        sql: "select p.id as number, printf('%.2f', p.amount_cents / 100.0) as amount, p.method, p.reference,
                  p.payer_name as payerName, p.received_on as receivedOn, p.deposited_on as depositedOn,
                  p.created_at as recordedAt, t.number as receipt, t.issued_at as issuedAt, t.body_json as says,
                  t.voided_at as voidedAt, t.void_reason as voidReason
              from student_payments m cross join payments p on p.id = m.id
                  left join receipts t on t.payment_id = p.id
              where m.student_id = :id order by p.created_at, p.id",
    },
    Section {
        name: "invoices",
        title: "Invoices",
        about: "“says” is what it said when it was issued, with amounts in cents.",
        whose: RowOwner::Account,
        sql: "select number, issued_on as issuedOn, due_on as dueOn, printf('%.2f', total_cents / 100.0) as amount,
                  body_json as says, created_at as recordedAt, sent_at as sentAt, cancelled_at as cancelledAt,
                  cancel_reason as reason, credit_note_number as creditNote
              from invoices
              where student_id in (select :id union all select id from students where merged_into = :id) order by id",
    },
    Section {
        name: "payouts",
        title: "Refunds",
        about: "In Canadian dollars: of what lay on account, or with a refund in the ledger.",
        whose: RowOwner::Account,
        sql: "select id as number, printf('%.2f', amount_cents / 100.0) as amount, method, reference,
                  paid_on as paidOn, reason, payment_id as payment, ledger_id as refund,
                  reverses_id as reverses, created_at as recordedAt
              from payouts where student_id in (select :id union all select id from students where merged_into = :id)
              order by created_at, id",
    },
    Section {
        name: "instalments",
        title: "Fees in parts",
        about: "In Canadian dollars; a plan that has ended was replaced.",
        whose: RowOwner::Account,
        sql: "select i.enrollment_id as enrollment, i.n, i.due_on as dueOn,
                  printf('%.2f', i.amount_cents / 100.0) as amount, i.created_at as createdAt, i.ended_at as endedAt
              from enrollments e cross join instalments i on i.enrollment_id = e.id
              where e.student_id = :id order by i.id",
    },
    Section {
        name: "refunds-due",
        title: "Refunds due to you",
        about: "In Canadian dollars, with the day by which each is due, and how it ended.",
        whose: RowOwner::Account,
        sql: "select t.kind, t.enrollment_id as enrollment, printf('%.2f', t.amount_cents / 100.0) as amount,
                  t.notice_on as noticeOn, t.due_on as dueOn, t.created_at as createdAt, t.done_at as doneAt,
                  t.done_as as doneAs, t.note
              from enrollments e cross join tasks t on t.enrollment_id = e.id
              where e.student_id = :id order by t.id",
    },
    Section {
        name: "reminders",
        title: "Reminders of fees",
        about: "When you were reminded of unpaid fees, in Canadian dollars.",
        whose: RowOwner::Account,
        sql: "select step, printf('%.2f', amount_cents / 100.0) as amount, send_on as sendOn, created_at as createdAt,
                  sent_at as sentAt, dropped
              from reminders where student_id in (select :id union all select id from students where merged_into = :id)
              order by id",
    },
    Section {
        name: "reminder-mode",
        title: "Whether you are reminded of fees",
        about: "What was agreed with the office.",
        whose: RowOwner::Account,
        sql: "select mode, note, until_on as until, set_at as setAt from reminder_modes
              where student_id in (select :id union all select id from students where merged_into = :id)",
    },
    Section {
        name: "skipped-reminders",
        title: "Reminders of fees that were skipped",
        about: "On which days the office sent none, and why.",
        whose: RowOwner::Account,
        sql: "select skipped_on as day, reason, created_at as createdAt, undone_at as undoneAt from reminder_skips
              where student_id in (select :id union all select id from students where merged_into = :id)
              order by id",
    },
    Section {
        name: "set-aside",
        title: "Money on account that was set aside",
        about: "What for, and until when.",
        whose: RowOwner::Account,
        sql: "select printf('%.2f', amount_cents / 100.0) as amount, held_for as heldFor, until_on as until, created_at as createdAt,
                  ended_at as endedAt from account_holds
              where student_id in (select :id union all select id from students where merged_into = :id)
              order by id",
    },
    Section {
        name: "payment-code",
        title: "Your code for payments",
        about: "What you write into the message of a transfer, behind the school's letters.",
        whose: RowOwner::Account,
        sql: "select code from payment_codes
              where student_id in (select :id union all select id from students where merged_into = :id)",
    },
    Section {
        name: "documents",
        title: "Documents",
        about: "The files themselves are in the folder “documents”, each under its number.",
        whose: RowOwner::Account,
        sql: "select id as number, document_type as type, label, original_name as fileName, content_type as contentType,
                  size_bytes as sizeBytes, sha256, status, reject_code as rejectCode, reason, expires_on as expiresOn,
                  uploaded_at as uploadedAt, uploaded_by is not null as isFromOffice, viewed_at as firstViewedAt,
                  reviewed_at as reviewedAt, reminder_sent_at as reminderSentAt, supersedes_id as supersedes, examination,
                  was_signed as wasSigned
              from student_documents where student_id = :id order by uploaded_at, id",
    },
    Section {
        name: "document-decisions",
        title: "What was decided about your documents",
        about: "",
        whose: RowOwner::Account,
        sql: "select document_id as document, at as at, actor_kind as decidedBy, verb as what, from_status as fromStatus,
                  to_status as toStatus, reject_code as rejectCode, reason, expires_on as expiresOn,
                  undoes_id is not null as isUndo
              from document_events where student_id = :id order by at, id",
    },
    Section {
        name: "document-waivers",
        title: "Documents that the school does not ask you for",
        about: "",
        whose: RowOwner::Account,
        sql: "select r.document_type as type, r.label as document, w.reason, w.at as at
              from document_waivers w cross join document_requirements r on r.id = w.requirement_id
              where w.student_id = :id order by w.at, w.requirement_id",
    },
    Section {
        name: "removed-documents",
        title: "Documents that were removed",
        about: "Their files are gone.",
        whose: RowOwner::Account,
        sql: "select document_id as number, document_type as type, size_bytes as sizeBytes, sha256,
                  uploaded_at as uploadedAt, cause, removed_at as removedAt
              from document_removals where student_id = :id order by removed_at, document_id",
    },
    Section {
        name: "emails",
        title: "Emails that the school sent to you",
        about: "The text of an email is not kept once it is sent, and neither is the email 90 days later.",
        whose: RowOwner::Address,
        sql: "select recipient, kind, subject, state as status, created_at as writtenAt, sent_at as sentAt,
                  attempts, last_error as lastError
              from outbox where recipient = :email and created_at between :since and :until
              order by created_at, id",
    },
    Section {
        name: "messages",
        title: "Messages that you wrote to the school",
        about: "What came through the contact form under an email address of yours.",
        whose: RowOwner::Address,
        sql: "select id as number, name, email, phone, subject, message, status, created_at as sentAt
              from contact_messages
              where email = :email and created_at between :since and :until order by created_at, id",
    },
    Section {
        name: "message-replies",
        title: "What followed your messages",
        about: "What the school replied, and what you answered, as the office entered it.",
        whose: RowOwner::Address,
        sql: "select m.id as message, r.kind, r.body as text, r.at as at
              from contact_messages m cross join message_replies r on r.message_id = m.id
              where m.email = :email and m.created_at between :since and :until order by r.at, r.id",
    },
    Section {
        name: "message-notes",
        title: "Notes of the office about your messages",
        about: "That there are notes, and when they were written. They may speak of other people, so the office \
            goes through them first: ask for them with a request for access.",
        whose: RowOwner::Address,
        sql: "select m.id as message, n.created_at as writtenAt
              from contact_messages m cross join message_notes n on n.message_id = m.id
              where m.email = :email and m.created_at between :since and :until order by n.created_at, n.id",
    },
    Section {
        name: "message-decisions",
        title: "What the office did with your messages",
        about: "",
        whose: RowOwner::Address,
        sql: "select m.id as message, v.at as at, v.verb as what, v.from_status as fromStatus,
                  v.to_status as toStatus, v.undoes_id is not null as isUndo
              from contact_messages m cross join message_events v on v.message_id = m.id
              where m.email = :email and m.created_at between :since and :until order by v.at, v.id",
    },
    Section {
        name: "admission-requests",
        title: "Requests for a place",
        about: "Under an email address of yours.",
        whose: RowOwner::Address,
        sql: "select r.reference, r.first_name as firstName, r.last_name as lastName, r.date_of_birth as dateOfBirth,
                  r.gender, r.email, r.phone, r.country, r.address, r.city, r.province, r.postal_code as postalCode,
                  r.grade, r.previous_school as previousSchool, r.guardian_name as guardianName,
                  r.guardian_email as guardianEmail, r.guardian_phone as guardianPhone, r.relationship,
                  r.start_term as startTerm, r.wanted_courses as wantedCourses, r.message, r.language, r.source,
                  r.status, r.state_since as statusSinceAt, r.created_at as askedAt, a.status as admission,
                  a.enrollment_date as admittedAt
              from admission_requests r left join admissions a on a.request_id = r.id
              where r.email = :email and {opened} and r.created_at between :since and :until order by r.created_at, r.id",
    },
    Section {
        name: "admission-events",
        title: "What happened to your requests for a place",
        about: "Every step, with what the school asked and what was answered.",
        whose: RowOwner::Address,
        sql: "select r.reference, e.at as at, e.actor_kind as doneBy, e.verb as what, e.from_status as fromStatus,
                  e.to_status as toStatus, e.reason, e.code, e.asked, e.wants, e.answer,
                  e.undoes_id is not null as isUndo
              from admission_requests r cross join admission_events e on e.request_id = r.id
              where r.email = :email and {opened} and r.created_at between :since and :until order by e.at, e.id",
    },
    Section {
        name: "admission-offers",
        title: "Places that you were offered",
        about: "With the words of the agreement.",
        whose: RowOwner::Address,
        sql: "select r.reference, printf('%.2f', o.fee_due_cents / 100.0) as feeDue,
                  iif(o.deposit_cents is null, null, printf('%.2f', o.deposit_cents / 100.0)) as deposit,
                  o.deposit_due_on as depositDueOn, o.fee_due_on as feeDueOn, o.expires_on as expiresOn, o.conditions, t.body as agreement,
                  o.sent_at as sentAt, o.reminded_at as remindedAt, o.accepted_at as acceptedAt,
                  o.accepted_name as acceptedName, o.declined_at as declinedAt, o.decline_reason as declineReason,
                  o.ended_at as endedAt, o.taken_back_at as takenBackAt
              from admission_requests r cross join admission_offers o on o.request_id = r.id
                  join texts t on t.id = o.text_version_id
              where r.email = :email and {opened} and r.created_at between :since and :until order by o.sent_at, o.id",
    },
    Section {
        name: "admission-documents",
        title: "Documents sent with your requests for a place",
        about: "One that has become yours is among your documents under that number, with its file.",
        whose: RowOwner::Address,
        sql: "select r.reference, d.document_type as type, d.label, d.original_name as fileName,
                  d.content_type as contentType, d.size_bytes as sizeBytes, d.sha256, d.was_signed as wasSigned,
                  d.uploaded_at as uploadedAt, d.moved_to as document
              from admission_requests r cross join admission_documents d on d.request_id = r.id
              where r.email = :email and {opened} and r.created_at between :since and :until order by d.uploaded_at, d.id",
    },
    Section {
        name: "mailed-links",
        title: "Links to your requests for a place that were sent to you",
        about: "And the browsers that opened one, for a day.",
        whose: RowOwner::Address,
        sql: "select l.purpose as what, l.email, l.created_at as sinceAt, l.expires_at as expiresAt,
                  l.used_at as usedAt
              from admission_requests r cross join links l on l.purpose = 'application' and l.subject_id = r.id
              where r.email = :email and {opened} and l.email = :email and l.created_at between :since and :until
              order by l.created_at",
    },
    Section {
        name: "consents",
        title: "What you agreed to",
        about: "Which version of which text, its words, and when. A row that says it was not asked was written by an \
            earlier program, and no screen had asked for it.",
        whose: RowOwner::Account,
        sql: "select consents.kind, text_version as textVersion, is_given as isGiven, was_asked as wasAsked, at as at,
                  enrollment_id as enrollment, title, text
              from consents left join accepted_texts on version = text_version
              where student_id in (select :id union all select id from students where merged_into = :id)
              order by at, id",
    },
    Section {
        name: "message-consents",
        title: "What an earlier program noted with your messages",
        about: "It recorded an agreement for every message without asking.",
        whose: RowOwner::Address,
        sql: "select c.kind, c.text_version as textVersion, c.is_given as isGiven, c.was_asked as wasAsked, c.at as at
              from contact_messages m cross join consents c on c.message_id = m.id
              where m.email = :email and m.created_at between :since and :until order by c.at, c.id",
    },
    Section {
        name: "sign-ins",
        title: "Where you are signed in, links that were sent to you, and your second factor",
        about: "The kind of device is all that is kept of it. Of a second factor, what your app has and the \
            recovery codes themselves are not here: anyone who had them could log in.",
        whose: RowOwner::Account,
        sql: "select 'session' as what, data ->> 'device' as device, null as email, created_at as sinceAt,
                  last_seen_at as lastSeenAt, expires_at as expiresAt, null as usedAt
              from sessions where kind = 'student' and subject_id = :id
              union all
              select purpose || ' link', null, email, created_at, null, expires_at, used_at
              from student_tokens where student_id = :id
              union all
              select 'second factor', null, null, confirmed_at, null, null, null
              from second_factors where portal = 'student' and account_id = :id and confirmed_at is not null
              union all
              select 'recovery code', null, null, null, null, null, used_at
              from recovery_codes where portal = 'student' and account_id = :id
              union all
              select 'passkey', name, null, created_at, last_used_at, null, null
              from passkeys where portal = 'student' and account_id = :id",
    },
    Section {
        name: "who-looked",
        title: "What the office did with your record, and who looked",
        about: "By role in the office. Ask us if you need to know who it was.",
        whose: RowOwner::Account,
        sql: "select a.at as at, a.action, a.object, a.object_id as number,
                  coalesce((select role from users u where u.id = a.user_id), 'the server') as role
              from audit a where a.id in (
                  select id from audit where object = 'student' and object_id = :id
                  union all select b.id from enrollments e
                      cross join audit b on b.object = 'enrollment' and b.object_id = e.id where e.student_id = :id
                  union all select b.id from student_documents d
                      cross join audit b on b.object = 'document' and b.object_id = d.id where d.student_id = :id
                  union all select b.id from document_removals d
                      cross join audit b on b.object = 'document' and b.object_id = d.document_id
                      where d.student_id = :id)
              order by a.at, a.id",
    },
    Section {
        name: "requests",
        title: "What you asked about your data",
        about: "",
        whose: RowOwner::Account,
        sql: "select kind, asked_by as askedBy, details, received_on as receivedOn, due_on as dueOn, status,
                  created_at as createdAt, decided_at as decidedAt, decision
              from privacy_requests where student_id = :id order by created_at, id",
    },
    Section {
        name: "retention",
        title: "What may be deleted soon",
        about: "What has been kept long enough, or what you asked to be deleted; the office reviews it first.",
        whose: RowOwner::Account,
        sql: "select class as what, due_on as dueOn, is_asked as isAsked, proposed_at as proposedAt, held_at as heldAt
              from retention_proposals where student_id = :id order by due_on, id",
    },
    Section {
        name: "notes",
        title: "Notes of the office",
        about: "That there are notes, and when they were written. They may speak of other people, so the office \
            goes through them first: ask for them with a request for access.",
        whose: RowOwner::Account,
        sql: "select created_at as writtenAt, edited_at as editedAt, deleted_at as deletedAt from student_notes
              where student_id = :id order by created_at, id",
    },
];
