//! Validation of the request's host: exactly one is required (RFC 9112, 3.2; RFC 9113, 8.3.1).
//!
//! Links are never built from it, but caches and proxies in front depend on it, and disagreement about the host enables
//! request smuggling. HTTP/1.0 requests may omit it, as old health checks do.

use axum::http::{HeaderValue, Request, Version, header};

/// Error messages.
const NONE: &str = "The request names no host.";
const SEVERAL: &str = "The request names more than one host.";
const WRONG: &str = "The host of the request is no name and no address.";

/// Validates the host and stores it in the `Host` header, also for HTTP/2, where it is `:authority`.
///
/// # Errors
/// The message for the client.
pub(super) fn settle<B>(request: &mut Request<B>) -> Result<(), &'static str> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next();
    let further = hosts.next();
    if further.is_some() {
        return Err(SEVERAL);
    }
    let authority = request.uri().authority().map(|authority| authority.as_str());
    match (host, authority) {
        (Some(host), None) => is_host(host.as_bytes()).then_some(()).ok_or(WRONG),
        (Some(host), Some(authority)) => {
            if !host.as_bytes().eq_ignore_ascii_case(authority.as_bytes()) {
                return Err(SEVERAL);
            }
            is_host(host.as_bytes()).then_some(()).ok_or(WRONG)
        }
        (None, Some(authority)) if request.version() >= Version::HTTP_2 => {
            let host = HeaderValue::from_str(authority).map_err(|_| WRONG)?;
            if !is_host(host.as_bytes()) {
                return Err(WRONG);
            }
            request.headers_mut().insert(header::HOST, host);
            Ok(())
        }
        (None, _) if request.version() < Version::HTTP_11 => Ok(()),
        (None, _) => Err(NONE),
    }
}

/// Whether every byte can be part of a name, an address or a port. Empty is allowed, for clients without a host name.
fn is_host(host: &[u8]) -> bool {
    host.iter().all(|byte| byte.is_ascii_alphanumeric() || b".-_:[]~%".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(version: Version, uri: &str, hosts: &[&str]) -> Result<Option<String>, &'static str> {
        let mut request = Request::get(uri).version(version);
        for host in hosts {
            request = request.header(header::HOST, *host);
        }
        let mut request = request.body(()).unwrap();
        settle(&mut request)?;
        Ok(request.headers().get(header::HOST).map(|host| host.to_str().unwrap().to_owned()))
    }

    #[test]
    fn exactly_one_host_is_required() {
        let host = |name: &str| Ok(Some(name.to_owned()));
        let old = Version::HTTP_10;
        let one = Version::HTTP_11;
        let two = Version::HTTP_2;
        assert_eq!(settled(one, "/", &["school.example"]), host("school.example"));
        assert_eq!(settled(one, "/", &["[2001:db8::1]:8080"]), host("[2001:db8::1]:8080"));
        assert_eq!(settled(one, "/", &[""]), host(""));
        assert_eq!(settled(one, "/", &[]), Err(NONE));
        assert_eq!(settled(one, "/", &["a.example", "a.example"]), Err(SEVERAL));
        for wrong in ["a b", "a/b", "me@a.example", "a,b", "a#b", "a?b", "a\"b"] {
            assert_eq!(settled(one, "/", &[wrong]), Err(WRONG), "{wrong}");
        }
        assert_eq!(settled(one, "http://a.example/", &["A.example"]), host("A.example"));
        assert_eq!(settled(one, "http://a.example/", &["b.example"]), Err(SEVERAL));
        assert_eq!(settled(one, "http://a.example/", &[]), Err(NONE));
        assert_eq!(settled(old, "/", &[]), Ok(None));
        assert_eq!(settled(old, "/", &["a.example", "b.example"]), Err(SEVERAL));
        assert_eq!(settled(two, "https://a.example/", &[]), host("a.example"));
        assert_eq!(settled(two, "https://a.example/", &["a.example"]), host("a.example"));
        assert_eq!(settled(two, "https://a.example/", &["b.example"]), Err(SEVERAL));
        assert_eq!(settled(two, "https://me@a.example/", &[]), Err(WRONG));
        assert_eq!(settled(two, "/", &[]), Err(NONE));
    }
}
