//! Addresses that earlier programs stored within telephone numbers.

use super::store::{lead_profile, list};
use super::*;
use crate::storage::db;
use crate::storage::statements::Statements;

/// The schema before addresses were read back.
const BEFORE: i32 = 100;

#[test]
fn addresses_are_read_back_out_of_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("school.db");
    let old = db::testing::open_at(&path, BEFORE);
    old.execute_batch(
        "insert into users (id, username, password_hash, email, created_at) values (1, 'x', '', 'x@x.x', 0);
         insert into students (id, email, pending_email, password_hash, parent_name, parent_contact, created_at, updated_at)
         values (1, 'own@mail.example', 'new@mail.example', '', 'Wei', 'wei@mail.example', 0, 0);
         insert into guardians (id, student_id, name, email, phone, is_primary, created_at, stopped_at, stopped_by, stopped_reason)
         values (1, 1, 'Wei', 'wei@mail.example', '416 555 0100', 1, 0, null, null, null),
             (2, 1, 'Joined', null, 'joined@mail.example, (416) 555-0199', 0, 0, null, null, null),
             (3, 1, 'Slash', null, '416 555 0199 / <Slash@Mail.example>', 0, 0, null, null, null),
             (4, 1, 'Several', null, 'own@mail.example; new@mail.example; a@mail.example b@mail.example', 0, 0, null, null, null),
             (5, 1, 'Own', null, 'OWN@mail.example, 416 555 0199', 0, 0, null, null, null),
             (6, 1, 'Stopped', null, 'gone@mail.example, 416 555 0188', 0, 0, 5, 1, 'Court order'),
             (7, 1, 'Stopped again', null, '416 555 0177, gone@mail.example', 0, 0, null, null, null),
             (8, 1, 'Number', null, '416 555 0199', 0, 0, null, null, null),
             (9, 1, 'At', null, 'ask @ the desk', 0, 0, null, null, null)",
    )
    .unwrap();
    drop(old);
    let connection = db::open(&path).unwrap();
    let all = list(&connection, 1).unwrap();
    let of = |id: i64| {
        let guardian = all.iter().find(|one| one.id == id).unwrap();
        (guardian.email.as_deref(), guardian.phone.as_deref(), guardian.stopped_at.is_some())
    };
    assert_eq!(of(1), (Some("wei@mail.example"), Some("416 555 0100"), false));
    assert_eq!(of(2), (Some("joined@mail.example"), Some("(416) 555-0199"), false));
    assert_eq!(of(3), (Some("slash@mail.example"), Some("416 555 0199"), false));
    let rest = "own@mail.example; new@mail.example, b@mail.example";
    assert_eq!(of(4), (Some("a@mail.example"), Some(rest), false));
    assert_eq!(of(5), (None, Some("OWN@mail.example, 416 555 0199"), false), "the student's own");
    assert_eq!(of(6), (Some("gone@mail.example"), Some("416 555 0188"), true), "stopped by address now");
    assert_eq!(of(7), (None, Some("416 555 0177, gone@mail.example"), false), "and stays so");
    assert_eq!(of(8), (None, Some("416 555 0199"), false));
    assert_eq!(of(9), (None, Some("ask @ the desk"), false));
    let told = "select count(*) from student_history where field = 'guardian' and actor_kind = 'system'";
    assert_eq!(connection.one::<i64>(told, []).unwrap(), 4);
    let mirrored = "select parent_contact from students";
    let mirrored = || connection.one::<String>(mirrored, []).unwrap();
    assert_eq!(mirrored(), "wei@mail.example, 416 555 0100");
    lead_profile(&connection, 1, Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(mirrored(), "wei@mail.example, 416 555 0100");
}
