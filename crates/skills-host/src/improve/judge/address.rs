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
    let all = text.split(ends).map(|word| {
        word.trim_end_matches(['.', ':', '!', '?'])
            .trim_start_matches(['=', '#', '$'])
    });
    all.filter(|word| is_address(word))
        .map(str::to_owned)
        .collect()
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
    let host = word
        .split(['/', '?', '#', ':', '&', '='])
        .find(|part| !part.is_empty());
    is_v6 || host.is_some_and(|host| host == "localhost" || is_host(host.trim_start_matches('.')))
}

/// Returns whether a text is a host: `a.example` and `10.0.0.1`, but not `notes.json`, `e.g` and `1.2`.
fn is_host(host: &str) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_label = |label: &&str| !label.is_empty() && label.chars().all(is_letter);
    let is_number = |label: &&str| {
        let digits = label.strip_prefix("0x").unwrap_or(label);
        label.starts_with(|c: char| c.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_hexdigit())
    };
    let [_, .., last] = labels.as_slice() else {
        return false;
    };
    if !labels.iter().all(is_label) {
        return false;
    }
    let is_name = last.chars().count() > 1 && last.chars().all(char::is_alphabetic);
    let is_place = (is_name || last.starts_with("xn--")) && !FILE_ENDS.contains(last);
    is_place || labels.len() == 4 && labels.iter().all(is_number)
}
