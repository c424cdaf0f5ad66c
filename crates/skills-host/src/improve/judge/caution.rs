//! Finds reasons for the user to look at a change of a skill before it is taken.
//!
//! A model is instructed in words, so no check can find every instruction. Each sign here covers more than what it
//! stands for: a harmless change with a sign waits for the user, and is not lost.

use crate::improve::judge::address::addresses;
use crate::improve::judge::sign::{Signs, folded, is_known, limits, lines, prohibitions, signs};
use crate::improve::trace::excerpt::plain;
use crate::install::plan::is_script;
use skills_store::files::snapshot::{FileBytes, Snapshot};
use std::collections::BTreeSet;

/// The extensions of files that contain only text to read.
const DOCUMENTS: &[&str] = &[".md", ".markdown", ".txt", ".rst"];
/// Maximum characters of a shown line.
const SHOWN: usize = 80;

/// Returns the reasons to turn an automatic change into a proposal, without the findings of a check. `descriptions` are
/// the old and the new value, since YAML can write one value in many ways.
pub(super) fn cautions(base: &Snapshot, result: &Snapshot, descriptions: [&str; 2]) -> Vec<String> {
    let [old, new] = descriptions;
    let mut known = signs(old);
    for (_, text) in documents(base) {
        known.extend(signs(text));
    }
    let mut cautions = Vec::new();
    for (path, file) in result.files() {
        let old = base.get(path);
        if old != Some(file) {
            cautions.extend(of_file(path, old, file, &known));
        }
    }
    for (path, _) in base.files() {
        if result.get(path).is_none() {
            cautions.push(format!("{path} is removed"));
        }
    }
    if cautions.is_empty() {
        cautions.extend(of_text("the description", old, new, &known));
    }
    let known = addresses(base, old);
    let names: BTreeSet<String> = result.entries.keys().map(|path| folded(path)).collect();
    let is_file = |address: &str| {
        let path = address.split('#').next().unwrap_or_default();
        names.contains(path.trim_start_matches("./"))
    };
    let new = addresses(result, new)
        .into_iter()
        .filter(|address| !known.contains(address) && !is_file(address));
    cautions.extend(new.map(|address| format!("{} is a new address", cut(&address))));
    cautions
}

fn is_document(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    DOCUMENTS.iter().any(|end| path.ends_with(end))
}

/// Returns the texts that a model reads as instructions.
fn documents(files: &Snapshot) -> impl Iterator<Item = (&str, &str)> {
    let documents = files
        .files()
        .filter(|(path, file)| is_document(path) && !is_script(path, file));
    documents.filter_map(|(path, file)| Some((path, std::str::from_utf8(&file.bytes).ok()?)))
}

fn of_file(path: &str, old: Option<&FileBytes>, file: &FileBytes, known: &Signs) -> Vec<String> {
    let mut cautions = Vec::new();
    if file.executable && !old.is_some_and(|old| old.executable) {
        cautions.push(format!("{path} may be run now"));
    }
    let is_script = is_script(path, file) || old.is_some_and(|old| is_script(path, old));
    let what = match (old, is_script, is_document(path)) {
        (None, true, _) => "is a new script",
        (Some(_), true, _) => "is a changed script",
        (None, false, false) => "is a new file",
        (Some(_), false, false) => "is changed",
        (_, false, true) => {
            let old = old.map_or(Some(""), text);
            match (old, text(file)) {
                (Some(old), Some(new)) => cautions.extend(of_text(path, old, new, known)),
                _ => cautions.push(format!("{path} is not UTF-8")),
            }
            return cautions;
        }
    };
    cautions.push(format!("{path} {what}"));
    cautions
}

/// Reports the lines with new signs.
fn of_text(place: &str, old: &str, new: &str, known: &Signs) -> Vec<String> {
    let mut cautions = Vec::new();
    for (at, line, signs) in lines(new) {
        if signs.iter().any(|sign| !is_known(sign, known)) {
            let line = cut(line.trim());
            cautions.push(format!(
                "{place}:{at} may ask to send, fetch or run something: {line}"
            ));
        }
    }
    let now = prohibitions(new);
    let is_gone = |(prohibition, count): (&String, &usize)| now.get(prohibition) < Some(count);
    if limits(new) < limits(old) || prohibitions(old).iter().any(is_gone) {
        cautions.push(format!("{place} forbids less than before"));
    }
    cautions
}

/// Shortens a text, on one line.
fn cut(text: &str) -> String {
    let text = plain(text);
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 1).collect::<String>() + "…"
}

fn text(file: &FileBytes) -> Option<&str> {
    std::str::from_utf8(&file.bytes).ok()
}
