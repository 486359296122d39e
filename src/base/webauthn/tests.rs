//! The test vectors of the specification (§16 of Level 3), and corrupted variants.

use serde_json::Value;

use super::*;
use crate::tests::fuzz;

const SITE: &str = "https://example.org";

/// One example: a registration, and an authentication with the new credential.
struct Vector {
    name: String,
    registration: [Vec<u8>; 4],
    authentication: [Vec<u8>; 4],
}

fn vectors() -> Vec<Vector> {
    let all: Vec<Value> = serde_json::from_str(include_str!("vectors.json")).unwrap();
    let read = |of: &Value, names: [&str; 4]| names.map(|name| unhex(of[name].as_str().unwrap()));
    let registration = ["challenge", "credentialId", "clientDataJSON", "attestationObject"];
    let authentication = ["challenge", "clientDataJSON", "authenticatorData", "signature"];
    all.iter()
        .map(|of| Vector {
            name: of["name"].as_str().unwrap().to_owned(),
            registration: read(&of["registration"], registration),
            authentication: read(&of["authentication"], authentication),
        })
        .collect()
}

fn unhex(text: &str) -> Vec<u8> {
    data_encoding::HEXLOWER.decode(text.as_bytes()).unwrap()
}

fn site() -> RelyingParty {
    RelyingParty::of(SITE).unwrap()
}

fn register(vector: &Vector) -> CredentialResult<Credential> {
    let [challenge, _, client_data, attestation] = &vector.registration;
    NewCredential { client_data, attestation }.check(&site(), challenge)
}

fn authenticate(vector: &Vector, credential: &Credential) -> CredentialResult<u32> {
    let [challenge, client_data, authenticator_data, signature] = &vector.authentication;
    Assertion { client_data, authenticator_data, signature }.check(
        &site(),
        challenge,
        &credential.public_key,
        credential.counter,
    )
}

#[test]
fn each_specification_vector_is_accepted_or_refused_for_its_reason() {
    let refused = [
        ("none-es256-crossOrigin", CredentialError::Origin),
        ("none-es256-topOrigin", CredentialError::Origin),
        ("packed-es384", CredentialError::Key),
    ];
    for vector in vectors() {
        let made = register(&vector);
        if let Some((_, reason)) = refused.iter().find(|(name, _)| *name == vector.name) {
            assert_eq!(made, Err(*reason), "{}", vector.name);
            continue;
        }
        let credential = made.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", vector.name));
        assert_eq!(credential.id, vector.registration[1], "{}", vector.name);
        assert!(authenticate(&vector, &credential).is_ok(), "{}", vector.name);
    }
}

#[test]
fn any_changed_byte_of_an_assertion_is_refused() {
    let vector = &vectors()[0];
    let credential = register(vector).unwrap();
    for part in 1..4 {
        for at in 0..vector.authentication[part].len() {
            for bit in [1, 0x10, 0x80] {
                let mut corrupted = Vector {
                    name: String::new(),
                    registration: vector.registration.clone(),
                    authentication: vector.authentication.clone(),
                };
                corrupted.authentication[part][at] ^= bit;
                assert!(authenticate(&corrupted, &credential).is_err(), "part {part}, byte {at}, bit {bit}");
            }
        }
        let mut longer = Vector {
            name: String::new(),
            registration: vector.registration.clone(),
            authentication: vector.authentication.clone(),
        };
        longer.authentication[part].push(0);
        assert!(authenticate(&longer, &credential).is_err(), "part {part} with a byte more");
    }
}

#[test]
fn unsigned_fields_are_checked_too() {
    let vector = &vectors()[0];
    let [challenge, _, client_data, attestation] = &vector.registration;
    let new = NewCredential { client_data, attestation };
    let other = RelyingParty::of("https://school.example").unwrap();
    assert_eq!(new.check(&other, challenge), Err(CredentialError::Origin));
    assert_eq!(new.check(&site(), &[0; 32]), Err(CredentialError::Challenge));
    // Same origin, other site: a page that asks for a parent domain's credentials.
    let above = RelyingParty { rp_id: "org".into(), ..site() };
    assert_eq!(new.check(&above, challenge), Err(CredentialError::Site));
    let [challenge, client_data, authenticator_data, signature] = &vector.authentication;
    let crossed = NewCredential { client_data, attestation };
    assert_eq!(crossed.check(&site(), challenge), Err(CredentialError::Ceremony));
    let credential = register(vector).unwrap();
    let assertion = Assertion { client_data, authenticator_data, signature };
    let check =
        |counter| assertion.check(&site(), challenge, &credential.public_key, counter).map(|_| counter);
    assert_eq!(check(0), Ok(0));
    assert_eq!(check(1), Err(CredentialError::Counter), "it counted to 1, and says 0 now");
    let absent = with_flags(attestation, 0b0101_1000);
    let check = |attestation: &[u8], challenge: &[u8]| {
        NewCredential { client_data: &vector.registration[2], attestation }.check(&site(), challenge)
    };
    assert_eq!(check(&absent, &vector.registration[0]), Err(CredentialError::Absent));
    let backed_up = with_flags(attestation, 0b0101_0001);
    assert_eq!(check(&backed_up, &vector.registration[0]), Err(CredentialError::Form));
    let without = with_flags(attestation, 0b0000_0001);
    assert_eq!(check(&without, &vector.registration[0]), Err(CredentialError::Form));
}

/// The attestation with other flags, which follow the hash of the site.
fn with_flags(attestation: &[u8], flags: u8) -> Vec<u8> {
    let hash = Sha256::digest("example.org");
    let at = attestation.windows(32).position(|part| part == hash.as_slice()).unwrap() + 32;
    let mut changed = attestation.to_vec();
    changed[at] = flags;
    changed
}

/// Registers a credential with this key, in COSE form, without attestation.
fn register_key(key: &[u8]) -> CredentialResult<Credential> {
    let [challenge, _, client_data, _] = &vectors()[0].registration;
    let counter_make_and_id = [0, 0, 0, 0].into_iter().chain([0; 16]).chain([0, 1, 7]);
    let mut data = Sha256::digest("example.org").to_vec();
    data.push(USER_PRESENT | HAS_CREDENTIAL);
    data.extend(counter_make_and_id);
    data.extend(key);
    let mut attestation = b"\xA3\x63fmt\x64none\x67attStmt\xA0\x68authData\x59".to_vec();
    attestation.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
    attestation.extend(data);
    NewCredential { client_data, attestation: &attestation }.check(&site(), challenge)
}

fn bytes(of: &[u8]) -> Vec<u8> {
    let length = u16::try_from(of.len()).unwrap().to_be_bytes();
    [&[0x59], length.as_slice(), of].concat()
}

fn es256(x: &[u8], y: &[u8]) -> Vec<u8> {
    [b"\xA5\x01\x02\x03\x26\x20\x01\x21".as_slice(), &bytes(x), b"\x22", &bytes(y)].concat()
}

fn ed25519(x: &[u8]) -> Vec<u8> {
    [b"\xA4\x01\x01\x03\x27\x20\x06\x21".as_slice(), &bytes(x)].concat()
}

fn rs256(n: &[u8], e: &[u8]) -> Vec<u8> {
    [b"\xA4\x01\x03\x03\x39\x01\x00\x20".as_slice(), &bytes(n), b"\x21", &bytes(e)].concat()
}

#[test]
fn a_key_that_cannot_verify_is_refused() {
    // The base points of both curves, and the coordinates' prime.
    let x = unhex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296");
    let y = unhex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5");
    let prime = unhex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    let base = unhex("5866666666666666666666666666666666666666666666666666666666666666");
    let with = |of: &[u8], at: usize, value: u8| {
        let mut changed = of.to_vec();
        changed[at] = value;
        changed
    };
    let number = |length: usize| with(&vec![0xC5; length], length - 1, 0xC7);
    let e = [1, 0, 1];
    for key in [es256(&x, &y), ed25519(&base), rs256(&number(256), &e), rs256(&number(1024), &[3])] {
        register_key(&key).unwrap();
    }
    // With a point of low order, forged signatures verify.
    let of_order_8 = unhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
    let minus_one = unhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");
    for (what, key) in [
        ("a point beside the curve", es256(&x, &with(&y, 31, 0xF4))),
        ("the point at nought", es256(&[0; 32], &[0; 32])),
        ("a coordinate that is the prime", es256(&prime, &y)),
        ("a coordinate too short", es256(&x[1..], &y)),
        ("a coordinate too long", es256(&x, &with(&[y.as_slice(), &[0]].concat(), 32, 0))),
        ("another algorithm", with(&es256(&x, &y), 4, 0x27)),
        ("another curve", with(&es256(&x, &y), 6, 2)),
        ("a point beside Curve25519", ed25519(&with(&base, 0, 0x5A))),
        ("the point at nought", ed25519(&[0; 32])),
        ("the neutral point", ed25519(&with(&[0; 32], 0, 1))),
        ("the point of order 2", ed25519(&minus_one)),
        ("a point of order 8", ed25519(&of_order_8)),
        ("a point too short", ed25519(&base[1..])),
        ("a point too long", ed25519(&[base.as_slice(), &[0]].concat())),
        ("RSA of 1,024 bits", rs256(&number(128), &e)),
        ("RSA of 2,047 bits", rs256(&with(&number(256), 0, 0x7F), &e)),
        ("RSA of 8,200 bits", rs256(&number(1025), &e)),
        ("a modulus behind a nought", rs256(&[[0].as_slice(), &number(256)].concat(), &e)),
        ("an even modulus", rs256(&with(&number(256), 255, 2), &e)),
        ("no modulus", rs256(&[], &e)),
        ("the exponent 1", rs256(&number(256), &[1])),
        ("an even exponent", rs256(&number(256), &[4])),
        ("an exponent behind a nought", rs256(&number(256), &[0, 1, 0, 1])),
        ("an exponent of 34 bits", rs256(&number(256), &[2, 0, 0, 0, 1])),
        ("an exponent of 128 bits", rs256(&number(256), &[0xFF; 16])),
        ("no exponent", rs256(&number(256), &[])),
    ] {
        assert_eq!(register_key(&key), Err(CredentialError::Key), "{what}");
    }
}

#[test]
fn a_site_is_a_name_over_https_or_this_machine() {
    for (url, origin, rp_id) in [
        ("https://school.example", "https://school.example", "school.example"),
        ("https://School.example:443", "https://school.example", "school.example"),
        ("https://school.example:8443", "https://school.example:8443", "school.example"),
        ("http://localhost:8080", "http://localhost:8080", "localhost"),
    ] {
        let site = RelyingParty::of(url).unwrap();
        assert_eq!((site.origin.as_str(), site.rp_id.as_str()), (origin, rp_id), "{url}");
    }
    for url in
        ["http://school.example", "https://192.0.2.1", "https://[2001:db8::1]", "http://127.0.0.1:8080", ""]
    {
        assert_eq!(RelyingParty::of(url), None, "{url}");
    }
}

#[test]
fn a_challenge_is_accepted_once_from_its_account_and_in_time() {
    let challenges = challenges::Challenges::default();
    let now = jiff::Timestamp::from_second(1_800_000_000).unwrap();
    let give = |of: &'static str| challenges.give(of, now).unwrap();
    let challenge = give("her login");
    assert_eq!(challenges.take(&challenge, &"her login", now), Some(challenge));
    assert_eq!(challenges.take(&challenge, &"her login", now), None, "once");
    assert_eq!(challenges.take(&give("her login"), &"his login", now), None, "by her");
    let late = now + challenges::TTL;
    assert_eq!(challenges.take(&give("her login"), &"her login", late), None, "lately");
    assert_eq!(challenges.take(&[1; 32], &"her login", now), None, "given out");
    assert_eq!(challenges.take(&[], &"her login", now), None, "of 32 bytes");
    // At most 32 open challenges per account.
    let first = give("her login");
    let other = give("his login");
    let later = now + jiff::SignedDuration::from_secs(1);
    for _ in 0..32 {
        challenges.give("her login", later).unwrap();
    }
    assert_eq!(challenges.take(&first, &"her login", later), None, "the oldest went");
    assert_eq!(challenges.take(&other, &"his login", later), Some(other));
}

#[test]
fn corrupted_credentials_are_refused_without_panics() {
    let vectors = vectors();
    fuzz::for_rounds("webauthn", 3_000, |random| {
        let vector = &vectors[random.usize(..vectors.len())];
        let [challenge, _, client_data, attestation] = &vector.registration;
        let mut attestation = attestation.clone();
        fuzz::spoil(&mut attestation, &[b"authData", b"attStmt", b"none"], random);
        // A corrupted attestation may still be well-formed, with another id or key.
        let _ = NewCredential { client_data, attestation: &attestation }.check(&site(), challenge);
    });
}
