//! The banner above public pages: the school's announcement, and the preview notice. Server-side markup, so that no
//! page's script grows.

use maud::html;

use super::PageInputs;
use crate::settings::Banner;

/// Renders the banner of a page.
pub fn lines(now: &PageInputs) -> String {
    let banner = now.site.banner();
    let lines = html! {
        @if now.is_preview {
            aside.announcement.announcement-preview aria-label="Preview" {
                p { "Preview: visitors do not see this yet." }
            }
        }
        @if let Some(Banner { text, link, .. }) = banner {
            aside.announcement aria-label="Announcement" {
                p {
                    (text)
                    @if let Some(link) = link { " " a href=(link.to) { (link.text) } }
                }
            }
        }
    };
    lines.into_string()
}
