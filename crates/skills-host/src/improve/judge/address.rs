//! Finds the addresses in a skill, in every form that a model understands.

use crate::improve::judge::sign::folded;
use skills_store::files::snapshot::Snapshot;
use std::collections::BTreeSet;

/// File extensions that are not top-level domains in practice.
const FILE_ENDS: &[&str] = &[
    "c", "cfg", "cpp", "css", "csv", "go", "h", "html", "ini", "ipynb", "java", "js", "json",
    "jsx", "lock", "log", "pdf", "png", "rb", "svg", "toml", "ts", "tsx", "txt", "xml", "yaml",
    "yml",
];
/// URL schemes without two slashes.
const SCHEMES: &[&str] = &[
    "data:",
    "file:",
    "javascript:",
    "magnet:",
    "mailto:",
    "sms:",
    "tel:",
    "urn:",
];

/// Returns the addresses in the files and the description.
pub(super) fn addresses(files: &Snapshot, description: &str) -> BTreeSet<String> {
    let mut all = addresses_of(description);
    for (_, file) in files.files() {
        all.extend(addresses_of(&String::from_utf8_lossy(&file.bytes)));
    }
    all
}

/// Returns the addresses in a text: with or without a scheme, mail addresses, numbers, shares.
fn addresses_of(text: &str) -> BTreeSet<String> {
    let mut text = folded(text);
    // The forms that people use to prevent a link.
    for dot in ["[.]", "(.)", "{.}", "[dot]", "(dot)", " dot "] {
        text = text.replace(dot, ".");
    }
    let ends = |c: char| c.is_whitespace() || "<>\"'`()[]{}|,;*".contains(c);
    // Also without markup: a model reads `evil.**example**` as one word.
    let texts = [without_markup(&text), text];
    let all = texts.iter().flat_map(|text| text.split(ends)).map(|word| {
        word.trim_end_matches(['.', ':', '!', '?', '_'])
            .trim_start_matches(['=', '#', '$', '_'])
    });
    all.filter(|word| is_address(word))
        .map(str::to_owned)
        .collect()
}

/// Removes comments, tags, escapes, emphasis, quotes and brackets.
fn without_markup(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        plain.push_str(before);
        let end = if tag.starts_with("<!--") { "-->" } else { ">" };
        let name = tag.get(1..).unwrap_or_default();
        let is_tag = name.starts_with(|c: char| "!/?".contains(c) || c.is_alphabetic());
        rest = match tag.split_once(end) {
            Some((_, after)) if is_tag => after,
            _ => {
                plain.push(' ');
                name
            }
        };
    }
    plain.push_str(rest);
    plain.retain(|c| !"*`\\[]{}\"'".contains(c));
    // Other underscores are parts of names.
    for (marked, bare) in [("~~", ""), ("__", ""), ("._", "."), ("_.", ".")] {
        plain = plain.replace(marked, bare);
    }
    plain
}

fn is_address(word: &str) -> bool {
    if word.contains("://")
        || word.contains("\\\\")
        || SCHEMES.iter().any(|scheme| word.starts_with(scheme))
    {
        return true;
    }
    // `//host/path`, as in HTML.
    let word = match word.strip_prefix("//") {
        Some(rest) if !rest.is_empty() => return true,
        _ => word,
    };
    if matches!(word.split_once('@'), Some((user, host)) if !user.is_empty() && !host.is_empty()) {
        return true;
    }
    let is_v6 =
        word.matches(':').count() > 1 && word.chars().all(|c| c.is_ascii_hexdigit() || c == ':');
    // Before an address there can be a key: `host=a.example`, `Server:a.example`.
    let mut parts = word.split(['?', '#', ':', '&', '=']);
    is_v6 || has_port(word) || parts.any(is_host_and_path)
}

/// Returns whether a word ends with a port: `server:8080`, `127.1:80/x`. A time such as `10:30` does not, and a line of
/// a file such as `notes.json:12` does not either.
fn has_port(word: &str) -> bool {
    let Some((host, port)) = word.split_once(':') else {
        return false;
    };
    let port = port.split(['/', '?', '#']).next().unwrap_or_default();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_port = (2..=5).contains(&port.len()) && is_number(port);
    let labels: Vec<&str> = host.split('.').collect();
    let is_hour = host.len() <= 2 && is_number(host);
    is_port && !is_hour && (labels.len() == 1 || labels.iter().all(|label| is_numeric(label)))
}

fn is_host_and_path(part: &str) -> bool {
    let mut segments = part.split('/').skip_while(|segment| segment.is_empty());
    let host = segments.next().unwrap_or_default();
    let path = segments.next().map_or(Path::Missing, |_| Path::Follows);
    host == "localhost" || is_host(host.trim_start_matches('.'), path)
}

/// The place of a path after a possible host.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    /// No file has a path after its name: `main.ts/x` is a host.
    Follows,
    Missing,
}

/// Returns whether a label is a number, also in hexadecimal.
fn is_numeric(label: &str) -> bool {
    let digits = label.strip_prefix("0x").unwrap_or(label);
    label.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_hexdigit())
}

/// Returns whether a text is a host: `a.example` and `10.0.0.1`, but not `notes.json`, `e.g` and `1.2`, unless a path
/// follows.
fn is_host(host: &str, path: Path) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_label = |label: &&str| !label.is_empty() && label.chars().all(is_letter);
    let [_, .., last] = labels.as_slice() else {
        return false;
    };
    if !labels.iter().all(is_label) {
        return false;
    }
    let has_path = path == Path::Follows;
    let is_long = has_path || last.chars().count() > 1;
    let is_name = is_long && last.chars().all(char::is_alphabetic);
    let is_file = !has_path && FILE_ENDS.contains(last);
    let is_place = (is_name || last.starts_with("xn--")) && !is_file;
    is_place || (has_path || labels.len() == 4) && labels.iter().all(|label| is_numeric(label))
}
