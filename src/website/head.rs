//! What the head of each page says: title, description, canonical address, Open Graph, JSON-LD.

use maud::{PreEscaped, html};
use serde_json::{Value, json};

use super::boot::in_script;
use super::pages::{Area, Page};
use crate::courses::Course;
use crate::school::PublicSchool;

/// The elements that go into a page's head.
pub fn head(page: Page, school: &PublicSchool, public_url: &str, courses: &[Course]) -> String {
    let title = title(page, school);
    let description = description(page, school);
    let address = format!("{public_url}{}", page.address());
    let head = html! {
        title { (title) } "\n"
        meta name="description" content=(description); "\n"
        @if page.is_public() {
            link rel="canonical" href=(address); "\n"
            meta property="og:type" content="website"; "\n"
            meta property="og:site_name" content=(school.name); "\n"
            meta property="og:title" content=(title); "\n"
            meta property="og:description" content=(description); "\n"
            meta property="og:url" content=(address); "\n"
            script type="application/ld+json" {
                (PreEscaped(in_script(&linked_data(page, school, public_url, courses).to_string())))
            }
        } @else {
            meta name="robots" content="noindex";
        }
    };
    head.into_string()
}

/// The page's title; the interface uses the same words when it moves between pages.
pub fn title(page: Page, school: &PublicSchool) -> String {
    let name = &school.name;
    match (page.path, page.grade) {
        ("/", _) => format!("{name}: {}", school.tagline),
        (_, Some(grade)) => format!("Grade {grade} courses · {name}"),
        _ => format!("{} · {name}", page.title),
    }
}

fn description(page: Page, school: &PublicSchool) -> String {
    let name = &school.name;
    match page.area {
        Some(Area::Public) => public_description(page, school),
        Some(Area::Student) => format!("The student portal of {name}."),
        Some(Area::Account) if page.path.starts_with("/student/") => format!("The student portal of {name}."),
        Some(Area::Account | Area::Office) => format!("The office of {name}."),
        None => format!("There is no such page at {name}."),
    }
}

fn public_description(page: Page, school: &PublicSchool) -> String {
    let name = &school.name;
    match (page.path, page.grade) {
        ("/", _) => format!(
            "{name} is an inspected private secondary school in Ontario. Grades 9 to 12, credits toward the \
             Ontario Secondary School Diploma, taught live by Ontario-certified teachers."
        ),
        ("/about", _) => format!(
            "The mission and values of {name}, its inspection by the Ontario Ministry of Education, and the \
             universities that accepted its graduates."
        ),
        ("/services", _) => format!(
            "Free educational consultation, credit courses, university application support and tutoring at {name}."
        ),
        ("/courses", None) => format!(
            "The course catalogue of {name}: Ontario credit courses for grades 9 to 12 with their codes, types \
             and prerequisites."
        ),
        ("/courses", Some(grade)) => format!(
            "Grade {grade} credit courses at {name}, with their codes, types and prerequisites. 110 hours, taught live."
        ),
        ("/contact", _) => {
            format!("Write to or call {name}: {}, {}. {}.", school.phone, school.email, school.hours)
        }
        ("/terms", _) => format!("The terms under which {name} offers its courses and services."),
        ("/privacy", _) => format!("What personal information {name} keeps, why, and what your rights are."),
        // A test asks for more of every page.
        _ => name.clone(),
    }
}

fn linked_data(page: Page, school: &PublicSchool, public_url: &str, courses: &[Course]) -> Value {
    let id = format!("{public_url}/#school");
    let links: Vec<_> = school.social_links.iter().map(|link| &link.url).collect();
    let mut graph = vec![json!({
        "@type": "HighSchool",
        "@id": id,
        "name": school.name,
        "slogan": school.tagline,
        "url": public_url,
        "telephone": school.phone,
        "email": school.email,
        "foundingDate": school.founded_year.to_string(),
        "sameAs": links,
        "address": {
            "@type": "PostalAddress",
            "streetAddress": school.address.street,
            "addressLocality": school.address.city,
            "addressRegion": school.address.province,
            "postalCode": school.address.postal_code,
            "addressCountry": "CA",
        },
    })];
    if page.path == "/courses" {
        let shown = page.grade.unwrap_or(9);
        graph.extend(courses.iter().filter(|course| course.grade == shown).map(|course| {
            json!({
                "@type": "Course",
                "courseCode": course.code,
                "name": course.name,
                "description": course.description,
                "provider": { "@id": id },
            })
        }));
    }
    json!({ "@context": "https://schema.org", "@graph": graph })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::website::pages::Pages;

    #[test]
    fn an_awkward_name_stays_text() {
        let name = "A & B <School> \"Q\" </script>".into();
        let school = crate::config::School { name, ..Default::default() };
        let home = Pages::load().unwrap().at("/", None);
        let head = head(home, &PublicSchool::new(&school, 2026), "https://school.example", &[]);
        assert!(head.contains("<title>A &amp; B &lt;School&gt; &quot;Q&quot; &lt;/script&gt;: "), "{head}");
        assert_eq!(head.matches("</script>").count(), 1, "{head}");
        assert!(head.contains("<link rel=\"canonical\" href=\"https://school.example/\">"), "{head}");
    }

    #[test]
    fn the_portals_are_not_listed() {
        let pages = Pages::load().unwrap();
        for path in ["/student/dashboard", "/admin/login", "/nowhere"] {
            let head = head(
                pages.at(path, None),
                &PublicSchool::new(&crate::config::School::default(), 2026),
                "http://x",
                &[],
            );
            assert!(head.contains("noindex") && !head.contains("canonical"), "{head}");
        }
    }

    #[test]
    fn every_public_page_is_described_in_words_of_its_own() {
        let school = PublicSchool::new(&crate::config::School::default(), 2026);
        let pages = Pages::load().unwrap();
        let descriptions: Vec<_> =
            pages.public().map(|page| (page.address(), description(page, &school))).collect();
        for (address, words) in &descriptions {
            assert_ne!(words, &school.name, "{address}");
            assert_eq!(
                descriptions.iter().filter(|(_, each)| each == words).count(),
                1,
                "{address}: {words}"
            );
        }
    }
}
