//! Public keys of credentials: COSE (RFC 9053) of the three algorithms that are offered.

use curve25519_dalek::edwards::CompressedEdwardsY;
use minicbor::Decoder;
use ring::agreement::{self, ECDH_P256, EphemeralPrivateKey};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256};
use ring::signature::{RsaPublicKeyComponents, UnparsedPublicKey};

/// Supported algorithms, preferred first, by COSE number: ES256, Ed25519, RS256. Windows Hello on older machines
/// supports only the last.
pub const ALGORITHMS: [i32; 3] = [ES256, EDDSA, RS256];

const ES256: i32 = -7;
const EDDSA: i32 = -8;
const RS256: i32 = -257;

/// The minimum that ring accepts, required by NIST SP 800-131A.
const RSA_MIN_BITS: usize = 2_048;
const RSA_MAX_BITS: usize = 8_192;

/// A public key of a supported algorithm.
#[derive(Debug, PartialEq, Eq)]
pub enum PublicKey<'a> {
    /// The two coordinates of a point on P-256.
    Es256([&'a [u8]; 2]),
    /// A point on Curve25519.
    Ed25519(&'a [u8]),
    /// Modulus and exponent.
    Rs256([&'a [u8]; 2]),
}

/// Parameters of a key, by label.
#[derive(Default)]
struct Parameters<'a> {
    kind: Option<i32>,
    algorithm: Option<i32>,
    /// -1: the curve, if it is a number.
    curve: Option<i32>,
    /// -1, -2 and -3, if they are bytes.
    bytes: [Option<&'a [u8]>; 3],
}

impl<'a> Parameters<'a> {
    fn read(decoder: &mut Decoder<'a>) -> Option<Self> {
        let mut read = Self::default();
        for _ in 0..decoder.map().ok()?? {
            match decoder.i32().ok()? {
                1 if read.kind.is_none() => read.kind = Some(decoder.i32().ok()?),
                3 if read.algorithm.is_none() => read.algorithm = Some(decoder.i32().ok()?),
                -1 if read.curve.is_none() && is_number(decoder) => read.curve = Some(decoder.i32().ok()?),
                label @ -3..=-1 => {
                    let place = read.bytes.get_mut(usize::try_from(-1 - label).ok()?)?;
                    if place.replace(decoder.bytes().ok()?).is_some() {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        Some(read)
    }
}

fn is_number(decoder: &Decoder<'_>) -> bool {
    decoder.clone().i32().is_ok()
}

impl<'a> PublicKey<'a> {
    /// Reads a key; `None` when it is of another algorithm, incomplete, or has unexpected parameters.
    pub fn read(decoder: &mut Decoder<'a>) -> Option<Self> {
        const OKP: i32 = 1;
        const EC2: i32 = 2;
        const RSA: i32 = 3;
        const P256: i32 = 1;
        const CURVE25519: i32 = 6;
        let read = Parameters::read(decoder)?;
        match (read.kind?, read.algorithm?, read.curve, read.bytes) {
            (EC2, ES256, Some(P256), [None, Some(x), Some(y)]) if x.len() == 32 && y.len() == 32 => {
                Some(Self::Es256([x, y]))
            }
            (OKP, EDDSA, Some(CURVE25519), [None, Some(x), None]) if x.len() == 32 => Some(Self::Ed25519(x)),
            (RSA, RS256, None, [Some(n), Some(e), None]) => Some(Self::Rs256([n, e])),
            _ => None,
        }
    }

    /// Whether the key can verify signatures at all: ring checks a key only together with a signature, and a key that
    /// never verifies would lock its owner out.
    pub fn is_valid(&self) -> bool {
        match self {
            Self::Es256([x, y]) => {
                let point = agreement::UnparsedPublicKey::new(&ECDH_P256, [&[4], *x, *y].concat());
                EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new())
                    .and_then(|own| agreement::agree_ephemeral(own, &point, |_| ()))
                    .is_ok()
            }
            Self::Ed25519(x) => CompressedEdwardsY::from_slice(x)
                .ok()
                .and_then(|point| point.decompress())
                .is_some_and(|point| point.is_torsion_free() && !point.is_small_order()),
            Self::Rs256([n, e]) => {
                let bits = n.first().map_or(0, |first| n.len() * 8 - first.leading_zeros() as usize);
                let exponent = e.iter().try_fold(0_u64, |value, byte| {
                    (value < 1 << 33).then_some(value << 8 | u64::from(*byte))
                });
                let is_written_shortest =
                    [n, e].iter().all(|number| number.first().is_some_and(|first| *first != 0));
                let is_odd = |number: &[u8]| number.last().is_some_and(|last| last % 2 == 1);
                is_written_shortest
                    && (RSA_MIN_BITS..=RSA_MAX_BITS).contains(&bits)
                    && exponent.is_some_and(|exponent| (3..1 << 33).contains(&exponent))
                    && is_odd(n)
                    && is_odd(e)
            }
        }
    }

    /// Whether the signature was made with this key.
    pub fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match self {
            Self::Es256([x, y]) => {
                let point = [&[4], *x, *y].concat();
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            Self::Ed25519(x) => UnparsedPublicKey::new(&ED25519, x).verify(message, signature),
            Self::Rs256([n, e]) => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
        };
        verified.is_ok()
    }
}
