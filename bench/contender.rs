//! What is measured: programs that do the same work, each in a process and with an interface of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, ensure};
use serde::Deserialize;
use serde_json::Value;

use crate::client::{Requests, request_of};
use crate::school::{FIRST_STUDENT, Process};

/// Bytes of an uploaded document.
const UPLOAD: usize = 2 << 20;
/// Separates the parts of a form; in no document.
const BOUNDARY: &str = "----bench-boundary-7f3a";

/// A program and what it takes: written down by its own start where it is a peer.
pub struct Contender {
    /// What the tables call it.
    pub name: &'static str,
    /// The program.
    pub process: Process,
    /// What it can be asked.
    pub interface: Interface,
    /// How often it was asked for each operation.
    asked: Mutex<BTreeMap<String, Arc<AtomicUsize>>>,
}

/// The same work, as one program takes it.
#[derive(Debug, Clone, Deserialize)]
pub struct Interface {
    /// Headers of students who are signed in.
    pub students: Vec<Header>,
    /// The header of a member of the staff who is signed in.
    pub staff: Header,
    /// The operations by their names.
    pub operations: BTreeMap<String, Operation>,
    /// Courses that any of the students can ask for, once.
    pub courses: Vec<Value>,
}

/// A header of a request.
#[derive(Debug, Clone, Deserialize)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl Header {
    /// A header.
    pub fn new(name: &str, value: &str) -> Self {
        Self { name: name.to_owned(), value: value.to_owned() }
    }
}

/// The client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// Each of the students in turn.
    Student,
    /// The member of the staff.
    Staff,
}

/// One operation.
#[derive(Debug, Clone, Deserialize)]
pub struct Operation {
    /// Method and path.
    pub line: String,
    /// The signed-in user, if one is needed.
    #[serde(rename = "as")]
    pub who: Option<Who>,
    /// The status of an answer that counts.
    pub status: u16,
    /// A body in JSON: `"{course}"` is a course that this student has not asked for yet, `"{student}"` the number of each
    /// of the students in turn, `{number}` in a text the number of the request.
    pub body: Option<Value>,
    /// A form with a document.
    pub multipart: Option<Form>,
}

/// A form with a document that no other equals.
#[derive(Debug, Clone, Deserialize)]
pub struct Form {
    /// The name of its field.
    pub field: String,
    /// The other fields.
    pub fields: BTreeMap<String, String>,
}

impl Contender {
    /// A program that runs, and what it takes.
    pub fn new(name: &'static str, process: Process, interface: Interface) -> Self {
        Self { name, process, interface, asked: Mutex::default() }
    }

    /// Starts a peer; the script fills the folder where it is empty, and says in `peer.json` what it takes.
    pub fn peer(name: &'static str, script: &Path, folder: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(script);
        command.arg(folder);
        let process = Process::start(command)?;
        let written = std::fs::read(folder.join("peer.json")).context("what the peer takes")?;
        Ok(Self::new(name, process, serde_json::from_slice(&written).context("peer.json")?))
    }

    /// The requests of an operation; each asks for something that was not asked for before, where that matters.
    ///
    /// # Errors
    /// When it takes no such operation.
    pub fn requests(&self, name: &str, headers: &[(&str, &str)]) -> anyhow::Result<(Requests, u16)> {
        let operation = self.interface.operations.get(name);
        let operation = operation.with_context(|| format!("{} has no {name}", self.name))?.clone();
        let (status, asked) = (operation.status, self.asked(name));
        let headers: Vec<Header> = headers.iter().map(|(name, value)| Header::new(name, value)).collect();
        let interface = self.interface.clone();
        ensure!(!interface.students.is_empty() && !interface.courses.is_empty(), "no students or courses");
        if operation.who != Some(Who::Student) && operation.body.is_none() && operation.multipart.is_none() {
            let request = interface.request(&operation, &headers, 0);
            return Ok((Requests::Same(request.context("no request")?.into()), status));
        }
        if operation.body.is_none() && operation.multipart.is_none() {
            let made: Vec<Arc<[u8]>> = (0..interface.students.len())
                .filter_map(|number| Some(interface.request(&operation, &headers, number)?.into()))
                .collect();
            let one = move |number: usize| made.get(number % made.len()).cloned();
            return Ok((Requests::Each(Arc::new(one), asked), status));
        }
        let one = move |number| interface.request(&operation, &headers, number).map(Into::into);
        Ok((Requests::Each(Arc::new(one), asked), status))
    }

    fn asked(&self, name: &str) -> Arc<AtomicUsize> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.entry(name.to_owned()).or_default().clone()
    }
}

impl Interface {
    /// The request of this number; none once every student has asked for every course.
    fn request(&self, operation: &Operation, headers: &[Header], number: usize) -> Option<Vec<u8>> {
        let students = self.students.len();
        let signed_in = match operation.who {
            Some(Who::Student) => Some(&self.students[number % students]),
            Some(Who::Staff) => Some(&self.staff),
            None => None,
        };
        let headers: Vec<(&str, &str)> =
            headers.iter().chain(signed_in).map(|header| (&*header.name, &*header.value)).collect();
        let body = match (&operation.body, &operation.multipart) {
            (Some(body), _) => {
                let student = FIRST_STUDENT + i64::try_from(number % students).ok()?;
                let body = filled(body, self.courses.get(number / students), student, number)?;
                Some(("application/json".to_owned(), body.to_string().into_bytes()))
            }
            (None, Some(form)) => {
                Some((format!("multipart/form-data; boundary={BOUNDARY}"), form_of(form, number)))
            }
            (None, None) => None,
        };
        let body = body.as_ref().map(|(kind, body)| (&**kind, body.clone()));
        Some(request_of(&operation.line, &headers, body))
    }
}

/// A body with its places filled; none when it needs a course and there is none.
fn filled(body: &Value, course: Option<&Value>, student: i64, number: usize) -> Option<Value> {
    Some(match body {
        Value::String(text) if text == "{student}" => student.into(),
        Value::String(text) if text == "{course}" => course?.clone(),
        Value::String(text) => Value::String(text.replace("{number}", &number.to_string())),
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(name, value)| Some((name.clone(), filled(value, course, student, number)?)))
                .collect::<Option<_>>()?,
        ),
        other => other.clone(),
    })
}

fn form_of(form: &Form, number: usize) -> Vec<u8> {
    let mut text = String::new();
    for (name, value) in &form.fields {
        text +=
            &format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    let field = &form.field;
    text += &format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"a.pdf\"\r\n\
         content-type: application/pdf\r\n\r\n"
    );
    [text.as_bytes(), &pdf(number), format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

/// A PDF of one empty page that no other equals.
fn pdf(number: usize) -> Vec<u8> {
    let head = format!(
        "%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n\
         2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>\nendobj\n\
         4 0 obj\n<< >>\nstream\n% {number} "
    );
    let tail = "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n";
    let room = UPLOAD - head.len() - tail.len();
    let mut random = fastrand::Rng::with_seed(number as u64);
    let line: Vec<u8> = (0..64).map(|_| random.u8(b'A'..=b'Z')).collect();
    let mut content = line.repeat(room / 64 + 1);
    content.truncate(room);
    [head.as_bytes(), &content, tail.as_bytes()].concat()
}
