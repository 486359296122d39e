//! Student records: students as the office finds and reads them. The list with its filters, the search
//! from any screen, and all that the rooms keep of one student on one page.
//!
//! Reads across the rooms and owns no table. What a role may not read is not read for it.

mod file;
mod flags;
mod list;
mod merge;
mod query;
mod search;
pub mod sheets;
mod student_sheet;
#[cfg(test)]
mod tests;

pub use self::flags::StudentFlag;
use utoipa_axum::router::OpenApiRouter;

use crate::web::access::endpoint;
use crate::web::app::App;

/// The office's endpoints.
pub fn routes() -> OpenApiRouter<App> {
    use file::{__path_get_student, get_student};
    use list::{__path_count_student_flags, __path_list_students, count_student_flags, list_students};
    use merge::{__path_merge_students, merge_students};
    use search::{__path_search_office, search_office};
    OpenApiRouter::new()
        .routes(endpoint!(list_students))
        .routes(endpoint!(count_student_flags))
        .routes(endpoint!(get_student))
        .routes(endpoint!(merge_students))
        .routes(endpoint!(search_office))
}
