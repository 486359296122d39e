//! The picture shown by messengers beside a link to a public page (Open Graph, `og:image`): the school's hero picture,
//! else its own crest, else `ui/public/link-picture.png`, the crest of `ui/src/components/Crest.tsx`.

use maud::{Markup, html};

use crate::settings::site::SiteSnapshot;

/// Default picture, 1200 by 630 pixels.
pub const DRAWN: &str = "/link-picture.png";
/// Minimum width in pixels for a large preview; messengers show narrower pictures small, beside the text.
const LARGE: u32 = 600;

/// The elements for a page's head.
pub fn elements(site: &SiteSnapshot, public_url: &str) -> Markup {
    let school = &site.school;
    let uploaded = school.pictures.hero.as_ref().or(site.crest.as_ref());
    let (address, (width, height)) =
        uploaded.map_or((DRAWN, (1200, 630)), |picture| (picture.src.as_str(), picture.src_size()));
    let content_type = if address.ends_with(".png") { "image/png" } else { "image/jpeg" };
    let alt = uploaded.map(|picture| picture.alt.as_str()).filter(|alt| !alt.is_empty());
    html! {
        meta property="og:image" content={ (public_url) (address) }; "\n"
        meta property="og:image:type" content=(content_type); "\n"
        meta property="og:image:width" content=(width); "\n"
        meta property="og:image:height" content=(height); "\n"
        meta property="og:image:alt" content=(alt.unwrap_or(&school.name)); "\n"
        meta name="twitter:card" content=(if width < LARGE { "summary" } else { "summary_large_image" }); "\n"
    }
}
