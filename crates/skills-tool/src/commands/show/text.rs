//! One skill for a person: all its fields, and all its files.

use crate::catalog::everywhere::{self, Everywhere};
use crate::catalog::installed::InstalledIndex;
use crate::catalog::skill::{body, digest, files, state, trust_digest, unreadable};
use crate::commands::list::everywhere::report_differing;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::{Ctx, fields, one_line};
use serde_json::{Map, Value};
use skills_host::places::Version;
use skills_runtime::Entry;
use skills_runtime::bundle::{Text, ToolRule};
use skills_runtime::catalog::Location;
use skills_runtime::catalog::Plugins;
use std::fmt::Display;
use std::io::Write as _;

/// The width of a label in cells.
const LABEL: usize = 13;

/// The fields that have a line of their own, or are part of the state.
const SHOWN: &[&str] = &[
    "name",
    "description",
    "user-invocable",
    "disable-model-invocation",
    "argument-hint",
    "allowed-tools",
    "compatibility",
    "license",
    "version",
];

/// Prints the front matter, the files and their sizes, and the instructions.
pub(crate) fn print(
    entry: &Entry<'_>,
    plugins: Plugins,
    installed: &InstalledIndex,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    summary(entry, plugins, installed, cx)?;
    if !body(entry)?.trim().is_empty() {
        writeln!(cx)?;
        instructions(entry, cx)?;
    }
    Ok(())
}

/// Prints the instructions as formatted text.
pub(crate) fn instructions(entry: &Entry<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    cx.foreign(body(entry)?.trim_end_matches('\n'))?;
    writeln!(cx)?;
    Ok(())
}

/// Prints the front matter, the files and their sizes.
pub(crate) fn summary(
    entry: &Entry<'_>,
    plugins: Plugins,
    installed: &InstalledIndex,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let id = one_line(&entry.id_under(plugins));
    writeln!(cx, "{}", cx.strong(id))?;
    for (label, value) in typed(entry, plugins, cx.env) {
        if !value.is_empty() {
            line(label, &value, cx)?;
        }
    }
    print_arguments(entry, cx)?;
    if let Some(skill) = installed.get(entry) {
        if let Some(from) = &skill.locked.provenance {
            line("from", &from.to_string(), cx)?;
        }
        if !installed.words(entry).is_empty() {
            line("since", &installed.words(entry), cx)?;
        }
        if installed.is_pinned(entry) {
            line("pinned", &"`update` passes over it", cx)?;
        }
    }
    // Other fields are printed as written.
    let said: Map<String, Value> = serde_json::from_str(&entry.front_matter()).unwrap_or_default();
    for (key, value) in said.iter().filter(|(key, _)| !SHOWN.contains(&&***key)) {
        match value {
            Value::String(text) => line(key, text, cx)?,
            value => line(key, &value.to_string(), cx)?,
        }
    }
    print_files(entry, cx)
}

/// Prints the copies of a skill in the folders of every client, if there are several.
pub(crate) fn print_places(
    name: &str,
    everywhere: &Everywhere,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let versions: Vec<&Version> = everywhere.of_name(name).collect();
    let copies: usize = versions.iter().map(|version| version.copies.len()).sum();
    if copies < 2 {
        return Ok(());
    }
    writeln!(cx)?;
    let mut label = "places";
    for version in &versions {
        let state = everywhere::state(version);
        for copy in &version.copies {
            let path = cx.env.shown(&copy.path);
            let link = copy.link.as_deref().map(|link| cx.env.shown(link));
            let link = link.map_or_else(String::new, |link| format!(" (link to {link})"));
            let time = copy.modified.map_or_else(String::new, |time| {
                format!(", changed {}", time.strftime("%Y-%m-%d %H:%M UTC"))
            });
            let pinned = if copy.is_pinned { ", pinned" } else { "" };
            line(label, &format!("{path}{link}: {state}{pinned}{time}"), cx)?;
            label = "";
        }
    }
    report_differing(&versions, cx);
    Ok(())
}

/// Prints each typed argument with what fits.
fn print_arguments(entry: &Entry<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let schema = match entry.typed_arguments() {
        Ok(Some(schema)) => schema,
        Ok(None) => return Ok(()),
        Err(error) => return line("arguments", &format!("{error:#}"), cx),
    };
    for argument in schema.arguments.iter() {
        let end = match &argument.default {
            _ if argument.needs_value() => "",
            None => ", optional",
            Some(default) => &format!(", default {}", default.join(" ")),
        };
        let what = format!("{}{end}. {}", argument.fits(), argument.description);
        line(&format!("--{}", argument.name), &what.trim_end(), cx)?;
    }
    Ok(())
}

fn typed(entry: &Entry<'_>, plugins: Plugins, env: &Environment) -> [(&'static str, String); 12] {
    let fields = entry.fields();
    let place = match entry.location() {
        Location::Folder(path) => env.shown(path),
        _ => "in the program".to_owned(),
    };
    let option = |text: &Option<Text>| text.as_deref().unwrap_or_default().to_owned();
    let tools = |rules: &[ToolRule]| {
        let rules: Vec<String> = rules.iter().map(ToString::to_string).collect();
        rules.join(", ")
    };
    let closed_by: Vec<&str> = fields
        .closed_by
        .iter()
        .map(|spelling| spelling.as_str())
        .collect();
    [
        ("written as", option(&fields.display_name)),
        ("description", entry.description().to_owned()),
        ("state", state(entry, plugins, &[])),
        ("closed by", closed_by.join("; ")),
        ("source", format!("{}, {place}", entry.source().name())),
        ("aliases", fields.aliases.join(", ")),
        ("arguments", option(&fields.argument_hint)),
        ("tools", tools(&fields.allowed_tools)),
        ("disallowed", tools(&fields.disallowed_tools)),
        ("compatibility", option(&fields.compatibility)),
        ("license", option(&fields.license)),
        ("version", option(&fields.version)),
    ]
}

/// Prints the files with their sizes, and the digests. When a file cannot be read, the files are listed
/// before the failure.
fn print_files(entry: &Entry<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let read = files(entry);
    let listed: Vec<(String, u64)> = if let Ok(files) = &read {
        files.iter().map(|f| (f.path.clone(), f.size)).collect()
    } else {
        let resources = entry
            .resources()
            .map_err(|error| unreadable(entry, &error))?;
        resources.into_iter().map(|f| (f.path, f.size)).collect()
    };
    for (index, (path, size)) in listed.iter().enumerate() {
        let label = if index == 0 { "files" } else { "" };
        line(label, &format_args!("{path} ({size} bytes)"), cx)?;
    }
    let files = read?;
    line("digest", &digest(&files), cx)?;
    if let Some(digest) = trust_digest(entry) {
        match digest {
            Ok(digest) => line("trust digest", &digest, cx)?,
            Err(why) => line("trust", &format_args!("{why:#}"), cx)?,
        }
    }
    let body = body(entry)?;
    let tokens = skills_format::estimate_tokens(&body);
    line("tokens", &format_args!("about {tokens} in the body"), cx)
}

fn line(label: &str, value: &impl Display, cx: &mut Ctx) -> Result<(), Failure> {
    fields::print(LABEL, label, &value.to_string(), cx)
}
