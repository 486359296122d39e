//! The subjects of the catalogue, as a course code's first letters name them in Ontario. A code of the
//! school's own belongs to none, and stands with the others.

use super::values::CourseCode;
use crate::base::closed_set::{ClosedSet as _, closed_set};

closed_set! {
    /// A subject, in the order in which the catalogue lists them.
    pub enum Subject {
        /// E, and OLC, the literacy course.
        English = "English",
        /// ESL and ELD.
        SecondLanguage = "English as a Second Language",
        /// M.
        Mathematics = "Mathematics",
        /// S.
        Science = "Science",
        /// C.
        CanadianAndWorld = "Canadian and World Studies",
        /// F.
        French = "French",
        /// L.
        Languages = "Languages",
        /// B.
        Business = "Business Studies",
        /// I.
        Computers = "Computer Studies",
        /// T.
        Technology = "Technological Education",
        /// H.
        Humanities = "Social Sciences and Humanities",
        /// N.
        FirstNations = "First Nations, Métis and Inuit Studies",
        /// A.
        Arts = "The Arts",
        /// P.
        Health = "Health and Physical Education",
        /// G.
        Guidance = "Guidance and Careers",
        /// Codes that do not follow the grammar, or whose first letter no subject has.
        Other = "Other Courses",
    }
}

/// How the codes of a subject begin; the first that fits counts.
const STARTS: [(&str, Subject); 17] = [
    ("ESL", Subject::SecondLanguage),
    ("ELD", Subject::SecondLanguage),
    ("E", Subject::English),
    ("OLC", Subject::English),
    ("M", Subject::Mathematics),
    ("S", Subject::Science),
    ("C", Subject::CanadianAndWorld),
    ("F", Subject::French),
    ("L", Subject::Languages),
    ("B", Subject::Business),
    ("I", Subject::Computers),
    ("T", Subject::Technology),
    ("H", Subject::Humanities),
    ("N", Subject::FirstNations),
    ("A", Subject::Arts),
    ("P", Subject::Health),
    ("G", Subject::Guidance),
];

impl Subject {
    /// The subject that a code names.
    pub fn of(code: &CourseCode) -> Self {
        let named = || STARTS.iter().find(|(start, _)| code.as_str().starts_with(start));
        code.parts().and_then(|_| named()).map_or(Self::Other, |(_, subject)| *subject)
    }

    /// Its anchor on the page of the catalogue; `ui/src/courses/subjects.ts` makes the same.
    pub fn anchor(self) -> String {
        let words = self.as_str().split(|letter: char| !letter.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-").to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::form::Field;

    #[test]
    fn a_code_names_its_subject() {
        for (code, subject) in [
            ("ENG4U", Subject::English),
            ("ENL1W", Subject::English),
            ("ELS2O", Subject::English),
            ("ESLAO", Subject::SecondLanguage),
            ("ELDBO", Subject::SecondLanguage),
            ("OLC4O", Subject::English),
            ("MHF4U", Subject::Mathematics),
            ("MHF4UX", Subject::Mathematics),
            ("NBE3U", Subject::FirstNations),
            ("CHV2O", Subject::CanadianAndWorld),
            ("LKBCU", Subject::Languages),
            ("ROBOTS", Subject::Other),
            ("M1", Subject::Other),
            ("MATH-12", Subject::Other),
            ("GRADE", Subject::Other),
            ("LEVEL", Subject::Other),
            ("XYZ1O", Subject::Other),
        ] {
            assert_eq!(
                Subject::of(&CourseCode::parse(&Field::Value(code.into())).unwrap()),
                subject,
                "{code}"
            );
        }
    }

    #[test]
    fn every_subject_has_an_anchor_of_its_own() {
        let anchors: std::collections::BTreeSet<_> = Subject::ALL.iter().map(|each| each.anchor()).collect();
        assert_eq!(anchors.len(), Subject::ALL.len());
        assert_eq!(Subject::FirstNations.anchor(), "first-nations-m-tis-and-inuit-studies");
    }
}
