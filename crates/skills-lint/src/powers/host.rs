//! Finds the hosts of addresses.

use crate::powers::tables::has;
use std::collections::{BTreeSet, HashSet};

/// Hosts of names that no program fetches: namespaces of XML, and schemas.
const NAMES: &str = "www.w3.org schemas.openxmlformats.org schemas.microsoft.com schemas.xmlsoap.org \
                     json-schema.org www.sitemaps.org ns.adobe.com";

/// Schemes of addresses that reach no host.
const LOCAL: &str = "skill resource config ui principal principalset";

/// Hosts in the order of a text, each once. A text can have any number of them.
#[derive(Default)]
struct Found {
    hosts: Vec<String>,
    seen: HashSet<String>,
}

impl Found {
    fn add(&mut self, host: String) {
        if self.seen.insert(host.clone()) {
            self.hosts.push(host);
        }
    }
}

/// Returns the hosts of the addresses in a text, each once.
pub(super) fn hosts(text: &str) -> Vec<String> {
    let mut found = Found::default();
    // `https\://a.org` of Markdown, and `a\.org` of a pattern.
    let plain = text.contains('\\').then(|| {
        let signs = [("\\:", ":"), ("\\/", "/"), ("\\.", ".")];
        let plain = signs
            .iter()
            .fold(text.to_owned(), |all, (from, to)| all.replace(from, to));
        plain.replace('\\', "/")
    });
    let text = plain.as_deref().unwrap_or(text);
    for (at, _) in text.match_indices("://") {
        let before = &text[..at];
        let name = &before[before.trim_end_matches(is_scheme).len()..];
        let is_web = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && !has(LOCAL, &name.to_ascii_lowercase());
        // `$scheme://host` and `${PROTO}://host` fetch too.
        let is_computed = before.trim_end_matches(is_scheme).ends_with('$')
            || name.is_empty() && before.ends_with(['}', ')']);
        let rest = &text[at + 3..];
        if (is_web || is_computed)
            && let Some(host) = authority(rest)
        {
            found.add(owned(host, rest));
            // `https://good.org;x@evil.org` leads to evil.org: what ends a link in a text ends no user.
            let is_end = |c: char| c.is_whitespace() || "/?#\\\"`<>".contains(c);
            let whole = rest.split(is_end).next().unwrap_or_default();
            let after = rest.get(whole.rfind('@').map_or(rest.len(), |at| at + 1)..);
            if let Some(rest) = after
                && let Some(host) = authority(rest)
            {
                found.add(owned(host, rest));
            }
        }
    }
    marked(text, &mut found);
    without_scheme(text, &mut found);
    found.hosts
}

/// Adds the domains in addresses of the web that have other signs too: `https://<region>.a.org`, `https://**a.org**`, `https:/a.org`.
fn marked(text: &str, found: &mut Found) {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let parts = |text: &'_ str| -> Vec<String> {
        let parts = text.split(|c| !is_part(c));
        let parts = parts.map(|part| part.trim_matches(['.', '-', '_']));
        parts.map(ToOwned::to_owned).collect()
    };
    let lower = text.to_ascii_lowercase();
    let mut told = Told::default();
    for host in &found.hosts {
        let host = host.split('/').next().unwrap_or_default();
        told.add(host);
        // `{region}.a.org`
        if host.contains(['{', '$']) {
            for part in parts(host) {
                told.add(&part);
            }
        }
    }
    for scheme in ["http:", "https:", "mailto:"] {
        let mut end = 0;
        for (at, _) in lower.match_indices(scheme) {
            // Read with the address in which it stands.
            if at < end {
                continue;
            }
            let rest = lower[at + scheme.len()..].trim_start_matches('/');
            let length = rest.find(|c: char| c.is_whitespace() || "/?\"`".contains(c));
            let whole = &rest[..length.unwrap_or(rest.len())];
            end = lower.len() - rest.len() + whole.len();
            let whole = whole.rsplit('@').next().unwrap_or(whole);
            for domain in parts(whole) {
                if is_domain(&domain) && !has(NAMES, &domain) && !told.holds(&domain) {
                    told.add(&domain);
                    found.add(domain);
                }
            }
        }
    }
}

/// The hosts that were found, written backwards: those below a domain stand together.
#[derive(Default)]
struct Told(BTreeSet<String>);

impl Told {
    fn add(&mut self, host: &str) {
        self.0.insert(host.chars().rev().collect());
    }

    /// Returns whether a domain, or a host below it, was found.
    fn holds(&self, domain: &str) -> bool {
        let whole: String = domain.chars().rev().collect();
        let below = format!("{whole}.");
        let mut next = self.0.range(below.clone()..);
        self.0.contains(&whole) || next.next().is_some_and(|host| host.starts_with(&below))
    }
}

/// Adds `//a.org/x`, which has the scheme of the page, and `a.org/x`.
fn without_scheme(text: &str, found: &mut Found) {
    let is_end = |c: char| c.is_whitespace() || "\"'`()<>[]{},;=|".contains(c);
    for word in text.split_inclusive(is_end) {
        let address = word.strip_prefix("//").unwrap_or(word);
        let address = address.trim_end_matches(is_end);
        let sent = address.split_once('@').filter(|(_, rest)| {
            let port = rest.split_once(':').map(|(_, path)| path);
            port.is_some_and(|path| path.starts_with(|c: char| !c.is_ascii_digit()))
        });
        if let Some(host) = sent.and_then(|(_, rest)| of_ssh(rest)) {
            found.add(host);
            continue;
        }
        let bare = address.trim_end_matches(['.', ':', '!', '*', '_']);
        let Some((host, path)) = address.split_once('/') else {
            let host = bare.trim_start_matches(['*', '_']).to_lowercase();
            let host = host.split(':').next().unwrap_or_default();
            // `ASP.NET` is a name.
            let is_lower = !bare.contains(|c: char| c.is_ascii_uppercase());
            if is_common(host) && is_lower && is_domain(host) {
                found.add(host.to_owned());
            }
            continue;
        };
        // `user@a.org:8080/x`
        let host = host.rsplit('@').next().unwrap_or(host);
        let port = host
            .rsplit_once(':')
            .filter(|(_, port)| port.parse::<u16>().is_ok());
        let host = port.map_or(host, |(host, _)| host).to_lowercase();
        // `src.d/` at the end of a line is a folder.
        let is_folder = path.is_empty() && address.len() == word.len() && !is_common(&host);
        if word.contains("://") || is_folder {
            continue;
        }
        let is_quoted = address.len() < word.len() && word.starts_with("//");
        if (is_public(&host) || is_quoted) && is_domain(&host) {
            found.add(owned(host, address));
        }
    }
}

/// Returns whether a host ends as no file does.
fn is_common(host: &str) -> bool {
    let ends = [".com", ".net", ".org"];
    ends.iter().any(|end| host.ends_with(end))
}

/// Returns whether a host ends as public hosts do.
pub(super) fn is_public(host: &str) -> bool {
    let end = host.rsplit('.').next().unwrap_or_default();
    (end.len() == 2 || has(PUBLIC, end)) && host.is_ascii()
}

/// Common public suffixes beside those of countries, for addresses without a scheme.
const PUBLIC: &str = "com net org edu gov mil int info biz name pro app dev cloud site online tech store xyz top club live run link click page \
                      zone work works space website world wiki blog email host icu shop tools network services systems solutions example test";

/// Hosts that many owners share, by the number of parts of the path that name the owner.
const SHARED: [&str; 3] = [
    "github.com raw.githubusercontent.com gist.github.com gist.githubusercontent.com codeload.github.com ghcr.io gitlab.com \
     bitbucket.org codeberg.org huggingface.co unpkg.com esm.sh storage.googleapis.com s3.amazonaws.com webhook.site bit.ly \
     tinyurl.com t.me ntfy.sh media.githubusercontent.com uploads.github.com quay.io gcr.io hub.docker.com deno.land jsr.io \
     git.sr.ht dropbox.com transfer.sh storage.cloud.google.com",
    "api.github.com api.telegram.org sourceforge.net cdn.jsdelivr.net hooks.slack.com pastebin.com",
    "docs.google.com script.google.com drive.google.com hooks.zapier.com discord.com discordapp.com",
];

/// Parts of paths of the first of these hosts that stand before the owner: `huggingface.co/datasets/acme`.
const BEFORE_OWNER: &str =
    "spaces datasets orgs sponsors apps marketplace users media repos api v4 projects r x s";

/// Adds the owner to a host that many share: `github.com/acme`.
fn owned(host: String, address: &str) -> String {
    let name = host.strip_prefix("www.").unwrap_or(&host);
    let is_bucket = name.starts_with("s3.") && name.ends_with(".amazonaws.com");
    let shared = SHARED.iter().position(|shared| has(shared, name));
    let Some(parts) = shared.or(is_bucket.then_some(0)) else {
        return host;
    };
    let is_end = |c: char| c.is_whitespace() || "\"'`()<>[],;|?#".contains(c);
    let address = address.split(is_end).next().unwrap_or_default();
    let mut path = Vec::new();
    for part in address.split('/').skip(1) {
        match &*part.to_ascii_lowercase().replace("%2e", ".") {
            "" | "." => {}
            ".." => drop(path.pop()),
            before if parts == 0 && path.is_empty() && has(BEFORE_OWNER, before) => {}
            _ => path.push(part),
        }
    }
    let path = path.into_iter().take(parts + 1);
    path.fold(host, |all, part| format!("{all}/{part}"))
}

fn is_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')
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
        c.is_whitespace() || "/?#\"'`<>)]|,;*".contains(c)
    };
    if let Some(inner) = rest.strip_prefix('[') {
        let (address, _) = inner.split_once(']')?;
        // An address of IPv6 has colons; `[A-Za-z0-9.-]` is a pattern.
        return address.contains(':').then(|| format!("[{address}]"));
    }
    let authority = rest.split(ends).next()?;
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains('}') || name.ends_with('}') => name,
        _ => host,
    };
    let host = host
        .trim_end_matches(['.', '\\', '…', ':', '!'])
        .to_lowercase();
    // `https://YOUR_BASE_URL` is filled in by a person.
    let is_blank = host.starts_with("your_") && !host.contains('.');
    (host.contains(char::is_alphanumeric)
        && !has(NAMES, &host)
        && !is_blank
        && !host.contains("..."))
    .then_some(host)
}

/// Returns the host of an address of SSH after its user, with the owner where many share the host: `github.com:acme/x`.
pub(super) fn of_ssh(address: &str) -> Option<String> {
    Some(owned(bare(address)?, &address.replacen(':', "/", 1)))
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
                .all(|c| c.is_alphanumeric() || "-_${}".contains(c))
    };
    let is_number = last.chars().all(|c| c.is_ascii_digit());
    host.split('.').all(is_label)
        && if is_number {
            host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok())
        } else {
            last.chars().count() >= 2 && last.chars().all(char::is_alphabetic) && !has(ENDS, last)
        }
}

/// Returns the hosts of `/dev/tcp/HOST/PORT`, which bash opens as a connection.
pub(super) fn devices(text: &str) -> impl Iterator<Item = String> {
    let ways = ["/dev/tcp/", "/dev/udp/"].into_iter();
    ways.flat_map(move |way| text.split(way).skip(1).filter_map(authority))
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
            ("https://github.com/good/../evil/x", "github.com/evil"),
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
            ("at u@a.example:8080/x now", "a.example"),
            ("clone git@github.com:acme/x.git now", "github.com/acme"),
            ("ask `a.com` or", "a.com"),
            ("use a.com/", "a.com"),
            ("https://<region>.a.org/x", "a.org"),
            ("https://**a.org**", "a.org"),
            ("[x](https:/a.org)", "a.org"),
            ("[x](https\\://a.org/x)", "a.org"),
            ("https:\\\\a.org", "a.org"),
            ("mailto:me@a.org", "a.org"),
            ("https://www.github.com/acme/x", "www.github.com/acme"),
        ] {
            assert_eq!(hosts(text), [expected], "{text}");
        }
        for sign in [";", ",", "*", "'", "|", ")", "]"] {
            let text = format!("https://good.org{sign}x@evil.org/a");
            assert_eq!(hosts(&text), ["good.org", "evil.org"], "{text}");
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
            "src.dev/",
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
