//! The matrix of roles, as the school decided it, held against every endpoint of the office. The walk beside
//! it shows that the endpoints do what they declare; this shows that what they declare is meant.

use schoolhouse::testing::{ClosedSet, Office, Role};

use super::access::endpoints;

/// Which roles may call what: admin, registrar, bursar, viewer. The first line that fits an endpoint holds,
/// and a method of `*` fits all.
const MATRIX: &[(&str, &str, [bool; 4])] = &[
    // Everybody's own account.
    ("*", "/api/user", [true, true, true, true]),
    // Read by every role: the catalogue, classes, requests, names and contacts, totals.
    ("GET", "/api/admin/courses", [true, true, true, true]),
    ("GET", "/api/admin/dashboard", [true, true, true, true]),
    ("GET", "/api/admin/enrollments", [true, true, true, true]),
    ("GET", "/api/admin/search", [true, true, true, true]),
    ("GET", "/api/admin/students/identity-changes", [true, true, false, false]),
    ("GET", "/api/admin/students/{id}/archive", [true, false, false, false]),
    ("GET", "/api/admin/students", [true, true, true, true]),
    // Written by those who run the school.
    ("*", "/api/admin/courses", [true, true, false, false]),
    ("*", "/api/admin/decisions", [true, true, false, false]),
    ("*", "/api/admin/enrollments", [true, true, false, false]),
    ("*", "/api/admin/student-notes", [true, true, false, false]),
    ("POST", "/api/admin/students/{id}/charges", [true, false, true, false]),
    ("POST", "/api/admin/students/{id}/merge", [true, false, false, false]),
    ("*", "/api/admin/students", [true, true, false, false]),
    // Documents and messages are nothing to the bursar.
    ("GET", "/api/admin/admission-requests", [true, true, false, true]),
    ("GET", "/api/admin/documents", [true, true, false, false]),
    ("GET", "/api/documents", [true, true, false, false]),
    ("*", "/api/admin/messages", [true, true, false, false]),
    ("*", "/api/admin/mail", [true, true, false, false]),
    // The office itself.
    ("*", "/api/admin/staff", [true, false, false, false]),
    ("*", "/api/admin/settings", [true, false, false, false]),
    ("POST", "/api/admin/pictures", [true, false, false, false]),
    ("*", "/api/admin/privacy-requests", [true, false, false, false]),
    ("GET", "/api/admin/consents", [true, false, false, false]),
    ("*", "/api/admin/retention", [true, false, false, false]),
    ("*", "/api/admin/breaches", [true, false, false, false]),
    ("GET", "/api/admin/audit/chain", [true, false, false, false]),
    ("GET", "/api/admin/audit", [true, true, true, false]),
];

/// What takes a proof of the last ten minutes, beside every list as a sheet.
const RECENT: &[&str] = &[
    "POST /api/admin/retention/{class}/confirm",
    "POST /api/admin/staff/invitations",
    "POST /api/admin/staff/invitations/{id}/resend",
    "PATCH /api/admin/staff/{id}",
    "POST /api/admin/staff/{id}/disable",
    "POST /api/admin/staff/{id}/enable",
    "POST /api/admin/staff/{id}/end-sessions",
    "POST /api/admin/staff/{id}/reset-second-factor",
    "POST /api/admin/staff/{id}/send-password-link",
    "GET /api/admin/students/{id}/archive",
    "POST /api/admin/students/{id}/email",
    "POST /api/admin/students/{id}/reset-second-factor",
    "POST /api/admin/students/{id}/send-password-link",
    "POST /api/user/passkeys",
    "POST /api/user/passkeys/begin",
    "DELETE /api/user/passkeys/{id}",
    "GET /api/user/proof",
    "DELETE /api/user/sessions",
    "DELETE /api/user/sessions/{id}",
];

#[test]
fn what_leads_into_accounts_takes_a_recent_proof() {
    let found: Vec<_> = endpoints()
        .into_iter()
        .filter(|endpoint| endpoint.is_recent)
        .map(|endpoint| format!("{} {}", endpoint.method, endpoint.template))
        .collect();
    assert_eq!(found, RECENT);
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
