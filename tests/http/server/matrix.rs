//! The matrix of roles, as the school decided it, held against every endpoint of the office. The walk beside
//! it shows that the endpoints do what they declare; this shows that what they declare is meant.

use schoolhouse::testing::{ClosedSet, Office, Role};

use super::access::{Endpoint, endpoints};

/// Which roles may call what: admin, registrar, bursar, viewer. The first line that fits an endpoint holds,
/// and a method of `*` fits all.
const MATRIX: &[(&str, &str, [bool; 4])] = &[
    // The own account.
    ("*", "/api/user", [true, true, true, true]),
    // Read by every role: the catalogue, classes, requests, names and contacts, totals.
    ("GET", "/api/admin/courses", [true, true, true, true]),
    ("GET", "/api/admin/dashboard", [true, true, true, true]),
    ("GET", "/api/admin/enrollments", [true, true, true, true]),
    // What waits differs by the role: each is told what it can act on.
    ("GET", "/api/admin/waiting", [true, true, true, true]),
    ("GET", "/api/admin/search", [true, true, true, true]),
    ("GET", "/api/admin/students/identity-changes", [true, true, false, false]),
    ("GET", "/api/admin/students/{id}/archive", [true, false, false, false]),
    ("GET", "/api/admin/students/{id}/closing", [true, true, false, false]),
    ("GET", "/api/admin/students/{id}/external-credits", [true, true, false, true]),
    ("GET", "/api/admin/students/{id}/ledger", [true, true, true, false]),
    ("GET", "/api/admin/students/{id}/statement", [true, true, true, false]),
    ("GET", "/api/admin/students", [true, true, true, true]),
    // The schedule is read by every role; the bursar changes prices alone, which the handler sees to.
    ("GET", "/api/admin/terms", [true, true, true, true]),
    ("GET", "/api/admin/sections", [true, true, true, true]),
    ("PATCH", "/api/admin/sections", [true, true, true, false]),
    ("*", "/api/admin/terms", [true, true, false, false]),
    ("*", "/api/admin/sections", [true, true, false, false]),
    // Written by those who run the school.
    ("*", "/api/admin/courses", [true, true, false, false]),
    ("*", "/api/admin/decisions", [true, true, false, false]),
    ("PUT", "/api/admin/enrollments/{id}/instalments", [true, false, true, false]),
    ("POST", "/api/admin/enrollments/{id}/refund-proposal", [true, false, true, false]),
    ("*", "/api/admin/enrollments", [true, true, false, false]),
    ("*", "/api/admin/student-notes", [true, true, false, false]),
    ("POST", "/api/admin/students/{id}/charges", [true, false, true, false]),
    ("POST", "/api/admin/students/{id}/refunds", [true, false, true, false]),
    ("*", "/api/admin/students/{id}/hold", [true, false, true, false]),
    ("*", "/api/admin/students/{id}/reminders", [true, false, true, false]),
    ("POST", "/api/admin/students/{id}/statement", [true, false, true, false]),
    // A document is waived by the registrar, a fee by the bursar.
    ("POST", "/api/admin/students/{id}/waivers", [true, true, true, false]),
    ("POST", "/api/admin/students/{id}/merge", [true, false, false, false]),
    ("*", "/api/admin/students", [true, true, false, false]),
    // Money: written by the bursar, read by the registrar.
    ("POST", "/api/admin/charges", [true, false, true, false]),
    ("GET", "/api/admin/invoices", [true, true, true, false]),
    ("POST", "/api/admin/invoices", [true, false, true, false]),
    ("POST", "/api/admin/ledger", [true, false, true, false]),
    ("GET", "/api/admin/money/summary", [true, true, true, true]),
    ("GET", "/api/admin/money/balances", [true, true, true, false]),
    ("POST", "/api/admin/money/apply", [true, false, true, false]),
    ("GET", "/api/admin/money/months", [true, true, true, false]),
    ("POST", "/api/admin/payouts", [true, false, true, false]),
    ("GET", "/api/admin/money/refunds-due", [true, true, true, false]),
    ("POST", "/api/admin/money/refunds-due", [true, false, true, false]),
    ("*", "/api/admin/refund-policies", [true, false, true, false]),
    ("*", "/api/admin/bank-imports", [true, false, true, false]),
    ("*", "/api/admin/reminders", [true, false, true, false]),
    ("POST", "/api/admin/payments", [true, false, true, false]),
    ("GET", "/api/admin/payments", [true, true, true, false]),
    ("GET", "/api/admin/receipts", [true, true, true, false]),
    // Documents are nothing to the bursar, who reads assigned messages.
    ("GET", "/api/admin/admission-requests/assignees", [true, true, false, false]),
    ("GET", "/api/admin/admission-requests/usual-offer", [true, true, false, false]),
    ("GET", "/api/admin/admission-requests", [true, true, false, true]),
    ("*", "/api/admin/admission-requests", [true, true, false, false]),
    ("*", "/api/admin/admissions", [true, true, false, false]),
    // What families agree to with an offer; only the school's head changes it.
    ("GET", "/api/admin/texts", [true, true, false, true]),
    ("POST", "/api/admin/texts", [true, false, false, false]),
    ("*", "/api/admin/document-requirements", [true, true, false, false]),
    ("*", "/api/admin/documents", [true, true, false, false]),
    ("GET", "/api/documents", [true, true, false, false]),
    ("GET", "/api/admin/messages/assignees", [true, true, false, false]),
    ("GET", "/api/admin/messages", [true, true, true, false]),
    ("*", "/api/admin/reply-templates", [true, true, false, false]),
    ("GET", "/api/admin/admission-documents", [true, true, false, false]),
    ("*", "/api/admin/messages", [true, true, false, false]),
    ("*", "/api/admin/mail", [true, true, false, false]),
    // The office itself.
    ("*", "/api/admin/staff", [true, false, false, false]),
    ("*", "/api/admin/settings/money", [true, false, true, false]),
    ("*", "/api/admin/settings", [true, false, false, false]),
    ("*", "/api/admin/first-steps", [true, false, false, false]),
    ("POST", "/api/admin/pictures", [true, false, false, false]),
    ("*", "/api/admin/privacy-requests", [true, false, false, false]),
    ("GET", "/api/admin/consents", [true, false, false, false]),
    ("*", "/api/admin/retention", [true, false, false, false]),
    ("*", "/api/admin/breaches", [true, false, false, false]),
    ("GET", "/api/admin/audit/chain", [true, false, false, false]),
    ("GET", "/api/admin/audit", [true, true, true, false]),
];

/// What takes a proof of the last ten minutes, beside every list as a sheet: what leads into accounts, and what
/// moves or reveals the data of people in bulk.
const RECENT: &[&str] = &[
    "POST /api/admin/admission-requests/{id}/link",
    "POST /api/admin/admission-requests/{id}/resume",
    "POST /api/admin/courses/import",
    "POST /api/admin/courses/{id}/emails",
    "PATCH /api/admin/privacy-requests/{id}",
    "POST /api/admin/retention/{class}/confirm",
    "PUT /api/admin/settings/money",
    "POST /api/admin/settings/publish",
    "POST /api/admin/staff/invitations",
    "POST /api/admin/staff/invitations/{id}/resend",
    "PATCH /api/admin/staff/{id}",
    "POST /api/admin/staff/{id}/disable",
    "POST /api/admin/staff/{id}/enable",
    "POST /api/admin/staff/{id}/end-sessions",
    "POST /api/admin/staff/{id}/reset-second-factor",
    "POST /api/admin/staff/{id}/send-password-link",
    "POST /api/admin/students/emails",
    "POST /api/admin/students/import",
    "POST /api/admin/students/resend-verification",
    "GET /api/admin/students/{id}/archive",
    "POST /api/admin/students/{id}/close",
    "POST /api/admin/students/{id}/email",
    "PUT /api/admin/students/{id}/guardians",
    "POST /api/admin/students/{id}/guardians/{guardianId}/resume",
    "POST /api/admin/students/{id}/merge",
    "POST /api/admin/students/{id}/reinstate",
    "POST /api/admin/students/{id}/reset-second-factor",
    "POST /api/admin/students/{id}/send-password-link",
    "POST /api/admin/students/{id}/suspend",
    "POST /api/user/passkeys",
    "POST /api/user/passkeys/begin",
    "DELETE /api/user/passkeys/{id}",
    "GET /api/user/proof",
    "DELETE /api/user/sessions",
    "DELETE /api/user/sessions/{id}",
];

/// Every other endpoint of the office, by why it takes none.
const WITHOUT_PROOF: &[(&str, &[&str])] = &[
    (
        "asks for the password itself, and with a second factor for its recent proof",
        &[
            "POST /api/user/email",
            "POST /api/user/password",
            "POST /api/user/second-factor",
            "POST /api/user/second-factor/confirm",
        ],
    ),
    (
        "asks for the password and the second factor itself, or is that proof",
        &[
            "POST /api/user/passkeys/ask",
            "POST /api/user/proof",
            "POST /api/user/second-factor/recovery-codes",
            "POST /api/user/second-factor/turn-off",
        ],
    ),
    (
        "is about the own account, and opens nothing",
        &[
            "GET /api/user",
            "PUT /api/user/digest",
            "POST /api/user/old-browser",
            "PATCH /api/user/passkeys/{id}",
            "GET /api/user/second-factor",
            "GET /api/user/sessions",
        ],
    ),
    (
        "decides about requests, as the office does all day: each decision is in the history and can be taken back",
        &[
            "POST /api/admin/admission-requests/ask",
            "POST /api/admin/admission-requests/decline",
            "POST /api/admin/admission-requests/offer",
            "POST /api/admin/admission-requests/remind",
            "POST /api/admin/admission-requests/waitlist",
            "POST /api/admin/admission-requests/{id}/ask",
            "POST /api/admin/admission-requests/{id}/decline",
            "POST /api/admin/admission-requests/{id}/offer",
            "POST /api/admin/admission-requests/{id}/remind",
            "POST /api/admin/admission-requests/{id}/reopen",
            "POST /api/admin/admission-requests/{id}/start-review",
            "POST /api/admin/admission-requests/{id}/waitlist",
            "POST /api/admin/admission-requests/{id}/withdraw",
            "POST /api/admin/admissions/{id}/cancel",
            "POST /api/admin/decisions/{id}/undo",
            "POST /api/admin/documents/{id}/accept",
            "POST /api/admin/documents/{id}/reject",
            "POST /api/admin/documents/{id}/reopen",
            "POST /api/admin/enrollments",
            "POST /api/admin/enrollments/approve",
            "POST /api/admin/enrollments/approve/preview",
            "POST /api/admin/enrollments/decline",
            "POST /api/admin/enrollments/waitlist",
            "POST /api/admin/enrollments/{id}/approve",
            "POST /api/admin/enrollments/{id}/complete",
            "POST /api/admin/enrollments/{id}/dates",
            "POST /api/admin/enrollments/{id}/decline",
            "POST /api/admin/enrollments/{id}/midterm",
            "POST /api/admin/enrollments/{id}/refuse-leave",
            "POST /api/admin/enrollments/{id}/reopen",
            "POST /api/admin/enrollments/{id}/reverse-approval",
            "POST /api/admin/enrollments/{id}/transfer",
            "POST /api/admin/sections/{id}/cancel",
            "POST /api/admin/sections/{id}/classes/cancel",
            "POST /api/admin/sections/{id}/classes/restore",
            "POST /api/admin/sections/{id}/transfer",
            "POST /api/admin/enrollments/{id}/waitlist",
            "POST /api/admin/enrollments/{id}/withdraw",
            "POST /api/admin/messages/close",
            "POST /api/admin/messages/spam",
            "POST /api/admin/messages/{id}/answers",
            "POST /api/admin/messages/{id}/close",
            "POST /api/admin/messages/{id}/not-spam",
            "POST /api/admin/messages/{id}/reopen",
            "POST /api/admin/messages/{id}/reply",
            "POST /api/admin/messages/{id}/spam",
        ],
    ),
    (
        "records what was received, as the bursar does all day: nothing is edited, and a mistake is reversed",
        &[
            "POST /api/admin/bank-imports",
            "POST /api/admin/bank-imports/forget-columns",
            "POST /api/admin/bank-imports/{id}/ignore",
            "POST /api/admin/bank-imports/{id}/post",
            "POST /api/admin/bank-imports/{id}/reopen",
            "POST /api/admin/bank-imports/{id}/returned",
            "POST /api/admin/bank-imports/{id}/same",
            "POST /api/admin/bank-imports/{id}/undo",
            "POST /api/admin/charges",
            "PUT /api/admin/enrollments/{id}/instalments",
            "POST /api/admin/invoices",
            "POST /api/admin/invoices/{number}/cancel",
            "POST /api/admin/invoices/{number}/send",
            "POST /api/admin/ledger/{id}/reverse",
            "POST /api/admin/money/apply",
            "POST /api/admin/money/apply/{id}/undo",
            "POST /api/admin/money/refunds-due/{id}/settle",
            "POST /api/admin/payments",
            "POST /api/admin/payments/deposited",
            "POST /api/admin/payments/divided",
            "POST /api/admin/payments/{id}/allocate",
            "POST /api/admin/payments/{id}/move",
            "POST /api/admin/payments/{id}/reverse",
            "POST /api/admin/payouts/{id}/reverse",
            "DELETE /api/admin/students/{id}/hold",
            "POST /api/admin/students/{id}/hold",
            "POST /api/admin/students/{id}/refunds",
            "POST /api/admin/reminders",
            "PUT /api/admin/students/{id}/reminders",
            "POST /api/admin/students/{id}/reminders/skip",
            "POST /api/admin/students/{id}/reminders/unskip",
            "POST /api/admin/students/{id}/statement",
        ],
    ),
    (
        "enters marks of one class: every mark keeps the one before it",
        &["POST /api/admin/courses/{id}/marks"],
    ),
    (
        "records what another school gave: the history keeps what it was, and nothing is deleted",
        &[
            "POST /api/admin/students/{id}/external-credits",
            "PATCH /api/admin/students/{id}/external-credits/{creditId}",
        ],
    ),
    (
        "concerns one student, who stays reachable as before: the history keeps what it was",
        &[
            "POST /api/admin/admission-requests",
            "PATCH /api/admin/admission-requests/{id}",
            "POST /api/admin/admission-requests/{id}/assign",
            "POST /api/admin/admission-requests/{id}/notes",
            "DELETE /api/admin/documents/{id}",
            "POST /api/admin/documents/{id}/file",
            "POST /api/admin/documents/{id}/write-off",
            "DELETE /api/admin/student-notes/{id}",
            "PATCH /api/admin/student-notes/{id}",
            "POST /api/admin/students",
            "PATCH /api/admin/students/{id}",
            "POST /api/admin/students/{id}/charges",
            "POST /api/admin/students/{id}/confirm-identity",
            "POST /api/admin/students/{id}/documents",
            "POST /api/admin/students/{id}/emails",
            "POST /api/admin/students/{id}/guardian-confirmed",
            "DELETE /api/admin/students/{id}/guardian-confirmed",
            "POST /api/admin/admission-requests/{id}/real",
            "POST /api/admin/admission-requests/{id}/stop",
            "POST /api/admin/students/{id}/guardians/{guardianId}/stop",
            "POST /api/admin/students/{id}/notes",
            "POST /api/admin/admission-requests/invite",
            "POST /api/admin/admission-requests/{id}/invite",
            "POST /api/admin/students/remind-guardians",
            "POST /api/admin/students/{id}/resend-verification",
            "POST /api/admin/students/{id}/waivers",
            "DELETE /api/admin/students/{id}/waivers/{requirementId}",
        ],
    ),
    (
        "notes something, moves nothing and shows nothing: what follows from it takes a proof",
        &[
            "POST /api/admin/breaches",
            "POST /api/admin/documents/{id}/looking",
            "PATCH /api/admin/breaches/{id}",
            "POST /api/admin/messages/{id}/assign",
            "POST /api/admin/messages/{id}/notes",
            "POST /api/admin/messages/{id}/read",
            "POST /api/admin/messages/{id}/unread",
            "POST /api/admin/privacy-requests",
            "POST /api/admin/retention",
            "POST /api/admin/retention/proposals/{id}/hold",
            "POST /api/admin/retention/proposals/{id}/release",
            "POST /api/admin/staff/invitations/{id}/withdraw",
        ],
    ),
    (
        "sends the same email again to the same mailbox",
        &["POST /api/admin/mail/retry", "POST /api/admin/mail/{id}/retry"],
    ),
    (
        "sends nothing, and can be taken back",
        &[
            "POST /api/admin/first-steps/hide",
            "POST /api/admin/first-steps/show",
            "POST /api/admin/mail/{id}/settle",
            "POST /api/admin/reply-templates",
            "DELETE /api/admin/reply-templates/{id}",
            "PATCH /api/admin/reply-templates/{id}",
            "PUT /api/admin/document-requirements",
            "POST /api/admin/texts",
        ],
    ),
    (
        "sends nothing: it shows how an email would read, to one student",
        &[
            "POST /api/admin/admission-requests/offer/preview",
            "POST /api/admin/admission-requests/{id}/offer/preview",
            "POST /api/admin/courses/{id}/emails/preview",
            "POST /api/admin/enrollments/{id}/decline/preview",
            "POST /api/admin/students/emails/preview",
        ],
    ),
    (
        "is about courses, and no person",
        &[
            "GET /api/admin/sections",
            "POST /api/admin/sections",
            "DELETE /api/admin/sections/{id}",
            "PATCH /api/admin/sections/{id}",
            "POST /api/admin/sections/{id}/preview",
            "GET /api/admin/terms",
            "POST /api/admin/terms",
            "PATCH /api/admin/terms/{id}",
            "POST /api/admin/terms/{id}/copy",
            "POST /api/admin/terms/{id}/preview",
            "POST /api/admin/terms/{id}/open-sections",
            "GET /api/admin/courses",
            "POST /api/admin/courses",
            "DELETE /api/admin/courses/{id}",
            "GET /api/admin/courses/{id}",
            "PATCH /api/admin/courses/{id}",
            "POST /api/admin/courses/{id}/restore",
        ],
    ),
    (
        "is about the draft of the site, which others see only once it is published",
        &[
            "POST /api/admin/pictures",
            "GET /api/admin/settings",
            "POST /api/admin/settings/discard",
            "PUT /api/admin/settings/draft",
            "POST /api/admin/settings/preview",
            "GET /api/admin/settings/versions",
            "POST /api/admin/settings/versions/{id}/restore",
        ],
    ),
    (
        "shows numbers and words, and no person",
        &[
            "GET /api/admin/audit/chain",
            "GET /api/admin/audit/words",
            "GET /api/admin/consents",
            "GET /api/admin/document-requirements",
            "GET /api/admin/documents/proof",
            "GET /api/admin/admission-requests/assignees",
            "GET /api/admin/admission-requests/counts",
            "GET /api/admin/admission-requests/usual-offer",
            "GET /api/admin/enrollments/counts",
            "GET /api/admin/enrollments/{id}/leaving",
            "POST /api/admin/enrollments/{id}/refund-proposal",
            "GET /api/admin/refund-policies",
            "GET /api/admin/reminders",
            "PUT /api/admin/refund-policies",
            "GET /api/admin/messages/assignees",
            "GET /api/admin/reply-templates",
            "GET /api/admin/staff/roles",
            "GET /api/admin/staff/{id}/work",
            "GET /api/admin/settings/money",
            "GET /api/admin/students/flags",
            "GET /api/admin/texts",
        ],
    ),
    (
        "shows one student, message or document: the trail says who looked, and documents are counted by the hour",
        &[
            "GET /api/admin/admission-documents/{id}",
            "GET /api/admin/admission-requests/{id}",
            "GET /api/admin/admission-requests/{id}/family",
            "GET /api/admin/invoices/{number}",
            "GET /api/admin/messages/{id}",
            "GET /api/admin/receipts/{number}",
            "GET /api/admin/students/{id}",
            "GET /api/admin/students/{id}/closing",
            "GET /api/admin/students/{id}/external-credits",
            "GET /api/admin/students/{id}/ledger",
            "GET /api/admin/students/{id}/statement",
            "GET /api/documents/{id}",
        ],
    ),
    (
        "is a screen that the work begins with: what it shows leaves as a file only with a proof",
        &[
            "GET /api/admin/admission-requests",
            "GET /api/admin/audit",
            "GET /api/admin/bank-imports",
            "GET /api/admin/bank-imports/{id}",
            "GET /api/admin/breaches",
            "GET /api/admin/courses/{id}/class-list",
            "GET /api/admin/dashboard",
            "GET /api/admin/first-steps",
            "GET /api/admin/waiting",
            "GET /api/admin/documents",
            "GET /api/admin/documents/{id}",
            "GET /api/admin/enrollments",
            "GET /api/admin/enrollments/pending",
            "GET /api/admin/enrollments/unpriced",
            "GET /api/admin/mail",
            "GET /api/admin/invoices",
            "GET /api/admin/messages",
            "GET /api/admin/money/balances",
            "GET /api/admin/money/months",
            "GET /api/admin/money/refunds-due",
            "GET /api/admin/money/summary",
            "GET /api/admin/payments",
            "GET /api/admin/payments/totals",
            "GET /api/admin/privacy-requests",
            "GET /api/admin/retention",
            "GET /api/admin/search",
            "GET /api/admin/staff",
            "GET /api/admin/staff/invitations",
            "GET /api/admin/students",
            "GET /api/admin/students/identity-changes",
        ],
    ),
];

#[test]
fn account_access_and_bulk_data_need_a_recent_proof() {
    let found: Vec<_> =
        endpoints().iter().filter(|endpoint| endpoint.is_recent).map(Endpoint::name).collect();
    assert_eq!(found, RECENT);
}

/// A new endpoint stands in neither list: it takes a proof, or the list says why it needs none.
#[test]
fn every_endpoint_of_the_office_takes_a_recent_proof_or_says_why_not() {
    let mut found: Vec<_> = endpoints()
        .iter()
        .filter(|endpoint| endpoint.is_for_some_staff() && !endpoint.is_recent)
        .map(Endpoint::name)
        .collect();
    let mut listed: Vec<_> =
        WITHOUT_PROOF.iter().flat_map(|(_, calls)| *calls).map(|call| (*call).to_owned()).collect();
    found.sort();
    listed.sort();
    assert_eq!(found, listed);
}

#[test]
fn every_endpoint_of_the_office_is_open_to_the_roles_of_the_matrix() {
    let office = Office::default();
    let mut used = vec![false; MATRIX.len()];
    let mut wrong = Vec::new();
    for endpoint in endpoints().into_iter().filter(|endpoint| endpoint.is_for_some_staff()) {
        let (method, path) = (&endpoint.method, &endpoint.template);
        let fits = |(of, start, _): &(&str, &str, _)| (*of == "*" || of == method) && path.starts_with(start);
        let Some(line) = MATRIX.iter().position(fits) else {
            wrong.push(format!("{method} {path} stands in no line of the matrix"));
            continue;
        };
        used[line] = true;
        for (role, expected) in Role::ALL.iter().zip(MATRIX[line].2) {
            if endpoint.is_for(*role, &office) != expected {
                wrong.push(format!("{method} {path}: {}, against {:?}", role.as_str(), MATRIX[line]));
            }
        }
    }
    let idle =
        MATRIX.iter().zip(&used).filter(|(_, used)| !**used).map(|(line, _)| format!("idle: {line:?}"));
    wrong.extend(idle);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
