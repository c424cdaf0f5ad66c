//! The list of skills as another client would show it.

use crate::catalog::client_folder::read_by;
use crate::catalog::clients::{Offered, cut};
use crate::commands::prompt::named::note_skills;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Format, Output};
use serde::Serialize;
use skills_clients::Source;
use skills_clients::listing::{Cut, Listing, Shown, Unit};
use skills_format::estimate_tokens;
use skills_format::skill::spelling::Spelling;
use std::io::Write as _;

/// `prompt --client NAME --format json`
#[derive(Serialize)]
struct PromptPrintDocument<'a> {
    schema: u32,
    text: String,
    shortened: Vec<String>,
    omitted: Vec<String>,
    without_path: [String; 0],
    tokens: usize,
    client: About<'a>,
    bare: Vec<String>,
    /// The skills that this client lists, although a spelling that it does not read closes them.
    closed_elsewhere: Vec<Closed<'a>>,
    /// `null` for a client that lists everything.
    budget: Option<usize>,
    unit: Unit,
    whole: usize,
    used: usize,
}

/// A skill that is closed to the model in another client.
#[derive(Serialize)]
struct Closed<'a> {
    skill: &'a str,
    closed_by: &'a [Spelling],
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
    environment: &Environment,
    format: Format,
    output: &mut Output,
) -> Result<(), Failure> {
    let cut = cut(client, context, skills, environment);
    let text = cut.text();
    let ids = |shown| {
        let with = skills
            .iter()
            .zip(&cut.skills)
            .filter(move |(_, kept)| kept.shown == shown);
        with.map(|(skill, _)| skill.id.clone()).collect::<Vec<_>>()
    };
    let (shortened, bare, omitted) = (ids(Shown::Shortened), ids(Shown::Bare), ids(Shown::Gone));
    if format == Format::Json {
        let Listing {
            name,
            title,
            source,
            ..
        } = client;
        return output.json(&PromptPrintDocument {
            schema: 1,
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
            closed_elsewhere: closed(skills).collect(),
            budget: client.has_budget().then_some(cut.budget),
            unit: cut.unit,
            whole: cut.whole,
            used: cut.used,
        });
    }
    output.foreign(&text)?;
    if !text.is_empty() {
        writeln!(output)?;
    }
    let (title, used, unit) = (&client.title, cut.used, cut.unit.as_str());
    output.note(if client.has_budget() {
        let Cut { budget, whole, .. } = cut;
        format!("{title}: {used} of at most {budget} {unit}; all of it would have {whole}")
    } else {
        format!("{title}: {used} {unit}; it lists everything")
    });
    note_skills("shortened", &shortened, output);
    note_skills("by name alone", &bare, output);
    note_skills("left out", &omitted, output);
    let with_spellings = |Closed { skill, closed_by }: Closed<'_>| {
        let by: Vec<&str> = closed_by.iter().map(|spelling| spelling.as_str()).collect();
        format!("{skill} ({})", by.join(", "))
    };
    // A listed skill that the client's own spelling closes stands in a file that the client could not read.
    let own = client.reads.and_then(read_by);
    let is_own = |closed: &Closed<'_>| own.is_some_and(|own| closed.closed_by.contains(&own));
    let (unread, elsewhere): (Vec<_>, Vec<_>) = closed(skills).partition(is_own);
    let elsewhere: Vec<String> = elsewhere.into_iter().map(with_spellings).collect();
    note_skills("listed here and closed elsewhere", &elsewhere, output);
    let unread: Vec<String> = unread.into_iter().map(with_spellings).collect();
    note_skills("listed here, and meant to be closed here", &unread, output);
    if !unread.is_empty() {
        let name = &client.name;
        output.note(format!(
            "`skills check --client {name}` says what {title} does not read"
        ));
    }
    let is_cut = !(shortened.is_empty() && bare.is_empty() && omitted.is_empty());
    if let Some(remark) = client.remark.as_ref().filter(|_| is_cut) {
        output.note(remark);
    }
    note_longest(
        skills,
        cut.whole.saturating_sub(cut.budget),
        cut.unit,
        output,
    );
    let Source {
        at, seen, version, ..
    } = &client.source;
    let version = version
        .as_ref()
        .map_or_else(String::new, |version| format!(", version {version}"));
    output.note(format!("source, read {seen}{version}: {at}"));
    Ok(())
}

fn closed(skills: &[Offered]) -> impl Iterator<Item = Closed<'_>> {
    let closed = skills.iter().filter(|skill| !skill.closed_by.is_empty());
    closed.map(|skill| Closed {
        skill: &skill.id,
        closed_by: &skill.closed_by,
    })
}

/// The maximum number of descriptions in the note about the longest.
const LONGEST: usize = 5;

/// Notes by how much the list is too long, and the longest descriptions.
fn note_longest(skills: &[Offered], over: usize, unit: Unit, output: &mut Output) {
    if over == 0 {
        return;
    }
    let mut lengths: Vec<(usize, &str)> = skills
        .iter()
        .map(|skill| (skill.length(), &*skill.id))
        .collect();
    lengths.sort_unstable_by_key(|(length, _)| usize::MAX - length);
    let longest: Vec<String> = lengths
        .iter()
        .take(LONGEST)
        .map(|(length, id)| format!("{id} ({length})"))
        .collect();
    output.note(format!(
        "{over} {} too many; the longest descriptions, in characters: {}",
        unit.as_str(),
        longest.join(", ")
    ));
}
