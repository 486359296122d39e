//! The head of each page: title, description, canonical URL, Open Graph, JSON-LD.

use maud::{PreEscaped, html};
use serde_json::{Value, json};

use super::boot::in_script;
use super::content::{OneCourse, PageContent};
use super::link_picture;
use super::pages::{Area, CATALOGUE, Page, Topic};
use crate::courses::details::CourseDetails;
use crate::school::hours::OpeningHours;
use crate::school::{Address, PublicSchool};
use crate::settings::site::SiteSnapshot;
use crate::terms::{PublicSection, SectionKind};

/// Characters of a course's description in the page's description.
const DESCRIPTION_CHARACTERS: usize = 110;

/// The elements that go into a page's head.
pub fn head(page: &Page, site: &SiteSnapshot, public_url: &str, content: &PageContent<'_>) -> String {
    let school = &site.school;
    let title = title(page, school, content);
    let description = description(page, school, content);
    let address = format!("{public_url}{}", page.address());
    let head = html! {
        title { (title) } "\n"
        meta name="description" content=(description); "\n"
        @if page.is_public() && !matches!(page.topic, Topic::Archived(_)) {
            link rel="canonical" href=(address); "\n"
            meta property="og:type" content="website"; "\n"
            meta property="og:site_name" content=(school.name); "\n"
            meta property="og:title" content=(title); "\n"
            meta property="og:description" content=(description); "\n"
            meta property="og:url" content=(address); "\n"
            (link_picture::elements(site, public_url))
            script type="application/ld+json" {
                (PreEscaped(in_script(&linked_data(page, site, public_url, content).to_string())))
            }
        } @else {
            meta name="robots" content="noindex";
        }
    };
    head.into_string()
}

/// The page's title; the interface uses the same title when navigating.
fn title(page: &Page, school: &PublicSchool, content: &PageContent<'_>) -> String {
    let name = &school.name;
    match (&content.course, &page.topic) {
        (Some(OneCourse::Offered(course)), _) => {
            format!("{} ({}) · {name}", course.course.name, course.course.code)
        }
        (Some(OneCourse::Archived(course)), _) => format!("{} ({}) · {name}", course.name, course.code),
        (None, Topic::Grade(grade)) => format!("Grade {grade} courses · {name}"),
        _ if page.path == "/" && school.tagline.is_empty() => name.clone(),
        _ if page.path == "/" => format!("{name}: {}", school.tagline),
        _ => format!("{} · {name}", page.title),
    }
}

fn description(page: &Page, school: &PublicSchool, content: &PageContent<'_>) -> String {
    let name = &school.name;
    match &content.course {
        Some(OneCourse::Offered(details)) => return course_description(details, school),
        Some(OneCourse::Archived(course)) => return format!("{name} no longer offers {}.", course.code),
        None => {}
    }
    match page.area {
        Some(Area::Public) => public_description(page, school),
        Some(Area::Student) => format!("The student portal of {name}."),
        Some(Area::Account) if page.path.starts_with("/application") => {
            format!("An application for a place at {name}.")
        }
        Some(Area::Account) if page.path.starts_with("/student/") => format!("The student portal of {name}."),
        Some(Area::Account | Area::Office) => format!("The office of {name}."),
        None => format!("There is no such page at {name}."),
    }
}

fn public_description(page: &Page, school: &PublicSchool) -> String {
    let name = &school.name;
    match (page.path, &page.topic) {
        ("/", _) => format!(
            "{name} is an inspected private secondary school in Ontario. Grades 9 to 12, credits toward the \
             Ontario Secondary School Diploma, taught live by Ontario-certified teachers."
        ),
        ("/about", _) if school.universities.is_empty() => {
            format!(
                "The mission and values of {name}, and its inspection by the Ontario Ministry of Education."
            )
        }
        ("/about", _) => format!(
            "The mission and values of {name}, its inspection by the Ontario Ministry of Education, and the \
             universities that accepted its graduates."
        ),
        ("/services", _) => format!(
            "Free educational consultation, credit courses, university application support and tutoring at {name}."
        ),
        ("/courses", Topic::Itself) => format!(
            "The course catalogue of {name}: Ontario credit courses for grades 9 to 12 with their codes, types \
             and prerequisites."
        ),
        ("/courses", Topic::Grade(grade)) => format!(
            "Grade {grade} credit courses at {name}, with their codes, types and prerequisites. 110 hours, taught live."
        ),
        ("/contact", _) => {
            let ways = [&*school.phone, &*school.email].into_iter().filter(|way| !way.is_empty());
            let ways = ways.collect::<Vec<_>>().join(", ");
            let facts = [&*ways, &*school.hours].into_iter().filter(|fact| !fact.is_empty());
            let facts = facts.collect::<Vec<_>>().join(". ");
            if facts.is_empty() {
                format!("Write to {name}.")
            } else {
                format!("How to reach {name}: {facts}.")
            }
        }
        ("/apply", _) => format!(
            "Apply to {name}: for single courses while the student stays at their school, or for a place."
        ),
        ("/refunds", _) => format!("What {name} pays back when a course is left, and when."),
        ("/how-to-pay", _) => format!("How the fees of {name} are paid."),
        ("/terms", _) => format!("The terms under which {name} offers its courses and services."),
        ("/privacy", _) => format!("What personal information {name} keeps, why, and what your rights are."),
        // A test requires a specific description of every page.
        _ => name.clone(),
    }
}

fn course_description(details: &CourseDetails, school: &PublicSchool) -> String {
    let CourseDetails { course, level_name, .. } = details;
    let about: String = course.description.split_whitespace().collect::<Vec<_>>().join(" ");
    let about = shortened(&about, DESCRIPTION_CHARACTERS);
    format!(
        "{}: grade {} {} at {}, {level_name}. {about}",
        course.code,
        course.grade.number(),
        course.name,
        school.name
    )
}

/// Shortens a text at a word boundary.
fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_owned(),
        Some((end, _)) => {
            let words = text[..end].rsplit_once(' ').map_or(&text[..end], |(words, _)| words);
            format!("{}…", words.trim_end_matches([',', ';', ':', '.']))
        }
    }
}

/// The course and its breadcrumbs as schema.org data (`Course`, `BreadcrumbList`).
fn course_data(details: &CourseDetails, school: &str, public_url: &str) -> [Value; 2] {
    let CourseDetails { course, level_name, prerequisites, .. } = details;
    let url = format!("{public_url}{CATALOGUE}/{}", course.code);
    let mut data = json!({
        "@type": "Course",
        "@id": url,
        "url": url,
        "courseCode": course.code,
        "name": course.name,
        "description": course.description,
        "provider": { "@id": school },
        "inLanguage": "en-CA",
        "educationalLevel": format!("Grade {}, {level_name}", course.grade.number()),
        "about": course.subject,
        "numberOfCredits": { "@type": "QuantitativeValue", "value": course.credits, "unitText": "Ontario credit" },
        "coursePrerequisites": prerequisites.items.iter().map(|item| &item.code).collect::<Vec<_>>(),
        "hasCourseInstance": instances(details, &url),
    });
    if let Some(price) = course.price {
        data["offers"] = json!({ "@type": "Offer", "price": price, "priceCurrency": "CAD", "url": url });
    }
    let step = |position: u8, name: &str, item: String| json!({ "@type": "ListItem", "position": position, "name": name, "item": item });
    let grade = course.grade.number();
    let way = json!({
        "@type": "BreadcrumbList",
        "itemListElement": [
            step(1, "Courses", format!("{public_url}{CATALOGUE}")),
            step(2, &format!("Grade {grade}"), format!("{public_url}{CATALOGUE}?grade={grade}")),
            step(3, &course.name, url),
        ],
    });
    [data, way]
}

/// The open sections (schema.org, `CourseInstance`), with their hours in the school's zone; one without days where the
/// course has none.
fn instances(details: &CourseDetails, url: &str) -> Value {
    let workload = format!("PT{}H", details.hours);
    if details.sections.is_empty() {
        return json!({ "@type": "CourseInstance", "courseWorkload": workload });
    }
    let instance = |section: &PublicSection| {
        let mut data = json!({
            "@type": "CourseInstance",
            "name": format!("Section {}", section.label),
            "courseMode": ["online", section.delivery],
            "startDate": section.starts_on,
            "endDate": section.ends_on,
        });
        // An upgrade is shorter than the course.
        if section.kind == SectionKind::Regular {
            data["courseWorkload"] = json!(workload);
        }
        if let Some(teacher) = &section.teacher_name {
            data["instructor"] = json!({ "@type": "Person", "name": teacher });
        }
        if let Some(price) = section.price {
            data["offers"] = json!({ "@type": "Offer", "price": price, "priceCurrency": "CAD", "url": url });
        }
        let schedule = section.meetings.iter().map(|meeting| {
            json!({
                "@type": "Schedule",
                "repeatFrequency": "P1W",
                "byDay": format!("https://schema.org/{}", weekday(meeting.weekday)),
                "startDate": section.starts_on,
                "endDate": section.ends_on,
                "startTime": meeting.starts_at,
                "endTime": meeting.ends_at,
                "scheduleTimezone": section.time_zone,
            })
        });
        let schedule: Vec<_> = schedule.collect();
        if !schedule.is_empty() {
            data["courseSchedule"] = json!(schedule);
        }
        data
    };
    details.sections.iter().map(instance).collect()
}

fn weekday(number: i8) -> &'static str {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        .get(usize::try_from(number - 1).unwrap_or_default())
        .unwrap_or(&"Sunday")
}

/// Opening hours (schema.org, `OpeningHoursSpecification`).
fn opening_hours(hours: &OpeningHours) -> Value {
    json!({
        "@type": "OpeningHoursSpecification",
        "dayOfWeek": hours.days.iter().map(|day| day.label()).collect::<Vec<_>>(),
        "opens": hours.opens,
        "closes": hours.closes,
    })
}

/// Questions and answers (schema.org, `FAQPage`).
fn questions(school: &PublicSchool, public_url: &str) -> Value {
    let questions = school.questions.iter().map(|question| {
        json!({
            "@type": "Question",
            "name": question.question,
            "acceptedAnswer": { "@type": "Answer", "text": question.answer },
        })
    });
    json!({ "@type": "FAQPage", "url": public_url, "mainEntity": questions.collect::<Vec<_>>() })
}

/// The office's address, as far as known (schema.org, `PostalAddress`).
fn address(address: &Address) -> Option<Value> {
    let mut data = json!({ "@type": "PostalAddress", "addressCountry": "CA" });
    let mut is_known = false;
    for (property, fact) in [
        ("streetAddress", &address.street),
        ("addressLocality", &address.city),
        ("addressRegion", &address.province),
        ("postalCode", &address.postal_code),
    ] {
        if !fact.is_empty() {
            data[property] = fact.as_str().into();
            is_known = true;
        }
    }
    is_known.then_some(data)
}

fn linked_data(page: &Page, site: &SiteSnapshot, public_url: &str, content: &PageContent<'_>) -> Value {
    let school = &site.school;
    let logo = site.crest.as_ref().map_or("/apple-touch-icon.png", |crest| crest.src.as_str());
    let id = format!("{public_url}/#school");
    let links: Vec<_> = school.social_links.iter().map(|link| &link.url).collect();
    let mut data = json!({
        "@type": "HighSchool",
        "@id": id,
        "name": school.name,
        "url": public_url,
        "sameAs": links,
        "logo": format!("{public_url}{logo}"),
    });
    let year = school.founded_year.map(|year| year.to_string()).unwrap_or_default();
    for (property, fact) in [
        ("slogan", &school.tagline),
        ("telephone", &school.phone),
        ("email", &school.email),
        ("foundingDate", &year),
    ] {
        if !fact.is_empty() {
            data[property] = fact.as_str().into();
        }
    }
    if let Some(address) = address(&school.address) {
        data["address"] = address;
    }
    let mut graph = vec![data];
    if let Some(hours) = &site.hours {
        graph[0]["openingHoursSpecification"] = hours.iter().map(opening_hours).collect();
    }
    if let Some(hero) = &school.pictures.hero {
        graph[0]["image"] = format!("{public_url}{}", hero.src).into();
    }
    if page.path == "/" && !school.questions.is_empty() {
        graph.push(questions(school, public_url));
    }
    if page.path == CATALOGUE {
        graph.extend(content.courses.iter().filter(|course| course.grade == page.grade()).map(|course| {
            json!({
                "@type": "Course",
                "courseCode": course.code,
                "name": course.name,
                "description": course.description,
                "url": format!("{public_url}{CATALOGUE}/{}", course.code),
                "provider": { "@id": id },
            })
        }));
    }
    if let Some(OneCourse::Offered(details)) = &content.course {
        graph.extend(course_data(details, &id, public_url));
    }
    json!({ "@context": "https://schema.org", "@graph": graph })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::settings::site::Site;
    use crate::website::pages::Pages;

    #[test]
    fn an_awkward_name_stays_text() {
        let name = "A & B <School> \"Q\" </script>".into();
        let mut config = crate::config::Config::default();
        config.school_file.name = Some(name);
        let site = Site::new(config.into(), date(2026, 11, 24)).latest().unwrap();
        let home = Pages::load().unwrap().at("/", None);
        let head = head(&home, &site, "https://school.example", &PageContent::default());
        assert!(
            head.contains("<title>A &amp; B &lt;School&gt; &quot;Q&quot; &lt;/script&gt;</title>"),
            "{head}"
        );
        assert_eq!(head.matches("</script>").count(), 1, "{head}");
        assert!(head.contains("<link rel=\"canonical\" href=\"https://school.example/\">"), "{head}");
    }

    #[test]
    fn the_portals_are_not_listed() {
        let pages = Pages::load().unwrap();
        for path in ["/student/dashboard", "/admin/login", "/nowhere"] {
            let head = head(
                &pages.at(path, None),
                &Site::new(std::sync::Arc::default(), date(2026, 11, 24)).latest().unwrap(),
                "http://x",
                &PageContent::default(),
            );
            assert!(head.contains("noindex") && !head.contains("canonical"), "{head}");
        }
    }

    #[test]
    fn every_public_page_has_its_own_description() {
        let school = PublicSchool::new(&crate::config::School::default(), date(2026, 11, 24));
        let pages = Pages::load().unwrap();
        let descriptions: Vec<_> = pages
            .public()
            .map(|page| (page.address(), description(&page, &school, &PageContent::default())))
            .collect();
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
