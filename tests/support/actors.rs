//! Users of a school over HTTP, and the responses they get.

use jiff::ToSpan;
use jiff::civil::Date;
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use schoolhouse::testing::write_pdf_again;
use serde_json::{Value, json};

use super::PASSWORD;
use super::document::assert_documented;

/// A browser with a cookie jar. It trusts no certificate authority until it is given one: reading those of the system
/// takes longer than most tests.
pub fn browser() -> reqwest::ClientBuilder {
    choose_cryptography();
    Client::builder().cookie_store(true).tls_certs_only([])
}

/// No client can be built before: reqwest brings no cryptography of its own here.
pub fn choose_cryptography() {
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
}

/// A client with a cookie jar.
pub struct Actor {
    pub client: Client,
    pub base: String,
}

/// A student who is logged in.
pub struct Student {
    pub(super) actor: Actor,
    pub id: i64,
    pub email: String,
}

impl std::ops::Deref for Student {
    type Target = Actor;

    fn deref(&self) -> &Actor {
        &self.actor
    }
}

/// An answer, read whole.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    async fn from_response(response: Response) -> reqwest::Result<Self> {
        let (status, headers) = (response.status(), response.headers().clone());
        Ok(Self { status, headers, bytes: response.bytes().await?.to_vec() })
    }

    #[track_caller]
    pub fn expect(self, status: StatusCode) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The content of a page's `meta` element of that name.
    pub fn meta(&self, name: &str) -> Option<String> {
        let page = self.text();
        let (_, rest) = page.split_once(&format!("=\"{name}\" content=\""))?;
        rest.split_once('"').map(|(value, _)| value.to_owned())
    }

    #[track_caller]
    pub fn message(&self) -> String {
        self.json()["message"].as_str().unwrap().to_owned()
    }

    /// One key of every row of a list.
    #[track_caller]
    pub fn column(&self, key: &str) -> Vec<Value> {
        let rows = self.json();
        rows.as_array().unwrap().iter().map(|row| row[key].clone()).collect()
    }

    /// How many rows of a list match, on this page or another.
    #[track_caller]
    pub fn total(&self) -> i64 {
        self.header("x-total-count").parse().unwrap()
    }

    /// The field errors of a 400.
    #[track_caller]
    pub fn fields(&self) -> Value {
        assert_eq!(self.status, StatusCode::BAD_REQUEST, "{}", self.text());
        self.json()["fields"].clone()
    }
}

impl Actor {
    /// A visitor who is not signed in.
    pub fn new(base: &str) -> Self {
        Self::with(browser(), base)
    }

    /// A visitor with a customized browser.
    pub fn with(browser: reqwest::ClientBuilder, base: &str) -> Self {
        Self { client: browser.build().unwrap(), base: base.to_owned() }
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.client.request(method.parse().unwrap(), format!("{}{path}", self.base))
    }

    pub async fn send(&self, request: RequestBuilder) -> Answer {
        self.attempt(request).await.unwrap()
    }

    /// Sends a request to a school that may fall silent; what it answers stands in the OpenAPI document.
    pub async fn attempt(&self, request: RequestBuilder) -> reqwest::Result<Answer> {
        let (client, request) = request.build_split();
        let request = request?;
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let is_json = request.headers().get("content-type").is_some_and(|kind| kind == "application/json");
        let body = request.body().and_then(reqwest::Body::as_bytes).filter(|_| is_json);
        let sent = body.and_then(|body| serde_json::from_slice::<Value>(body).ok());
        let answer = Answer::from_response(client.execute(request).await?).await?;
        assert_documented(method.as_str(), &path, sent.as_ref(), &answer);
        Ok(answer)
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request("GET", path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("POST", path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request("PATCH", path).json(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request("DELETE", path)).await
    }

    pub async fn register(&self, email: &str) -> Answer {
        self.send(self.registration(email)).await.expect(StatusCode::CREATED)
    }

    pub fn registration(&self, email: &str) -> RequestBuilder {
        let body = json!({ "email": email, "password": PASSWORD, "confirmPassword": PASSWORD });
        self.request("POST", "/api/students/register").json(&body)
    }

    pub async fn log_in(&self, email: &str, password: &str) -> Answer {
        self.post("/api/students/login", &json!({ "email": email, "password": password })).await
    }

    /// The cookies of a login, for a connection that is not this browser's.
    pub async fn cookies(&self, email: &str) -> String {
        let answer = self.log_in(email, PASSWORD).await.expect(StatusCode::OK);
        let set = answer.headers.get_all("set-cookie").iter();
        set.map(|value| value.to_str().unwrap().split(';').next().unwrap()).collect::<Vec<_>>().join("; ")
    }

    pub async fn upload(&self, document_type: &str, name: &str, bytes: Vec<u8>) -> Answer {
        self.send(self.document(document_type, name, bytes)).await
    }

    pub fn document(&self, document_type: &str, name: &str, bytes: Vec<u8>) -> RequestBuilder {
        let part = reqwest::multipart::Part::bytes(bytes).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new()
            .text("documentType", document_type.to_owned())
            .part("document", part);
        self.request("POST", "/api/students/documents").multipart(form)
    }

    /// Sends a message under this name, which the text repeats.
    pub async fn write_message(&self, name: &str, email: &str, text: &str) -> Answer {
        self.send(self.message(name, email, text)).await
    }

    pub fn message(&self, name: &str, email: &str, text: &str) -> RequestBuilder {
        let body = json!({ "name": name, "email": email, "subject": "general", "message": text });
        self.request("POST", "/api/contact").json(&body)
    }

    /// Asks for a course: by the clock of the tests from December 1, 2026 on, by the machine's likewise
    /// some days ahead.
    pub async fn enroll(&self, course: i64) -> Answer {
        let dates = self.get("/api/students/enrollments/dates").await.expect(StatusCode::OK).json();
        let earliest: Date = dates["earliestStart"].as_str().unwrap().parse().unwrap();
        self.send(self.enrollment(course, earliest.saturating_add(66.days()))).await
    }

    pub fn enrollment(&self, course: i64, start: Date) -> RequestBuilder {
        let end = start.saturating_add(4.months());
        let body = json!({ "courseId": course, "startDate": start.to_string(), "endDate": end.to_string() });
        self.request("POST", "/api/students/enrollments").json(&body)
    }
}

/// A complete profile for an address, with the password that a new address takes.
pub fn profile(email: &str) -> Value {
    json!({ "fullName": "Amara Okonkwo", "email": email, "currentPassword": PASSWORD, "phoneNumber": "(647) 555-0188",
        "dateOfBirth": "2009-03-01", "gender": "female", "canadianStatus": "permanent_resident",
        "address": "88 Sample Crescent", "city": "Mississauga", "province": "ON", "postalCode": "l5b0a1" })
}

/// A page with a line on it, as it is kept: to write it again changes nothing.
pub const PDF: &[u8] = include_bytes!("page.pdf");

/// The page with other words in the place of these.
pub fn pdf_with(words: &str, others: &str) -> Vec<u8> {
    let at = PDF.windows(words.len()).position(|window| window == words.as_bytes()).unwrap();
    [&PDF[..at], others.as_bytes(), &PDF[at + words.len()..]].concat()
}

/// A PDF that no other equals, of this many bytes where there is room for them; it is kept as it is, like
/// [`PDF`]. The bytes are a picture's, which nothing unpacks.
pub fn numbered_pdf(number: u64, size: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(number);
    let line: Vec<u8> = (0..64).map(|_| random.u8(b'A'..=b'Z')).collect();
    let mut room = size.saturating_sub(PDF.len() + 150).max(64);
    // The numbers of the file itself have one digit more or less.
    for _ in 0..4 {
        let pixels: Vec<u8> = line.iter().copied().cycle().take(room).collect();
        let head = format!(
            "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Kids[3 0 R]/Count 1>>endobj\n\
             3 0 obj<</MediaBox[0 0 612 792]/Resources<</XObject<</P 4 0 R>>>>/Contents 5 0 R>>endobj\n\
             4 0 obj<</Subtype/Image/Width 1/Height 1/Filter/DCTDecode/Length {room}>>stream\n"
        );
        let file = [head.as_bytes(), &pixels, b"\nendstream endobj 5 0 obj<</Length 5>>stream\n/P Do\nendstream endobj trailer<</Root 1 0 R>>\n"].concat();
        let file = write_pdf_again(&file).unwrap();
        if file.len() == size || room == 64 {
            return file;
        }
        room = room + size - file.len();
    }
    panic!("no PDF has {size} bytes")
}
