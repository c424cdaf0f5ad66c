//! Finds the hosts of addresses.

/// Hosts of names that no program fetches: namespaces of XML, and schemas.
const NAMES: &str = "www.w3.org schemas.openxmlformats.org schemas.microsoft.com schemas.xmlsoap.org purl.org \
                     json-schema.org www.sitemaps.org ns.adobe.com purl.oclc.org";

/// Returns the hosts of the addresses with a scheme in a text, each with its offset.
pub(super) fn hosts(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let before = text.get(..at).unwrap_or_default();
        let scheme = before.len()
            - before
                .bytes()
                .rev()
                .take_while(|byte| is_scheme(*byte))
                .count();
        let name = before.get(scheme..).unwrap_or_default();
        let is_web = name.bytes().next().is_some_and(|c| c.is_ascii_alphabetic())
            && ![
                "file",
                "skill",
                "data",
                "vscode",
                "chrome",
                "about",
                "resource",
                "config",
                "ui",
                "principal",
                "principalset",
            ]
            .contains(&name.to_ascii_lowercase().as_str());
        // `$scheme://host` and `${PROTO}://host` fetch too.
        let is_computed = name.is_empty() && before.ends_with(['}', ')'])
            || before
                .get(..scheme)
                .is_some_and(|before| before.ends_with('$'));
        if !(is_web || is_computed) {
            continue;
        }
        let rest = text.get(at + 3..).unwrap_or_default();
        if let Some(host) = authority(rest) {
            found.push((scheme, owned(host, rest)));
        }
    }
    without_scheme(text, &mut found);
    found
}

/// Adds `//a.org/x`, which has the scheme of the page, and `a.org/x`.
fn without_scheme(text: &str, found: &mut Vec<(usize, String)>) {
    let is_end = |c: char| c.is_whitespace() || "\"'`()<>[]{},;=|".contains(c);
    let mut start = 0;
    for word in text.split_inclusive(is_end) {
        let at = start;
        start += word.len();
        let address = word.strip_prefix("//").unwrap_or(word);
        let address = address.trim_end_matches(is_end);
        let Some((host, path)) = address.split_once('/') else {
            continue;
        };
        let end = host.rsplit('.').next().unwrap_or_default();
        let is_public = end.len() == 2 || PUBLIC.split_ascii_whitespace().any(|known| known == end);
        let host = host.to_lowercase();
        if word.contains("://") || path.is_empty() && address.len() == word.len() {
            continue;
        }
        if is_public && host.is_ascii() && is_domain(&host)
            || address.len() < word.len() && word.starts_with("//") && is_domain(&host)
        {
            found.push((at, owned(host, address)));
        }
    }
}

/// Common public suffixes beside those of countries, for addresses without a scheme.
const PUBLIC: &str = "com net org edu gov mil int info biz name pro app dev cloud site online tech store xyz top club live run link click page \
                      zone work works space website world wiki blog email host icu shop tools network services systems solutions example test";

/// Hosts that many owners share, and how many parts of the path name the owner.
const SHARED: [(&str, usize); 28] = [
    ("github.com", 1),
    ("raw.githubusercontent.com", 1),
    ("gist.github.com", 1),
    ("gist.githubusercontent.com", 1),
    ("api.github.com", 2),
    ("codeload.github.com", 1),
    ("ghcr.io", 1),
    ("gitlab.com", 1),
    ("bitbucket.org", 1),
    ("codeberg.org", 1),
    ("sourceforge.net", 2),
    ("huggingface.co", 1),
    ("cdn.jsdelivr.net", 2),
    ("unpkg.com", 1),
    ("esm.sh", 1),
    ("storage.googleapis.com", 1),
    ("s3.amazonaws.com", 1),
    ("docs.google.com", 3),
    ("script.google.com", 3),
    ("drive.google.com", 3),
    ("hooks.slack.com", 2),
    ("discord.com", 3),
    ("discordapp.com", 3),
    ("pastebin.com", 2),
    ("webhook.site", 1),
    ("bit.ly", 1),
    ("tinyurl.com", 1),
    ("t.me", 1),
];

/// Adds the owner to a host that many share: `github.com/acme`.
fn owned(host: String, address: &str) -> String {
    let Some((_, parts)) = SHARED.iter().find(|(shared, _)| *shared == host) else {
        return host;
    };
    let is_end = |c: char| c.is_whitespace() || "\"'`()<>[],;|?#".contains(c);
    let address = address.split(is_end).next().unwrap_or_default();
    let path = address.split('/').skip(1).filter(|part| !part.is_empty());
    path.take(*parts)
        .fold(host, |all, part| format!("{all}/{part}"))
}

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-')
}

/// Returns the host at the beginning of a text: the part before the path, without user and port.
pub(super) fn authority(rest: &str) -> Option<String> {
    let mut depth = 0_usize;
    let ends = |c: char| {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return true,
            '}' => depth -= 1,
            // `${HOST:-a.org}` is one part.
            _ if depth > 0 && !c.is_control() => return false,
            _ => {}
        }
        c.is_whitespace()
            || matches!(
                c,
                '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>' | ')' | ']' | '|' | ',' | ';' | '*'
            )
    };
    let (rest, bracket) = match rest.strip_prefix('[') {
        Some(inner) => (inner, true),
        None => (rest, false),
    };
    let authority = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
    if bracket {
        return (!authority.is_empty()).then(|| format!("[{authority}]"));
    }
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if !name.contains('{') || name.ends_with('}') || !port.contains('}') => {
            name
        }
        _ => host,
    };
    let host = host
        .trim_end_matches(['.', '\\', '…', ':', '!'])
        .to_lowercase();
    let is_text = host.chars().any(char::is_alphanumeric);
    let is_name = NAMES.split_ascii_whitespace().any(|name| name == host);
    // `https://YOUR_BASE_URL` is filled in by a person.
    let is_blank = host.starts_with("your_") && !host.contains('.');
    (is_text && !is_name && !is_blank && !host.contains("...")).then_some(host)
}

/// Returns the host of an argument without a scheme: `a.org/x`, `user@a.org:path`, `a.org:443`.
pub(super) fn bare(argument: &str) -> Option<String> {
    if argument.contains("://")
        || argument.starts_with(['-', '.', '/', '~', '"', '{', '@', '<', '['])
    {
        return None;
    }
    let host = argument.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?;
    let host = host.split(':').next()?.trim_end_matches('.').to_lowercase();
    is_domain(&host).then_some(host)
}

/// Returns whether a text is a domain or an address of IPv4. The names of files are not: `out.json`.
pub(super) fn is_domain(host: &str) -> bool {
    const ENDS: &str = "json txt md html htm xml yaml yml csv sh py js ts zip gz tgz tar png jpg jpeg pdf log bin \
                        toml rs rb go lock pem key crt conf cfg ini bak tmp sql db css svg mp4 mp3";
    let Some((_, last)) = host.rsplit_once('.') else {
        return host == "localhost";
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '$' | '{' | '}'))
    };
    let is_number = last.chars().all(|c| c.is_ascii_digit());
    host.split('.').all(is_label)
        && if is_number {
            host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
        } else {
            last.chars().count() >= 2
                && last.chars().all(char::is_alphabetic)
                && !ENDS.split_ascii_whitespace().any(|end| end == last)
        }
}

/// Returns the hosts of `/dev/tcp/HOST/PORT`, which bash opens as a connection.
pub(super) fn devices(text: &str) -> impl Iterator<Item = (usize, String)> {
    let ways = ["/dev/tcp/", "/dev/udp/"].into_iter();
    ways.flat_map(move |way| {
        text.match_indices(way)
            .filter_map(move |(at, _)| Some((at, authority(text.get(at + way.len()..)?)?)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses() {
        for (text, expected) in [
            ("https://A.org/x", "a.org"),
            ("see (https://a.org).", "a.org"),
            ("https://good.org@evil.org/x", "evil.org"),
            ("https://u:p@a.org:8443/x", "a.org"),
            ("http://[::1]:80/", "[::1]"),
            ("https://$HOST/x", "$host"),
            ("https://${HOST:-a.org}/x", "${host:-a.org}"),
            ("https://{host}/x", "{host}"),
            ("wss://a.org", "a.org"),
            ("$scheme://a.org", "a.org"),
            ("HTTPS://A.org.", "a.org"),
            ("https://github.com/acme/x", "github.com/acme"),
            ("get github.com/acme/x", "github.com/acme"),
            ("(//a.org/x)", "a.org"),
            ("at a.example/x now", "a.example"),
        ] {
            let found: Vec<String> = hosts(text).into_iter().map(|(_, host)| host).collect();
            assert_eq!(found, [expected], "{text}");
        }
        for text in [
            "file:///x",
            "http://www.w3.org/2000/svg",
            "https://<host>/",
            "https://...",
            "https://YOUR_BASE_URL/x",
            "a://",
            "src/main.rs",
            "// a comment",
            "and/or",
            "Node.js/npm",
        ] {
            assert!(hosts(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn hosts_without_a_scheme() {
        for (text, expected) in [
            ("a.org/x", Some("a.org")),
            ("git@a.org:x/y", Some("a.org")),
            ("10.0.0.1:80", Some("10.0.0.1")),
            ("out.json", None),
            ("./a.org", None),
            ("POST", None),
            ("1.2.3", None),
        ] {
            assert_eq!(bare(text).as_deref(), expected, "{text}");
        }
    }
}
