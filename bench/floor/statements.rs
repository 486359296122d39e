//! The operations as the statements that they come down to, in axum and rusqlite: no session, no validation, no
//! limit, no email drawn. The caller is named by a header. Writes share their commits, as the server's do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use anyhow::{Context, anyhow};
use axum::extract::{Multipart, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, named_params};
use schoolhouse::testing::{Clock, db, hex};
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;
use tokio::sync::oneshot;

use crate::contender::{Header, Operation};

/// The header that names the student.
const STUDENT: &str = "x-student";
/// Writes that share one commit.
const GROUP: usize = 128;

type Job = Box<dyn FnOnce(&Connection) -> Written + Send>;
type Written = Box<dyn FnOnce() + Send>;

/// A header by which the floor knows a student.
pub fn student(id: i64) -> Header {
    Header::new(STUDENT, &id.to_string())
}

#[derive(Clone)]
struct Floor {
    folder: PathBuf,
    readers: Arc<Mutex<Vec<Connection>>>,
    jobs: mpsc::Sender<Job>,
}

/// Its endpoints, on the database of a folder.
pub fn router(folder: &Path) -> anyhow::Result<Router> {
    let path = folder.join("schoolhouse.db");
    let writer = db::connect(&path)?;
    let (jobs, queue) = mpsc::channel();
    std::thread::spawn(move || {
        if let Err(error) = write(&writer, &queue) {
            eprintln!("the floor's writer has ended: {error}");
        }
    });
    let readers = (0..4).map(|_| db::connect(&path)).collect::<anyhow::Result<_>>()?;
    let floor = Floor { folder: folder.to_owned(), readers: Arc::new(Mutex::new(readers)), jobs };
    Ok(Router::new()
        .route("/own", get(own))
        .route("/pending", get(pending))
        .route("/enroll", post(enroll))
        .route("/contact", post(contact))
        .route("/balances", get(balances))
        .route("/payment", post(payment))
        .route("/upload", post(upload))
        .with_state(floor))
}

fn write(connection: &Connection, queue: &mpsc::Receiver<Job>) -> rusqlite::Result<()> {
    while let Ok(first) = queue.recv() {
        connection.execute_batch("begin immediate")?;
        let mut answers = vec![first(connection)];
        while let (true, Ok(job)) = (answers.len() < GROUP, queue.try_recv()) {
            answers.push(job(connection));
        }
        connection.execute_batch("commit")?;
        for answer in answers {
            answer();
        }
    }
    Ok(())
}

impl Floor {
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Failed> {
        let taken = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = taken.context("no connection is free")?;
        let read = work(&connection);
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(read?)
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Failed> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            let done = work(connection);
            Box::new(move || drop(sender.send(done)))
        });
        self.jobs.send(job).map_err(|_| anyhow!("the writer has ended"))?;
        Ok(receiver.await.context("the writer has ended")??)
    }
}

/// Whatever goes wrong is a 500, which ends the measurement.
struct Failed(anyhow::Error);

impl<E: Into<anyhow::Error>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, format!("{:#}", self.0)).into_response()
    }
}

fn id_of(headers: &HeaderMap) -> Result<i64, Failed> {
    let id = headers.get(STUDENT).and_then(|id| id.to_str().ok()?.parse().ok());
    Ok(id.context("no student")?)
}

/// A row as an object of its columns.
fn object(row: &Row<'_>) -> rusqlite::Result<Value> {
    let names = row.as_ref().column_names().map(str::to_owned).collect::<Vec<_>>();
    let mut object = Map::new();
    for (at, name) in names.into_iter().enumerate() {
        let value = match row.get_ref(at)? {
            ValueRef::Integer(number) => number.into(),
            ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
            ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => Value::Null,
        };
        object.insert(name, value);
    }
    Ok(object.into())
}

async fn own(State(floor): State<Floor>, headers: HeaderMap) -> Result<Json<Vec<Value>>, Failed> {
    let student = id_of(&headers)?;
    floor
        .read(|connection| {
            connection
                .prepare_cached(
                    "select e.id, e.course_id, e.status, e.start_date, e.end_date, e.reason, e.final_mark,
                         e.quoted_price_cents, e.quoted_at, e.charged_price_cents, e.repeat_of, e.created_at,
                         e.decided_at, e.withdrawn_on, e.offered_until, e.leave_asked_at, e.leave_reason,
                         e.midterm_mark, e.credits_hundredths as earned, e.version, c.name, c.code, c.grade,
                         c.credits_hundredths
                     from enrollments e join courses c on c.id = e.course_id
                     where e.student_id = :student order by e.created_at desc, e.id desc",
                )?
                .query_map(named_params! { ":student": student }, object)?
                .collect()
        })
        .map(Json)
}

async fn pending(State(floor): State<Floor>) -> Result<Response, Failed> {
    let (rows, total) = floor.read(|connection| {
        let rows: Vec<Value> = connection
            .prepare_cached(
                "select e.id, e.start_date, e.end_date, e.status, s.full_name, s.email,
                     s.identity_changed_at is not null as identity_changed, c.name, c.code, c.grade,
                     c.price_cents, e.quoted_price_cents, e.quoted_at
                 from enrollments e join students s on s.id = e.student_id join courses c on c.id = e.course_id
                 where e.status = 'pending' order by e.created_at, e.id limit 25",
            )?
            .query_map(named_params! {}, object)?
            .collect::<rusqlite::Result<_>>()?;
        let total: i64 = connection
            .prepare_cached("select count(*) from enrollments where status = 'pending'")?
            .query_row(named_params! {}, |row| row.get(0))?;
        Ok((rows, total))
    })?;
    Ok(([("x-total-count", total.to_string())], Json(rows)).into_response())
}

async fn balances(State(floor): State<Floor>) -> Result<Response, Failed> {
    let (rows, total) = floor.read(|connection| {
        let rows: Vec<Value> = connection
            .prepare_cached(
                "select b.*, s.student_number, s.full_name, s.email,
                     (select max(r.sent_at) from reminders r where r.student_id = b.student_id) as reminded_at
                 from student_balances b join students s on s.id = b.student_id
                 order by b.name, b.student_id limit 25",
            )?
            .query_map(named_params! {}, object)?
            .collect::<rusqlite::Result<_>>()?;
        let total: i64 = connection
            .prepare_cached("select count(*) from student_balances")?
            .query_row(named_params! {}, |row| row.get(0))?;
        Ok((rows, total))
    })?;
    Ok(([("x-total-count", total.to_string())], Json(rows)).into_response())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payment {
    student_id: i64,
    amount: i64,
    reference: String,
    received_on: String,
}

async fn payment(
    State(floor): State<Floor>,
    Json(form): Json<Payment>,
) -> Result<(StatusCode, String), Failed> {
    let now = Clock::System.now().as_second();
    let number = floor.write(move |connection| pay(connection, &form, now)).await?;
    Ok((StatusCode::CREATED, number))
}

/// A payment for what is due first, with its receipt and its row in the trail.
fn pay(connection: &Connection, form: &Payment, now: i64) -> rusqlite::Result<String> {
    let enrollment: i64 = connection
        .prepare_cached(
            "select b.enrollment_id from enrollment_balances b
                 join dues d on d.student_id = :student and d.enrollment_id = b.enrollment_id
             where b.student_id = :student and b.balance > 0 order by d.due_on limit 1",
        )?
        .query_row(named_params! { ":student": form.student_id }, |row| row.get(0))?;
    connection
        .prepare_cached(
            "insert into payments (student_id, amount_cents, method, reference, received_on, created_by, created_at)
             values (:student, :cents, 'e_transfer', :reference, :received_on, 1, :now)",
        )?
        .execute(named_params! {
            ":student": form.student_id, ":cents": form.amount * 100, ":reference": form.reference,
            ":received_on": form.received_on, ":now": now,
        })?;
    let id = connection.last_insert_rowid();
    connection
        .prepare_cached(
            "insert into ledger (kind, amount_cents, enrollment_id, payment_id, created_by, created_at)
             values ('payment', :cents, :enrollment, :id, 1, :now)",
        )?
        .execute(named_params! {
            ":cents": form.amount * 100, ":enrollment": enrollment, ":id": id, ":now": now,
        })?;
    let number: String = connection
        .prepare_cached(
            "insert into counters (name, year, next) values ('receipt', strftime('%Y', :now, 'unixepoch') + 0, 2)
             on conflict (name, year) do update set next = next + 1
             returning printf('%d-%06d', year, next - 1)",
        )?
        .query_row(named_params! { ":now": now }, |row| row.get(0))?;
    connection
        .prepare_cached(
            "insert into receipts (number, payment_id, issued_at, body_json)
             values (:number, :id, :now, json_object('number', :number, 'payer', :words))",
        )?
        .execute(named_params! { ":number": number, ":id": id, ":now": now, ":words": "A line of a receipt. ".repeat(30) })?;
    connection
        .prepare_cached(
            "insert into audit (at, user_id, actor, action, object, object_id)
             values (:now, 1, 'office', 'record', 'payment', :id)",
        )?
        .execute(named_params! { ":now": now, ":id": id })?;
    Ok(number)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Enroll {
    course_id: i64,
    start_date: String,
    end_date: String,
}

async fn enroll(
    State(floor): State<Floor>,
    headers: HeaderMap,
    Json(form): Json<Enroll>,
) -> Result<(StatusCode, String), Failed> {
    let (student, now) = (id_of(&headers)?, Clock::System.now().as_second());
    let id = floor
        .write(move |connection| {
            let (price, code): (Option<i64>, String) = connection
                .prepare_cached("select price_cents, code from courses where id = :course")?
                .query_row(named_params! { ":course": form.course_id }, |row| {
                    Ok((row.get("price_cents")?, row.get("code")?))
                })?;
            let earlier: i64 = connection
                .prepare_cached(
                    "select count(*) from courses c cross join enrollments e
                         on e.course_id = c.id and e.student_id = :student
                     where c.code between :start and :start || '~' and substr(c.code, 1, 5) = :start",
                )?
                .query_row(
                    named_params! { ":student": student, ":start": code.get(..5).unwrap_or(&code) },
                    |row| row.get(0),
                )?;
            assert_eq!(earlier, 0, "a course is asked for once");
            connection
                .prepare_cached(
                    "insert into enrollments (student_id, course_id, start_date, end_date, status, created_at,
                         quoted_price_cents, quoted_at)
                     values (:student, :course, :start, :end, 'pending', :now, :price,
                         iif(:price is null, null, :now))",
                )?
                .execute(named_params! {
                    ":student": student, ":course": form.course_id, ":start": form.start_date,
                    ":end": form.end_date, ":now": now, ":price": price,
                })?;
            let id = connection.last_insert_rowid();
            connection
                .prepare_cached(
                    "insert into enrollment_events (enrollment_id, at, actor_kind, verb, to_status)
                     values (:id, :now, 'student', 'request', 'pending')",
                )?
                .execute(named_params! { ":id": id, ":now": now })?;
            queue_email(connection, "pupil@mail.example", Some(student), "enrollment_requested", now)?;
            Ok(id)
        })
        .await?;
    Ok((StatusCode::CREATED, id.to_string()))
}

#[derive(Deserialize)]
struct Contact {
    name: String,
    email: String,
    subject: String,
    message: String,
}

async fn contact(State(floor): State<Floor>, Json(form): Json<Contact>) -> Result<&'static str, Failed> {
    let now = Clock::System.now().as_second();
    floor
        .write(move |connection| {
            connection
                .prepare_cached(
                    "insert into contact_messages (name, email, subject, message, status, created_at)
                     values (:name, :email, :subject, :message, 'new', :now)",
                )?
                .execute(named_params! {
                    ":name": form.name, ":email": form.email, ":subject": form.subject,
                    ":message": form.message, ":now": now,
                })?;
            queue_email(connection, &form.email, None, "contact_confirmation", now)?;
            queue_email(connection, "office@school.example", None, "contact_copy", now)
        })
        .await?;
    Ok("sent")
}

fn queue_email(
    connection: &Connection,
    to: &str,
    student: Option<i64>,
    kind: &str,
    now: i64,
) -> rusqlite::Result<()> {
    let words =
        "Thank you for writing to us. Your message has arrived, and the office will answer it. ".repeat(4);
    connection
        .prepare_cached(
            "insert into outbox (message_id, recipient, subject, text_body, html_body, kind, mailbox, caused_by,
                 charged_at, next_attempt_at, created_at)
             values (hex(randomblob(16)), :to, 'We have your message', :words, '', :kind, :to, :student, :now,
                 :now + 100000, :now)",
        )?
        .execute(named_params! { ":to": to, ":words": words, ":kind": kind, ":student": student, ":now": now })?;
    connection
        .prepare_cached(
            "insert into mail_hours (hour, kind, outcome, count) values (:now / 3600, :kind, 'accepted', 1)
             on conflict do update set count = count + 1",
        )?
        .execute(named_params! { ":now": now, ":kind": kind })?;
    Ok(())
}

async fn upload(
    State(floor): State<Floor>,
    headers: HeaderMap,
    mut form: Multipart,
) -> Result<StatusCode, Failed> {
    let (student, now) = (id_of(&headers)?, Clock::System.now().as_second());
    while let Some(mut field) = form.next_field().await? {
        if field.name() != Some("document") {
            continue;
        }
        let path = tempfile::NamedTempFile::new_in(&floor.folder)?.into_temp_path();
        let (mut file, mut digest, mut bytes) = (tokio::fs::File::create(&path).await?, Sha256::new(), 0);
        while let Some(piece) = field.chunk().await? {
            digest.update(&piece);
            bytes += i64::try_from(piece.len())?;
            file.write_all(&piece).await?;
        }
        file.sync_data().await?;
        let sha256 = hex(&digest.finalize());
        std::fs::rename(&path, floor.folder.join(&sha256))?;
        floor
            .write(move |connection| {
                connection
                    .prepare_cached(
                        "insert into student_documents (student_id, document_type, document_path, sha256,
                             content_type, size_bytes, original_name, status, uploaded_at, examination)
                         values (:student, 'transcript', 'documents/00/' || :sha256, :sha256, 'application/pdf',
                             :bytes, 'a.pdf', 'pending_review', :now, 'passed')",
                    )?
                    .execute(named_params! {
                        ":student": student, ":sha256": sha256, ":bytes": bytes, ":now": now,
                    })
            })
            .await?;
    }
    Ok(StatusCode::CREATED)
}

/// What the floor is asked, for what the server is asked.
pub fn operations(of_server: &BTreeMap<String, Operation>) -> BTreeMap<String, Operation> {
    let operations = of_server.iter().map(|(name, operation)| {
        let method = operation.line.split(' ').next().unwrap_or("GET");
        (name.clone(), Operation { line: format!("{method} /{name}"), ..operation.clone() })
    });
    operations.collect()
}
