//! Addresses of served files: `skill://SOURCE/NAME/PATH`.

use skills_format::text::percent::decode;
use std::borrow::Cow;

/// The scheme, with its slashes.
pub(crate) const SCHEME: &str = "skill://";
/// A decoded address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) source: String,
    pub(crate) name: String,
    /// The path, relative to the folder of the skill. Empty for the folder itself.
    pub(crate) path: String,
}

impl Address {
    /// Parses an address, or returns why it is none. Each segment is decoded alone, and must then be one component of a
    /// path.
    pub(crate) fn parse(uri: &str) -> Result<Self, String> {
        let rest = uri.strip_prefix(SCHEME);
        let rest = rest.ok_or_else(|| format!("it does not begin with {SCHEME}"))?;
        if rest.contains(['?', '#']) {
            return Err("it has a query or a fragment".to_owned());
        }
        let segments = rest
            .split('/')
            .map(segment)
            .collect::<Result<Vec<_>, _>>()?;
        let [source, name, path @ ..] = &*segments else {
            return Err(format!("it names no skill; write {SCHEME}SOURCE/NAME/PATH"));
        };
        let (source, name, path) = (source.to_string(), name.to_string(), path.join("/"));
        Ok(Self { source, name, path })
    }
}

/// Decodes a segment, which must be one component of a path on every system.
fn segment(written: &str) -> Result<Cow<'_, str>, String> {
    // After decoding: `%2e%2e` and `c%2fd` are rejected like `..` and `c/d`.
    let decoded = decode(written);
    let is_wrong = |c: char| matches!(c, '/' | '\\' | '\0' | '\u{FFFD}');
    if matches!(&*decoded, "" | "." | "..") || decoded.contains(is_wrong) {
        return Err(format!("its segment '{written}' is not the name of a file"));
    }
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let parse = |uri: &str| {
            let address = Address::parse(uri);
            address.map(|Address { source, name, path }| [source, name, path].join(" "))
        };
        assert_eq!(parse("skill://a/b/SKILL.md"), Ok("a b SKILL.md".to_owned()));
        assert_eq!(parse("skill://a/b"), Ok("a b ".to_owned()));
        assert_eq!(
            parse("skill://a/b/%C3%BC%201.md"),
            Ok("a b ü 1.md".to_owned())
        );
        assert_eq!(
            parse("skill://a"),
            Err("it names no skill; write skill://SOURCE/NAME/PATH".to_owned())
        );
        assert_eq!(
            parse("file:///etc/passwd"),
            Err("it does not begin with skill://".to_owned())
        );
        assert_eq!(
            parse("skill://a/b/x?y"),
            Err("it has a query or a fragment".to_owned())
        );
        for segment in [
            "", ".", "..", "%2e%2E", "c%2Fd", "c%5cd", "%00", "%ff", "c\\d",
        ] {
            for uri in [
                format!("skill://a/b/{segment}/d"),
                format!("skill://a/{segment}/d"),
                format!("skill://a/b/{segment}"),
            ] {
                let refused = parse(uri.as_str()).expect_err("a wrong segment");
                assert!(
                    refused.contains(&format!("'{segment}'")),
                    "{uri}: {refused}"
                );
            }
        }
    }
}
