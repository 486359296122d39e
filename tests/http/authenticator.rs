//! A security key in software, and the browser in front of it: as far as Web Authentication goes.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A key with one credential, on a page of a site.
pub struct Authenticator {
    /// Of the page on which it is used.
    pub origin: String,
    /// How often it has signed.
    pub counter: u32,
    key: EcdsaKeyPair,
    id: [u8; 16],
}

impl Authenticator {
    /// A new one; its credential has this number.
    pub fn new(origin: &str, number: u8) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random).unwrap();
        Self { origin: origin.to_owned(), counter: 0, key, id: [number; 16] }
    }

    /// Answers the wish for a new credential, as the endpoint takes it.
    pub fn make(&self, name: &str, wish: &Value) -> Value {
        // {"fmt": "none", "attStmt": {}, "authData": bytes}
        let data = self.data(wish, 0x45, &self.credential());
        let mut attestation = b"\xA3\x63fmt\x64none\x67attStmt\xA0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(data.len()).unwrap());
        attestation.extend(data);
        json!({
            "name": name,
            "clientData": BASE64_URL_SAFE_NO_PAD.encode(self.client_data("webauthn.create", wish)),
            "attestation": BASE64_URL_SAFE_NO_PAD.encode(attestation),
            "transports": "usb internal carrier-pigeon",
        })
    }

    /// Answers a question, as a login takes it.
    pub fn answer(&mut self, question: &Value) -> Value {
        self.counter += 1;
        let client_data = self.client_data("webauthn.get", question);
        let data = self.data(question, 0x05, &[]);
        let signed = [data.as_slice(), Sha256::digest(&client_data).as_slice()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "id": BASE64_URL_SAFE_NO_PAD.encode(self.id),
            "clientData": BASE64_URL_SAFE_NO_PAD.encode(client_data),
            "authenticatorData": BASE64_URL_SAFE_NO_PAD.encode(data),
            "signature": BASE64_URL_SAFE_NO_PAD.encode(signature.as_ref()),
        })
    }

    fn client_data(&self, ceremony: &str, asked: &Value) -> Vec<u8> {
        let data = json!({ "type": ceremony, "challenge": asked["challenge"], "origin": self.origin });
        data.to_string().into_bytes()
    }

    fn data(&self, asked: &Value, flags: u8, credential: &[u8]) -> Vec<u8> {
        let site = Sha256::digest(asked["rpId"].as_str().unwrap());
        [site.as_slice(), &[flags], &self.counter.to_be_bytes(), credential].concat()
    }

    /// The make, the id with its length, and the key in the COSE form.
    fn credential(&self) -> Vec<u8> {
        let (x, y) = self.key.public_key().as_ref()[1..].split_at(32);
        let id = [[0; 16].as_slice(), &[0, 16], &self.id].concat();
        [id.as_slice(), b"\xA5\x01\x02\x03\x26\x20\x01\x21\x58\x20", x, b"\x22\x58\x20", y].concat()
    }
}
