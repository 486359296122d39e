//! Whether the names that stand in an account may stand in the school's letters to others. Anyone can make an account, type
//! a text for a name, and give an address of a stranger as a guardian's.

use rusqlite::Connection;

use crate::base::error::Result;
use crate::storage::statements::{Statements, params};

/// Whether the office has looked at what stands in an account as the names of the student and the guardians, so that they
/// may stand in letters to others: it made the account, compared or corrected the name, accepted a document or
/// approved an enrollment, and the student has changed no name since.
pub fn are_seen(connection: &Connection, id: i64) -> Result<bool> {
    let sql = "with looked (at) as (select max(at) from (
            select iif(origin = 'office', created_at, null) as at from students where id = :id
            union all select identity_checked_at from students where id = :id
            union all select max(+approved_at) from enrollments where student_id = :id
            union all select max(reviewed_at) from student_documents indexed by student_documents_student
                where student_id = :id and status = 'accepted'
            union all select max(at) from student_history indexed by student_history_student
                where student_id = :id and actor_kind = 'staff' and field = 'fullName'))
        select exists (select 1 from looked where at is not null and not exists (select 1 from student_history h indexed by student_history_student
            where h.student_id = :id and h.actor_kind = 'student'
                and h.field in ('fullName', 'parentName', 'guardian') and h.at > looked.at))";
    connection.one(sql, params![id])
}
