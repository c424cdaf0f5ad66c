//! Addresses of served files: `skill://SOURCE/NAME/PATH`.

use skills_format::text::percent::decode;
use std::fmt;

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

/// The reason why a text is not a valid address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    Scheme,
    NoSkill,
    Query,
    Segment(String),
}

impl Address {
    /// Parses an address. Each segment is decoded alone, and must then be one component of a path.
    pub(crate) fn parse(uri: &str) -> Result<Self, Malformed> {
        let rest = uri.strip_prefix(SCHEME).ok_or(Malformed::Scheme)?;
        if rest.contains(['?', '#']) {
            return Err(Malformed::Query);
        }
        let mut segments = rest.split('/').map(segment);
        let mut next = || segments.next().ok_or(Malformed::NoSkill)?;
        let (source, name) = (next()?, next()?);
        let path = segments.collect::<Result<Vec<_>, _>>()?.join("/");
        Ok(Self { source, name, path })
    }
}

/// Decodes a segment, which must be one component of a path on every system.
fn segment(written: &str) -> Result<String, Malformed> {
    // After decoding: `%2e%2e` and `c%2fd` are rejected like `..` and `c/d`.
    let decoded = decode(written);
    let is_separator = |c: char| matches!(c, '/' | '\\' | '\0');
    let leads_elsewhere = matches!(&*decoded, "" | "." | "..") || decoded.contains(is_separator);
    if leads_elsewhere || decoded.contains('\u{FFFD}') {
        return Err(Malformed::Segment(written.to_owned()));
    }
    Ok(decoded.into_owned())
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme => write!(f, "it does not begin with {SCHEME}"),
            Self::NoSkill => write!(f, "it names no skill; write {SCHEME}SOURCE/NAME/PATH"),
            Self::Query => write!(f, "it has a query or a fragment"),
            Self::Segment(segment) if segment.is_empty() => write!(f, "it has an empty segment"),
            Self::Segment(segment) => write!(f, "its segment '{segment}' is not a file's name"),
        }
    }
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
        assert_eq!(parse("skill://a"), Err(Malformed::NoSkill));
        assert_eq!(parse("file:///etc/passwd"), Err(Malformed::Scheme));
        assert_eq!(parse("skill://a/b/x?y"), Err(Malformed::Query));
        for segment in [
            "", ".", "..", "%2e%2E", "c%2Fd", "c%5cd", "%00", "%ff", "c\\d",
        ] {
            for uri in [
                format!("skill://a/b/{segment}/d"),
                format!("skill://a/{segment}/d"),
                format!("skill://a/b/{segment}"),
            ] {
                let refused = Err(Malformed::Segment(segment.to_owned()));
                assert_eq!(parse(uri.as_str()), refused, "{uri}");
            }
        }
    }
}
