//! Round trips with the real `age` tool, and every kind of damage.

mod fuzz;
mod vectors;

use std::io::Read;
use std::process::{Command, Stdio};

use super::*;

/// A key pair from the real tool.
fn key() -> (String, Recipient, Identities) {
    let output = Command::new("age-keygen").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let recipient = text.lines().find_map(|line| line.strip_prefix("# public key: ")).unwrap();
    (text.clone(), recipient.parse().unwrap(), Identities::parse(&text).unwrap())
}

fn age(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child =
        Command::new("age").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    output.stdout
}

fn encrypted(content: &[u8], recipients: &[Recipient]) -> Vec<u8> {
    let mut sink = encrypt(Vec::new(), recipients).unwrap();
    sink.write_all(content).unwrap();
    sink.finish().unwrap()
}

fn decrypted(bytes: &[u8], identities: &Identities) -> anyhow::Result<Vec<u8>> {
    let mut content = Vec::new();
    decrypt(bytes, identities)?.read_to_end(&mut content)?;
    Ok(content)
}

/// Sizes around a chunk boundary, where mistakes would show.
fn contents() -> impl Iterator<Item = Vec<u8>> {
    [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]
        .into_iter()
        .map(|size| (0..size).map(|i| (i * 7) as u8).collect())
}

#[test]
fn the_real_tool_reads_what_we_write_and_we_read_what_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.txt");
    let (text, recipient, identities) = key();
    std::fs::write(&file, text).unwrap();
    let (_, another, _) = key();
    for content in contents() {
        let ours = encrypted(&content, &[another.clone(), recipient.clone()]);
        assert_eq!(decrypted(&ours, &identities).unwrap(), content, "{} bytes", content.len());
        assert_eq!(age(&["-d", "-i", file.to_str().unwrap()], &ours), content, "{} bytes", content.len());
        let theirs = age(&["-r", another.text.as_str(), "-r", recipient.text.as_str()], &content);
        assert_eq!(decrypted(&theirs, &identities).unwrap(), content, "{} bytes", content.len());
    }
}

#[test]
fn every_modification_and_truncation_is_detected() {
    let (_, recipient, identities) = key();
    let content = vec![7; 70_000];
    let whole = encrypted(&content, &[recipient]);
    // Every byte of the header, and a sample of the payload: both chunks with their tags.
    for place in (0..260).chain((260..whole.len()).step_by(97)).chain(whole.len() - 17..whole.len()) {
        let mut changed = whole.clone();
        changed[place] ^= 1 << (place % 8);
        assert!(decrypted(&changed, &identities).is_err(), "byte {place}");
    }
    let end_of_the_first = whole.len() - (70_000 - 65_536) - 16;
    for cut in [0, 1, 100, 200, 230, end_of_the_first, whole.len() - 1] {
        assert!(decrypted(&whole[..cut], &identities).is_err(), "cut to {cut}");
    }
    assert!(decrypted(&[&whole[..], b"x"].concat(), &identities).is_err());
}

#[test]
fn another_identity_cannot_decrypt() {
    let (_, recipient, _) = key();
    let (_, _, other) = key();
    let error = decrypted(&encrypted(b"secret", &[recipient]), &other).unwrap_err().to_string();
    assert!(error.contains("encrypted for another recipient"), "{error}");
}

#[test]
fn a_recipient_is_checked_and_a_secret_key_is_not_repeated() {
    let (text, recipient, _) = key();
    let changed = recipient
        .text
        .replace(&recipient.text[20..21], if &recipient.text[20..21] == "q" { "p" } else { "q" });
    for wrong in ["", "age1", "mei@example.org", changed.as_str()] {
        assert!(wrong.parse::<Recipient>().unwrap_err().contains("as age-keygen prints it"), "{wrong}");
    }
    let secret = text.lines().find(|line| line.starts_with("AGE-SECRET-KEY-")).unwrap();
    let error = secret.parse::<Recipient>().unwrap_err();
    assert!(error.contains("must not be on the server") && !error.contains(&secret[20..40]), "{error}");
    assert!(Identities::parse(&recipient.text).is_err());
    assert!(Identities::parse("# empty\n").is_err());
}
