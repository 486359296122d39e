//! 2,000 connections that say little or read nothing, and visitors beside them.
//!
//! Five kinds: silent; a header that drips; a body that drips; pipelined responses that are not read; and HTTP/2 over
//! TLS with a window that never opens. A connection that the server ends is opened again two seconds later. The
//! strangers come from one address or from twenty, the visitors from others: on Linux all of 127.0.0.0/8 is this
//! machine.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::client::Outcome;
use crate::school::{Process, School};

const STRANGERS: usize = 2000;
const VISITORS: u8 = 20;
const TIME: Duration = Duration::from_secs(25);
/// Until a stranger who was hung up on comes again.
const AGAIN: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(50);
/// Until memory is looked at again: longer than anything may be held.
const AFTERWARDS: Duration = Duration::from_secs(30);
/// What one stranger asks over HTTP/2: this measures what is held, not how much can be asked.
const REQUESTS: u32 = 3;
const NAME: &str = "school.example";

/// Measures the visitors alone, then beside strangers from one address and from twenty.
pub async fn measure(binary: &Path, folder: &Path) -> anyhow::Result<()> {
    let data = folder.join("data");
    std::fs::create_dir_all(&data)?;
    let tls = Tls::prepare(folder)?;
    println!("{:44}{:>9}{:>9}{:>9}{:>8}", "", "p50 ms", "p99 ms", "answers", "failed");
    for addresses in [0, 1, 20] {
        let school = School::at(binary, &data);
        let program = school.serve_with(&tls.environment())?;
        let before = program.memory_mib()?;
        let strangers = if addresses == 0 { 0 } else { STRANGERS };
        let attack = Attack::begin(&program, &tls, strangers, addresses);
        let mut peak = 0.0;
        let (outcome, failed) = tokio::select! {
            outcome = visit(program.address) => outcome?,
            error = crate::watch_memory(&program, &mut peak) => return Err(error),
        };
        let opened = attack.end();
        let name = match addresses {
            0 => "visitors alone".to_owned(),
            _ => format!("beside {strangers} slow ones, {addresses} address(es)"),
        };
        println!(
            "{name:44}{:>9.2}{:>9.2}{:>9}{failed:>8}",
            crate::milliseconds(outcome.p50),
            crate::milliseconds(outcome.p99),
            outcome.answers
        );
        if addresses > 0 {
            sleep(AFTERWARDS).await;
            let after = program.memory_mib()?;
            println!(
                "    memory before {before:.1}, at most {peak:.1}, after {after:.1} MiB; they connected {opened} times"
            );
        }
        program.end()?;
    }
    Ok(())
}

/// Each visitor opens a new connection for every request, as on a first visit.
async fn visit(address: SocketAddr) -> anyhow::Result<(Outcome, usize)> {
    // Until the strangers are all there.
    sleep(Duration::from_secs(3)).await;
    let end = Instant::now() + TIME;
    let mut visitors = JoinSet::new();
    for number in 1..=VISITORS {
        visitors.spawn(async move {
            let (mut latencies, mut failed) = (Vec::new(), 0);
            while Instant::now() < end {
                let begin = Instant::now();
                match timeout(Duration::from_secs(10), ask(Ipv4Addr::new(127, 0, 0, number + 1), address))
                    .await
                {
                    Ok(Ok(())) => latencies.push(begin.elapsed()),
                    _ => failed += 1,
                }
                sleep(PAUSE).await;
            }
            (latencies, failed)
        });
    }
    let (mut latencies, mut failed) = (Vec::new(), 0);
    for (some, more) in visitors.join_all().await {
        latencies.extend(some);
        failed += more;
    }
    if latencies.is_empty() {
        latencies.push(Duration::from_secs(10));
    }
    Ok((Outcome::new(latencies, TIME)?, failed))
}

async fn ask(from: Ipv4Addr, to: SocketAddr) -> anyhow::Result<()> {
    let mut stream = connect(from, to).await?;
    stream.write_all(b"GET /api/courses HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    ensure!(answer.starts_with(b"HTTP/1.1 200 "), "refused");
    Ok(())
}

async fn connect(from: Ipv4Addr, to: SocketAddr) -> anyhow::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    Ok(socket.connect(to).await?)
}

/// Connections of strangers, until it is ended.
struct Attack {
    opened: Arc<AtomicUsize>,
    strangers: JoinSet<()>,
}

impl Attack {
    fn begin(program: &Process, tls: &Tls, strangers: usize, addresses: usize) -> Self {
        let opened = Arc::<AtomicUsize>::default();
        let mut all = JoinSet::new();
        for number in 0..strangers {
            let from = Ipv4Addr::new(127, 1, 0, u8::try_from(number % addresses).unwrap_or(0) + 1);
            let (opened, plain, tls) = (opened.clone(), program.address, tls.clone());
            all.spawn(async move {
                loop {
                    let stay = Instant::now() + Duration::from_mins(1);
                    opened.fetch_add(1, Ordering::Relaxed);
                    let _ = timeout_at(stay, hold(number % 5, from, plain, &tls)).await;
                    sleep(AGAIN).await;
                }
            });
        }
        Self { opened, strangers: all }
    }

    fn end(mut self) -> usize {
        self.strangers.abort_all();
        self.opened.load(Ordering::Relaxed)
    }
}

/// Holds one connection of a kind until the server ends it.
async fn hold(kind: usize, from: Ipv4Addr, plain: SocketAddr, tls: &Tls) -> anyhow::Result<()> {
    let (words, drips): (String, bool) = match kind {
        0 => (String::new(), false),
        1 => ("GET / HTTP/1.1\r\nhost: x\r\nx-slow: ".into(), true),
        2 => (
            "POST /api/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
             content-length: 60000\r\n\r\n{"
                .into(),
            true,
        ),
        3 => ("GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(10), false),
        _ => return tls.hold(from).await,
    };
    let mut stream = connect(from, plain).await?;
    stream.write_all(words.as_bytes()).await?;
    if kind == 3 {
        // It reads nothing, and so is not told of the end before it writes.
        loop {
            sleep(Duration::from_secs(2)).await;
            stream.write_all(b"\r\n").await?;
        }
    }
    let (mut reading, mut writing) = stream.split();
    let mut answer = Vec::new();
    let drip = async {
        loop {
            sleep(Duration::from_secs(1)).await;
            if drips {
                writing.write_all(b" ").await?;
            }
        }
    };
    tokio::select! {
        read = reading.read_to_end(&mut answer) => read.map(drop).context("hung up on"),
        written = drip => written,
    }
}

/// A certificate of our own, and who trusts it.
#[derive(Clone)]
struct Tls {
    address: SocketAddr,
    certificate: PathBuf,
    key: PathBuf,
    connector: TlsConnector,
}

impl Tls {
    fn prepare(folder: &Path) -> anyhow::Result<Self> {
        let (certificate, key) = (folder.join("a.pem"), folder.join("a.key"));
        let pair = rcgen::KeyPair::generate()?;
        let own = rcgen::CertificateParams::new(vec![NAME.to_owned()])?.self_signed(&pair)?;
        std::fs::write(&certificate, own.pem())?;
        std::fs::write(&key, pair.serialize_pem())?;
        let mut roots = RootCertStore::empty();
        roots.add(own.der().clone())?;
        let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec()];
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        Ok(Self { address, certificate, key, connector: TlsConnector::from(Arc::new(config)) })
    }

    fn environment(&self) -> [(&'static str, String); 5] {
        [
            ("SCHOOLHOUSE_HTTPS_DOMAIN", NAME.into()),
            ("SCHOOLHOUSE_HTTPS_LISTEN", self.address.to_string()),
            ("SCHOOLHOUSE_HTTPS_REDIRECT_LISTEN", String::new()),
            ("SCHOOLHOUSE_HTTPS_CERT_FILE", self.certificate.display().to_string()),
            ("SCHOOLHOUSE_HTTPS_KEY_FILE", self.key.display().to_string()),
        ]
    }

    /// Asks for some answers over HTTP/2, has room for none of them, and goes on reading.
    async fn hold(&self, from: Ipv4Addr) -> anyhow::Result<()> {
        let stream = connect(from, self.address).await?;
        let mut stream = self.connector.connect(ServerName::try_from(NAME)?, stream).await?;
        let mut words = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        // SETTINGS_INITIAL_WINDOW_SIZE 0.
        words.extend([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]);
        // :method GET, :scheme https, :path /api/openapi.json, :authority school.example.
        let mut fields = vec![0x82, 0x87, 0x04, 17];
        fields.extend(b"/api/openapi.json");
        fields.extend([0x01, 14]);
        fields.extend(NAME.as_bytes());
        for number in 0..REQUESTS {
            words.extend([0, 0, u8::try_from(fields.len())?, 1, 5]);
            words.extend((2 * number + 1).to_be_bytes());
            words.extend(&fields);
        }
        stream.write_all(&words).await?;
        let mut answer = [0; 1024];
        while stream.read(&mut answer).await? > 0 {}
        Ok(())
    }
}
