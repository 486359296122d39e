//! What visitors wrote to the demo school, and families who ask for a place.

use anyhow::Context as _;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::form;
use super::plan::Plan;
use super::scene::Scene;
use super::staff::address;
use crate::admissions::{self, NewAdmissionRequest};
use crate::audit;
use crate::base::closed_set::ClosedSet;
use crate::base::error::Result;
use crate::courses::values::Grade;
use crate::messages::MessageForm;
use crate::messages::rules::NewMessage;
use crate::messages::status::{Mark, MessageStatus};
use crate::messages::store;

/// Hours ago, name, mailbox, subject, what was written, and what became of it.
type SampleMessage = (i64, &'static str, &'static str, &'static str, &'static str, MessageStatus);

const MESSAGES: [SampleMessage; 12] = [
    (
        3,
        "Zoë Müller-Tremblay",
        "zoe.muller",
        "admission",
        "Our son would like to join Grade 11 in September.\n\nWhich documents do you need from a school in \
         Québec?",
        MessageStatus::New,
    ),
    (
        26,
        "Søren Kjær",
        "soren.kjaer",
        "courses",
        "Does MHF4U also run in the winter semester? Our family moves to Ottawa in January.",
        MessageStatus::Open,
    ),
    (
        31,
        "Ngozi Balogun",
        "ngozi.balogun",
        "general",
        "Good morning. Could you tell me the office hours during the December break?",
        MessageStatus::New,
    ),
    (
        52,
        "Harold Simmons",
        "harold.simmons",
        "courses",
        "My granddaughter missed two weeks of SCH3U because of surgery. Whom do we ask about more time?",
        MessageStatus::New,
    ),
    (
        75,
        "Lakshmi Venkat",
        "lakshmi.venkat",
        "admission",
        "We live in Singapore. Can the interview for Grade 10 be held by video call?",
        MessageStatus::New,
    ),
    (
        99,
        "Pierre-Luc Gauthier",
        "pl.gauthier",
        "other",
        "Bonjour, est-ce que le bureau répond aussi en français ?\n\nMerci d'avance.",
        MessageStatus::Open,
    ),
    (
        146,
        "Amina Yusuf",
        "amina.yusuf",
        "admission",
        "We sent the forms last week and have not heard back. Did they arrive?",
        MessageStatus::Open,
    ),
    (
        219,
        "Best SEO Rankings",
        "offers",
        "other",
        "Dear owner, we put your website on the FIRST page in seven days. Reply for a price list!",
        MessageStatus::Spam,
    ),
    (
        290,
        "Katarzyna Zielińska",
        "katarzyna.zielinska",
        "courses",
        "Is the summer course in chemistry taught online or in the building?",
        MessageStatus::Replied,
    ),
    (
        437,
        "David Chen",
        "david.chen",
        "general",
        "Thank you for the open house. Our daughter has talked about nothing else since.",
        MessageStatus::Closed,
    ),
    (
        601,
        "Roya Tehrani",
        "roya.tehrani",
        "courses",
        "Which mathematics course does a student need for engineering at university?",
        MessageStatus::Replied,
    ),
    (
        842,
        "Marco Bianchi",
        "marco.bianchi",
        "admission",
        "Is there still a place in Grade 12 for someone who arrives in the middle of the year?",
        MessageStatus::Replied,
    ),
];

/// Hours ago, first and last name, mailbox, telephone, address, the grade's place, the school before.
type SampleApplication = (i64, [&'static str; 5], usize, Option<&'static str>);

const ASKING: [SampleApplication; 6] = [
    (
        50,
        [
            "Anaïs",
            "Núñez-Gagné",
            "famille.gagne",
            "(514) 555-0176",
            "9 rue de l'Exemple, Montréal, QC H2X 0A0",
        ],
        1,
        Some("École secondaire de l'Exemple"),
    ),
    (
        78,
        ["Rohan", "Iyer", "iyer.family", "(905) 555-0121", "210 Sample Avenue, Brampton, ON L6P 1A2"],
        2,
        Some("Sample Park Collegiate"),
    ),
    (
        123,
        ["Ximena", "Rojas Prieto", "rojas.prieto", "+52 55 5550 0133", "Calle Ejemplo 33, Ciudad de México"],
        3,
        Some("Colegio del Ejemplo"),
    ),
    (195, ["Ji-ho", "Nam", "nam.jiho", "+82 2 555 0184", "4 Yebi-daero, Seoul"], 1, None),
    (
        340,
        ["Thandiwe", "Nkosi", "nkosi.family", "(613) 555-0148", "57 Model Crescent, Ottawa, ON K2P 2A5"],
        0,
        Some("Example Heights Middle School"),
    ),
    (
        511,
        ["Benedikt", "Hofer", "hofer.graz", "+43 316 555 0162", "Musterweg 2, Graz"],
        2,
        Some("Mustergymnasium Graz"),
    ),
];

/// Writes down when each of them arrived, and that the office dealt with it an hour later.
pub fn tell(plan: &mut Plan) -> Result<()> {
    let now = plan.calendar.now;
    let ago = |hours: i64| now - SignedDuration::from_hours(hours);
    for (hours, name, mailbox, subject, message, status) in MESSAGES {
        let phone = (mailbox == "soren.kjaer").then_some("+45 55 50 01 42");
        let body = json!({
            "name": name, "email": format!("{mailbox}@mail.example"), "phone": phone, "subject": subject,
            "message": message,
        });
        plan.diary.note(ago(hours), move |scene| scene.receive(mailbox, body));
        if status != MessageStatus::New {
            plan.diary.note(ago(hours - 1), move |scene| scene.deal_with(mailbox, status));
        }
    }
    for asking in ASKING {
        plan.diary.note(ago(asking.0), move |scene| scene.ask_for_place(&asking));
    }
    Ok(())
}

impl Scene<'_> {
    fn receive(&mut self, mailbox: &'static str, body: Value) -> Result<()> {
        let form: MessageForm = form(body)?;
        let id = store::insert(self.connection, &NewMessage::parse(&form)?, self.now)?;
        self.messages.insert(mailbox, id);
        Ok(())
    }

    /// The registrar reads a message and puts it where it belongs.
    fn deal_with(&self, mailbox: &str, status: MessageStatus) -> Result<()> {
        let id = *self.messages.get(mailbox).with_context(|| format!("the message of {mailbox}"))?;
        store::set_status(self.connection, id, status)?;
        let detail = json!({ "from": MessageStatus::New, "to": status });
        let word = Mark::Read.as_str();
        audit::record(self.connection, &self.registrar(), word, "message", id, detail, self.now)
    }

    fn ask_for_place(&self, (_, facts, grade, previous_school): &SampleApplication) -> Result<()> {
        let [first_name, last_name, mailbox, phone, address_line] = *facts;
        let request = NewAdmissionRequest {
            first_name,
            last_name,
            email: &address(&format!("{mailbox}@mail.example"))?,
            phone,
            address: address_line,
            grade: Grade::ALL[*grade],
            previous_school: *previous_school,
        };
        admissions::insert(self.connection, &request, self.now).map(drop)
    }
}
