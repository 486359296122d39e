//! What the head of each page says: title, description, canonical address, Open Graph, JSON-LD.

use std::fmt::Write;

use serde_json::{Value, json};

use super::page::{AdminPage, Page, StudentPage, in_script};
use crate::courses::Course;
use crate::school::PublicSchool;

/// The elements that go into a page's head.
pub fn head(page: Page, school: &PublicSchool, public_url: &str, courses: &[Course]) -> String {
    let title = escape(&title(page, school));
    let description = escape(&description(page, school));
    let mut head = format!("<title>{title}</title>\n<meta name=\"description\" content=\"{description}\">\n");
    if !page.is_public() {
        head.push_str("<meta name=\"robots\" content=\"noindex\">");
        return head;
    }
    let address = escape(&format!("{public_url}{}", page.path()));
    let site = escape(&school.name);
    let _ = write!(
        head,
        "<link rel=\"canonical\" href=\"{address}\">\n\
         <meta property=\"og:type\" content=\"website\">\n\
         <meta property=\"og:site_name\" content=\"{site}\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:description\" content=\"{description}\">\n\
         <meta property=\"og:url\" content=\"{address}\">\n\
         <script type=\"application/ld+json\">{}</script>",
        in_script(&linked_data(page, school, public_url, courses).to_string())
    );
    head
}

/// The page's title; the interface uses the same words when it moves between pages.
pub fn title(page: Page, school: &PublicSchool) -> String {
    let name = &school.name;
    let of = |words: &str| format!("{words} · {name}");
    match page {
        Page::Home => format!("{name}: {}", school.tagline),
        Page::About => of("About Us"),
        Page::Services => of("Our Services"),
        Page::Courses(None) => of("Courses"),
        Page::Courses(Some(grade)) => of(&format!("Grade {grade} courses")),
        Page::Contact => of("Contact Us"),
        Page::Terms => of("Terms of Service"),
        Page::Privacy => of("Privacy Policy"),
        Page::Student(page) => of(student_title(page)),
        Page::Admin(page) => of(admin_title(page)),
        Page::NotFound => of("Page Not Found"),
    }
}

fn student_title(page: StudentPage) -> &'static str {
    match page {
        StudentPage::Login => "Student Login",
        StudentPage::Verify => "Verify Your Email",
        StudentPage::ForgotPassword => "Forgot Your Password",
        StudentPage::ResetPassword => "Choose a New Password",
        StudentPage::ChoosePassword => "Choose Your Password",
        StudentPage::NotMe => "This Was Not Me",
        StudentPage::UndoEmailChange => "Undo the Change of Email",
        StudentPage::Dashboard => "Student Dashboard",
        StudentPage::Courses => "Available Courses",
        StudentPage::Account => "Your Account",
    }
}

fn admin_title(page: AdminPage) -> &'static str {
    match page {
        AdminPage::Login => "Admin Login",
        AdminPage::ResetPassword => "Choose a New Password",
        AdminPage::Dashboard => "Admin Portal",
        AdminPage::Courses => "Course Management",
        AdminPage::Documents => "Student Documents",
        AdminPage::AdmissionRequests => "Admission Requests",
        AdminPage::Charges => "Charges to Post",
        AdminPage::IdentityChanges => "Identity Changes",
        AdminPage::Messages => "Messages",
        AdminPage::Mail => "Mail",
        AdminPage::Account => "Your Account",
    }
}

fn description(page: Page, school: &PublicSchool) -> String {
    let name = &school.name;
    match page {
        Page::Home => format!(
            "{name} is an inspected private secondary school in Ontario. Grades 9 to 12, credits toward the \
             Ontario Secondary School Diploma, taught live by Ontario-certified teachers."
        ),
        Page::About => format!(
            "The mission and values of {name}, its inspection by the Ontario Ministry of Education, and the \
             universities that accepted its graduates."
        ),
        Page::Services => format!(
            "Free educational consultation, credit courses, university application support and tutoring at {name}."
        ),
        Page::Courses(None) => format!(
            "The course catalogue of {name}: Ontario credit courses for grades 9 to 12 with their codes, types \
             and prerequisites."
        ),
        Page::Courses(Some(grade)) => format!(
            "Grade {grade} credit courses at {name}, with their codes, types and prerequisites. 110 hours, taught live."
        ),
        Page::Contact => {
            format!("Write to or call {name}: {}, {}. {}.", school.phone, school.email, school.hours)
        }
        Page::Terms => format!("The terms under which {name} offers its courses and services."),
        Page::Privacy => format!("What personal information {name} keeps, why, and what your rights are."),
        Page::Student(_) => format!("The student portal of {name}."),
        Page::Admin(_) => format!("The office of {name}."),
        Page::NotFound => format!("There is no such page at {name}."),
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
    if let Page::Courses(grade) = page {
        let shown = grade.unwrap_or(9);
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

/// Text that is safe in an element and in a quoted attribute.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_awkward_name_stays_text() {
        let name = "A & B <School> \"Q\" </script>".into();
        let school = crate::config::School { name, ..Default::default() };
        let head = head(Page::Home, &PublicSchool::of(&school), "https://school.example", &[]);
        assert!(head.contains("<title>A &amp; B &lt;School&gt; &quot;Q&quot; &lt;/script&gt;: "), "{head}");
        assert_eq!(head.matches("</script>").count(), 1, "{head}");
        assert!(head.contains("<link rel=\"canonical\" href=\"https://school.example/\">"), "{head}");
    }

    #[test]
    fn the_portals_are_not_listed() {
        for page in [Page::Student(StudentPage::Dashboard), Page::Admin(AdminPage::Login), Page::NotFound] {
            let head = head(page, &PublicSchool::of(&crate::config::School::default()), "http://x", &[]);
            assert!(head.contains("noindex") && !head.contains("canonical"), "{head}");
        }
    }
}
