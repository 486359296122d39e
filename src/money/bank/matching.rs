//! Whose a line of the bank may be: by the payment code it is matched; by an invoice, a student's number, a name of the family or
//! the payer of last time it is suggested, and an amount that is exactly what is owed lifts a suggestion above the others.
//!
//! It is worked out whenever a line is looked at, and never stored: what is due changes.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::closed_set::closed_set;
use crate::base::error::Result;
use crate::base::money::Money;
use crate::money::ledger::{self, Fees, Payer};
use crate::money::payments::codes;
use crate::storage::search::fold;
use crate::storage::statements::{Statements, from_row, params};

closed_set! {
    /// Why a line is taken for a student's.
    pub enum MatchReason {
        /// The student's code is in the text.
        Code = "code",
        /// The number of an invoice is.
        Invoice = "invoice",
        /// The student's number is.
        StudentNumber = "student_number",
        /// The student's name is, and it is exactly what is due.
        NameAmount = "name_amount",
        /// The student's name is.
        Name = "name",
        /// The name of a guardian is.
        Guardian = "guardian",
        /// Who is named there paid for the student last time.
        Payer = "payer",
    }
}

/// The student that a line may belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BankMatch {
    /// The student.
    pub student_id: i64,
    /// The student's name.
    pub student_name: String,
    /// Why.
    pub why: MatchReason,
    /// Dollars that are due, less what on account covers.
    #[schema(value_type = f64)]
    pub owes: Money,
}

/// A student's part of a line that is for several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuggestedPart {
    /// The student.
    pub student_id: i64,
    /// The student's name.
    pub student_name: String,
    /// Dollars that are due, less what on account covers.
    #[schema(value_type = f64)]
    pub owes: Money,
}

/// Whose a line may be.
#[derive(Debug, Default)]
pub struct Found {
    /// One student's.
    pub matched: Option<BankMatch>,
    /// Or several students', whose codes are in the text, or who share a payer and owe together what it is.
    pub division: Vec<SuggestedPart>,
}

impl Found {
    /// A student that the office names; nothing where there is none.
    ///
    /// # Errors
    /// Database errors.
    pub fn of(connection: &Connection, student_id: i64) -> Result<Self> {
        let name = name(connection, student_id)?;
        let why = MatchReason::Name;
        let matched =
            name.map(|student_name| BankMatch { student_id, student_name, why, owes: Money::default() });
        Ok(Self { matched, division: Vec::new() })
    }
}

fn name(connection: &Connection, student_id: i64) -> Result<Option<String>> {
    let sql = "select coalesce(full_name, 'Student #' || id) from students where id = :student_id";
    connection.find(sql, params![student_id])
}

struct NameRow {
    student_id: i64,
    name: String,
    is_guardian: bool,
}

from_row!(NameRow { student_id, name, is_guardian });

/// Names that a line may hold.
struct Names {
    /// The words of each, its student, and whether it is a guardian's.
    people: Vec<(Vec<String>, i64, bool)>,
    /// People by each word of their names.
    by_word: BTreeMap<String, Vec<usize>>,
}

/// What a student has to pay.
#[derive(Clone)]
struct Owed {
    /// In all, less what on account covers.
    rest: Money,
    /// That, the same with what on account covers, and each open part.
    amounts: BTreeSet<i64>,
}

/// What is needed to match the lines of a file, read once.
pub struct Matcher<'a> {
    connection: &'a Connection,
    school: &'a str,
    /// Read with the first line that has no code.
    names: Option<Names>,
    /// Read when it is first asked for.
    owed: BTreeMap<i64, Owed>,
}

impl<'a> Matcher<'a> {
    /// A matcher for the codes of a school of this name.
    pub fn new(connection: &'a Connection, school: &'a str) -> Self {
        Self { connection, school, names: None, owed: BTreeMap::new() }
    }

    /// Whose a line with this text and amount may be.
    ///
    /// # Errors
    /// Database errors.
    pub fn find(&mut self, text: &str, cents: i64) -> Result<Found> {
        match codes::owners(self.connection, self.school, text)?.as_slice() {
            [] => self.suggest(text, cents),
            [one] => {
                Ok(Found { matched: Some(self.matched(*one, MatchReason::Code)?), division: Vec::new() })
            }
            several => Ok(Found { matched: None, division: self.parts(several)? }),
        }
    }

    fn suggest(&mut self, text: &str, cents: i64) -> Result<Found> {
        let mut reasons = BTreeMap::<i64, MatchReason>::new();
        for (student_id, reason) in self.by_numbers(text)? {
            reasons.entry(student_id).or_insert(reason);
        }
        for (student_id, is_guardian) in self.by_names(text)? {
            let reason = if is_guardian { MatchReason::Guardian } else { MatchReason::Name };
            let entry = reasons.entry(student_id).or_insert(reason);
            *entry = strongest(*entry, reason);
        }
        let payers = self.by_payer(text)?;
        for student_id in &payers {
            let entry = reasons.entry(*student_id).or_insert(MatchReason::Payer);
            *entry = strongest(*entry, MatchReason::Payer);
        }
        let mut ranked = Vec::new();
        for (student_id, reason) in &reasons {
            let owes = self.owed(*student_id)?.amounts.contains(&cents);
            ranked.push((rank(*reason) + if owes { OWES } else { 0 }, owes, *student_id, *reason));
        }
        ranked.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
        match ranked.as_slice() {
            [(rank, owes, student_id, reason), rest @ ..]
                if rest.first().is_none_or(|(other, ..)| other < rank) =>
            {
                let is_named = *owes && *reason == MatchReason::Name;
                let reason = if is_named { MatchReason::NameAmount } else { *reason };
                // Of brothers and sisters together it may still be what all of them owe.
                let division = if *owes { Vec::new() } else { self.division(&reasons, cents)? };
                let matched =
                    if division.is_empty() { Some(self.matched(*student_id, reason)?) } else { None };
                Ok(Found { matched, division })
            }
            _ => Ok(Found { matched: None, division: self.division(&reasons, cents)? }),
        }
    }

    /// Students of one guardian or payer, if they owe together what a line is.
    fn division(&mut self, reasons: &BTreeMap<i64, MatchReason>, cents: i64) -> Result<Vec<SuggestedPart>> {
        let is_shared = |reason: &MatchReason| matches!(reason, MatchReason::Guardian | MatchReason::Payer);
        let ids: Vec<i64> =
            reasons.iter().filter(|(_, reason)| is_shared(reason)).map(|(id, _)| *id).collect();
        if !(2..=MAX_PARTS).contains(&ids.len()) {
            return Ok(Vec::new());
        }
        let mut parts = self.parts(&ids)?;
        parts.retain(|part| part.owes.cents() > 0);
        let sum: i64 = parts.iter().map(|part| part.owes.cents()).sum();
        Ok(if sum == cents && parts.len() > 1 { parts } else { Vec::new() })
    }

    fn parts(&mut self, ids: &[i64]) -> Result<Vec<SuggestedPart>> {
        let part = |id: &i64| {
            let student_name = self.name(*id)?;
            let owes = self.owed(*id)?.rest;
            Ok(SuggestedPart { student_id: *id, student_name, owes })
        };
        ids.iter().map(part).collect()
    }

    fn matched(&mut self, student_id: i64, why: MatchReason) -> Result<BankMatch> {
        let student_name = self.name(student_id)?;
        let owes = self.owed(student_id)?.rest;
        Ok(BankMatch { student_id, student_name, why, owes })
    }

    fn name(&self, student_id: i64) -> Result<String> {
        Ok(name(self.connection, student_id)?.unwrap_or_default())
    }

    /// Students by the numbers of invoices and their own, which stand on the school's papers.
    fn by_numbers(&self, text: &str) -> Result<Vec<(i64, MatchReason)>> {
        let upper = text.to_uppercase();
        let words = upper.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.contains('-'));
        let mut found = Vec::new();
        for word in words {
            let (sql, reason) = match word.strip_prefix("INV-") {
                Some(_) => (
                    "select coalesce(s.merged_into, s.id) from invoices i cross join students s on s.id = i.student_id
                     where i.number = :word",
                    MatchReason::Invoice,
                ),
                None => (
                    "select coalesce(merged_into, id) from students where student_number = :word",
                    MatchReason::StudentNumber,
                ),
            };
            let id: Option<i64> = self.connection.find(sql, params![word])?;
            found.extend(id.map(|id| (id, reason)));
        }
        Ok(found)
    }

    /// Students whose names, or whose guardians' names, are in the text, in any order: a word may be cut, a first name be its
    /// initial, and of a name of three words one may be missing.
    fn by_names(&mut self, text: &str) -> Result<Vec<(i64, bool)>> {
        let text = words(text);
        let names = match self.names.take() {
            Some(names) => names,
            None => Names::read(self.connection)?,
        };
        let mut candidates = BTreeSet::<usize>::new();
        for word in text.iter().filter(|word| word.len() > 1) {
            let begun =
                names.by_word.range(word.clone()..).take_while(|(name, _)| name.starts_with(word.as_str()));
            let fitting = begun.filter(|(name, _)| is_word(word, name));
            candidates.extend(fitting.flat_map(|(_, people)| people));
        }
        let found = candidates.into_iter().filter(|at| is_named(&text, &names.people[*at].0));
        let found = found.map(|at| (names.people[at].1, names.people[at].2)).collect();
        self.names = Some(names);
        Ok(found)
    }

    /// The students that the payer of a line paid for last time.
    fn by_payer(&self, text: &str) -> Result<Vec<i64>> {
        let Some(payer) = payer(text) else { return Ok(Vec::new()) };
        let sql = "select distinct coalesce(s.merged_into, s.id)
            from payments p cross join students s on s.id = p.student_id
            where p.import_line_id = (select max(id) from bank_lines where payer = :payer and state = 'posted')
                and not exists (select 1 from payments r where r.reverses_id = p.id)";
        self.connection.list(sql, params![payer])
    }

    fn owed(&mut self, student_id: i64) -> Result<Owed> {
        if let Some(owed) = self.owed.get(&student_id) {
            return Ok(owed.clone());
        }
        let payer = Payer::Student(student_id);
        let open = Fees::read(self.connection, payer)?.open();
        let parts = open.iter().map(|charge| charge.amount.cents());
        let total: i64 = parts.clone().sum();
        let on_account = ledger::on_account(self.connection, payer)?;
        let free = ledger::free_on_account(self.connection, student_id, on_account)?.cents();
        let rest = (total - free).max(0);
        let amounts = parts.chain([total, rest]).filter(|cents| *cents > 0).collect();
        let owed = Owed { rest: Money::from_cents(rest), amounts };
        self.owed.insert(student_id, owed.clone());
        Ok(owed)
    }
}

/// The most children that a payment is divided among.
const MAX_PARTS: usize = 12;

/// What an amount that is exactly owed adds to a reason.
const OWES: u8 = 10;

fn rank(reason: MatchReason) -> u8 {
    match reason {
        MatchReason::Code => 9,
        MatchReason::Invoice | MatchReason::StudentNumber => 8,
        MatchReason::NameAmount | MatchReason::Name => 3,
        MatchReason::Payer => 2,
        MatchReason::Guardian => 1,
    }
}

fn strongest(one: MatchReason, other: MatchReason) -> MatchReason {
    if rank(other) > rank(one) { other } else { one }
}

impl Names {
    fn read(connection: &Connection) -> Result<Self> {
        let sql = "select id as student_id, full_name as name, false as is_guardian from students
            where full_name is not null and merged_into is null
            union all
            select g.student_id, g.name, true from guardians g cross join students s on s.id = g.student_id
            where s.merged_into is null";
        let rows: Vec<NameRow> = connection.list(sql, [])?;
        let mut people = Vec::with_capacity(rows.len());
        let mut by_word = BTreeMap::<String, Vec<usize>>::new();
        for row in rows {
            // A hyphen is a blank, or nothing.
            let divided = words(&row.name);
            let joined = words(&fold(&row.name));
            let other = (joined != divided).then_some(joined);
            for name in [Some(divided), other].into_iter().flatten() {
                for word in &name {
                    by_word.entry(word.clone()).or_default().push(people.len());
                }
                let NameRow { student_id, is_guardian, .. } = row;
                people.push((name, student_id, is_guardian));
            }
        }
        Ok(Self { people, by_word })
    }
}

/// Whether a word of a text is a word of a name: the same, or cut behind four letters.
fn is_word(word: &str, name: &str) -> bool {
    word == name || (word.chars().count() >= 4 && name.starts_with(word))
}

/// Whether a name is in a text.
fn is_named(text: &[String], name: &[String]) -> bool {
    let place = |part: &String| text.iter().position(|word| word.chars().count() > 1 && is_word(word, part));
    let places: Vec<Option<usize>> = name.iter().map(place).collect();
    let whole = places.iter().flatten().count();
    // Beside a word of the name a single letter is the initial of another one.
    let is_beside = |at: usize| places.iter().flatten().any(|place| place.abs_diff(at) == 1);
    let is_initial = |part: &String| {
        (0..text.len())
            .any(|at| text[at].chars().count() == 1 && part.starts_with(&text[at]) && is_beside(at))
    };
    let initials =
        name.iter().zip(&places).filter(|(part, place)| place.is_none() && is_initial(part)).count();
    let is_long = |part: &&String| part.chars().count() >= 4;
    match name.len() {
        0 => false,
        1 => name.first().filter(is_long).is_some_and(|part| text.contains(part)),
        parts => whole >= 1 && whole + initials >= 2.max(parts - 1),
    }
}

/// Words that banks write on every line.
const OF_BANKS: [&str; 38] = [
    "interac",
    "e",
    "transfer",
    "etransfer",
    "etrnsfr",
    "trf",
    "tfr",
    "virement",
    "virements",
    "received",
    "recu",
    "deposit",
    "depot",
    "from",
    "de",
    "du",
    "credit",
    "cr",
    "memo",
    "autodeposit",
    "auto",
    "branch",
    "mobile",
    "cheque",
    "chq",
    "payment",
    "paiement",
    "online",
    "banking",
    "internet",
    "ref",
    "reference",
    "number",
    "no",
    "tuition",
    "fee",
    "fees",
    "school",
];

/// Who paid: the words of a text without those of banks and without numbers; `None` where fewer than two are left.
pub fn payer(text: &str) -> Option<String> {
    let is_told = |word: &String| {
        !OF_BANKS.contains(&word.as_str())
            && !word.contains(|c: char| c.is_ascii_digit())
            && word.chars().count() > 1
    };
    let told: Vec<_> = words(text).into_iter().filter(is_told).collect();
    (told.len() > 1).then(|| told.join(" "))
}

/// The words of a text, without case, accents and punctuation; a hyphen divides them, and "e-Transfer" is one.
fn words(text: &str) -> Vec<String> {
    let folded = fold(&text.replace(['-', '\u{2010}', '\u{2011}', '\u{2013}', '\u{2014}'], " "));
    let mut words: Vec<String> = Vec::new();
    for word in folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        match words.last_mut() {
            Some(last) if last == "e" && word == "transfer" => "etransfer".clone_into(last),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_banks_write_them() {
        for (text, name) in [
            ("E-TRANSFER SAMPLE ALPHA", "Alpha Sample"),
            ("SAMPLE, ALPHA", "Alpha Sample"),
            ("e-Transfer SIGMA C EXAMPLE", "Sigma Example"),
            ("e-Transfer S EXAMPLE", "Sigma Example"),
            ("EXAMPLE S", "Sigma Example"),
            ("INTERAC ZETA SAMPLE EXAMPLE", "Zeta Sample-Example"),
            ("ZETA SAMPLE", "Zeta Sample-Example"),
            ("OKONKWO CHIDIEB", "Chidiebere Okonkwo"),
            ("Virement Zoe Muller", "Zo\u{eb} M\u{fc}ller"),
            ("SUKARNO", "Sukarno"),
        ] {
            assert!(is_named(&words(text), &words(name)), "{text}: {name}");
        }
        for (text, name) in [
            ("E-TRANSFER SAMPLE BETA", "Alpha Sample"),
            ("e-Transfer EXAMPLE", "Emma Example"),
            ("ALPHA", "Alpha Sample"),
            ("FEE A 12 SAMPLE", "Alpha Sample"),
            ("ANN LEE", "Anna Lee"),
            ("ANA LOPEZ", "Ana Maria Silva"),
        ] {
            assert!(!is_named(&words(text), &words(name)), "{text}: {name}");
        }
    }

    #[test]
    fn the_payer_is_what_banks_do_not_write_themselves() {
        for (text, expected) in [
            ("INTERAC e-Transfer From: OMEGA GUARDIAN", Some("omega guardian")),
            ("E-TRANSFER RECEIVED REF C1A2B3C4 Omega Guardian 12", Some("omega guardian")),
            ("MOBILE CHEQUE DEPOSIT", None),
            ("e-Transfer OMEGA", None),
        ] {
            assert_eq!(payer(text).as_deref(), expected, "{text}");
        }
    }
}
