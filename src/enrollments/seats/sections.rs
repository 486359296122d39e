//! The section of an enrollment, as one column of whatever row it is read with.

use std::sync::LazyLock;

use crate::storage::columns::stored_as_json;
use crate::terms::EnrolledSection;

/// Condition: the student of the enrollment `e` sees where its classes meet online. It takes `:today`.
pub const SEES_LINKS: &str =
    "(e.status = 'active' and :today between date(e.start_date, '-1 day') and e.end_date)";

/// The section of the enrollment `e`, without links; null for own dates.
pub static SECTION: LazyLock<String> = LazyLock::new(|| section("null"));

/// The same for the student of the enrollment, with the links that they see. It takes `:today`.
pub static OWN_SECTION: LazyLock<String> =
    LazyLock::new(|| section(&format!("iif({SEES_LINKS}, m.link, null)")));

/// As JSON, in the words of [`EnrolledSection`].
fn section(link: &str) -> String {
    format!(
        "(select json_object('id', x.id, 'label', x.label, 'termName', t.name, 'delivery', x.delivery, 'meetings',
             json((select json_group_array(json_object('id', m.id, 'weekday', m.weekday, 'startsAt', m.starts_at,
                 'endsAt', m.ends_at, 'link', {link}) order by m.weekday, m.starts_at, m.id)
              from meetings m where m.section_id = x.id)))
         from sections x left join terms t on t.id = x.term_id where x.id = e.section_id)"
    )
}

stored_as_json!(EnrolledSection);
