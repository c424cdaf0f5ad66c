//! The list of skills as another client would show it.

use crate::catalog::clients::{Offered, cut};
use crate::commands::prompt::named::note_skills;
use crate::outcome::Failure;
use crate::output::Ctx;
use serde::Serialize;
use skills_clients::Source;
use skills_clients::listing::{Cut, Listing, Shown, Unit};
use skills_format::estimate_tokens;
use std::io::Write as _;

/// `prompt --client NAME --format json`
#[derive(Serialize)]
struct PromptPrintDocument<'a> {
    text: String,
    shortened: Vec<String>,
    omitted: Vec<String>,
    without_path: [String; 0],
    tokens: usize,
    client: About<'a>,
    bare: Vec<String>,
    /// `null` for a client that lists everything.
    budget: Option<usize>,
    unit: Unit,
    whole: usize,
    used: usize,
}

/// A client, and the origin of the facts about the client.
#[derive(Serialize)]
struct About<'a> {
    name: &'a str,
    title: &'a str,
    source: &'a str,
    seen: &'a str,
    /// The version of the program that was run.
    version: Option<&'a str>,
    context: Option<u64>,
}

/// Prints the part of these skills that a client would show.
pub(super) fn print(
    client: &Listing,
    context: Option<u64>,
    skills: &[Offered],
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let cut = cut(client, context, skills, cx.env);
    let text = cut.text();
    let ids = |shown| {
        let with = skills
            .iter()
            .zip(&cut.skills)
            .filter(move |(_, kept)| kept.shown == shown);
        with.map(|(skill, _)| skill.id.clone()).collect::<Vec<_>>()
    };
    let (shortened, bare, omitted) = (ids(Shown::Shortened), ids(Shown::Bare), ids(Shown::Gone));
    if cx.is_json {
        let Listing {
            name,
            title,
            source,
            ..
        } = client;
        return cx.json(&PromptPrintDocument {
            tokens: estimate_tokens(&text),
            text,
            shortened,
            omitted,
            without_path: [],
            client: About {
                name,
                title,
                source: &source.at,
                seen: &source.seen,
                version: source.version.as_deref(),
                context,
            },
            bare,
            budget: client.has_budget().then_some(cut.budget),
            unit: cut.unit,
            whole: cut.whole,
            used: cut.used,
        });
    }
    cx.foreign(&text)?;
    if !text.is_empty() {
        writeln!(cx)?;
    }
    let (title, used, unit) = (&client.title, cut.used, cut.unit.as_str());
    cx.note(if client.has_budget() {
        let Cut { budget, whole, .. } = cut;
        format!("{title}: {used} of at most {budget} {unit}; all of it would have {whole}")
    } else {
        format!("{title}: {used} {unit}; it lists everything")
    });
    note_skills("shortened", &shortened, cx);
    note_skills("by name alone", &bare, cx);
    note_skills("left out", &omitted, cx);
    let is_cut = !(shortened.is_empty() && bare.is_empty() && omitted.is_empty());
    if let Some(remark) = client.remark.as_ref().filter(|_| is_cut) {
        cx.note(remark);
    }
    let Source {
        at, seen, version, ..
    } = &client.source;
    let version = version
        .as_ref()
        .map_or_else(String::new, |version| format!(", version {version}"));
    cx.note(format!("source, read {seen}{version}: {at}"));
    Ok(())
}
