//! `skills list`: lists every skill of every source.

use crate::catalog::find::did_you_mean;
use crate::catalog::options::CatalogArguments;
use crate::catalog::skill::InstalledIndex;
use crate::catalog::skill::{CommandIndex, StateWord, documented, state};
use crate::outcome::{Failure, Outcome};
use crate::output::screen::{CAREFUL, FAINT, STATE_GOOD, STRONG, WARNING};
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use clap::Args;
use clap::builder::styling::Style;
use fast_glob::glob_match;
use serde_json::json;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, RuleId, Severity, prose};
use skills_runtime::{Catalog, Diagnostic, Skill};
use skills_session::Dialect as _;
use skills_session::commands::CommandSpec;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    /// Only skills with these words in the id or the description; with `*` or `?`, a pattern for the id
    pattern: Option<String>,
    /// List the slash commands instead
    #[arg(long, conflicts_with = "pattern")]
    commands: bool,
    #[command(flatten)]
    catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills list
  skills list review                          with `review` in the id or the description
  skills list --commands --profile openclaw   the slash commands of a client
  skills list --format json";

impl List {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if self.commands {
            let (catalog, profile) = self.catalog.open(&[], cx)?;
            let commands = profile.commands(&catalog);
            cx.report(&json!({ "commands": commands }))?;
            slash(&commands, cx)?;
            return Ok(Outcome::Done);
        }
        let options = &self.catalog.options;
        let pattern = self.pattern.as_deref();
        let mut loaded = options.load(cx.env)?;
        loaded.diagnostics.extend(nested(&loaded.catalog));
        Diagnostic::sort(&mut loaded.diagnostics);
        let skills = selected(&loaded.catalog, pattern);
        let installed = InstalledIndex::new(&loaded.catalog, cx);
        let commands = CommandIndex::new(&loaded.catalog, options.profile());
        let documents = skills.iter();
        let documents = documents.map(|it| documented(it, &commands, &installed, cx.env));
        let mut diagnostics = loaded.diagnostics.clone();
        for found in &mut diagnostics {
            found.path = cx.env.documented(Path::new(&found.path));
        }
        let documents: Vec<_> = documents.collect();
        cx.report(&json!({ "skills": documents, "diagnostics": diagnostics }))?;
        // The problems of the skills that the pattern names are reported whole.
        let named = skills.iter().map(Skill::name).chain(pattern);
        let named: Vec<&str> = named.filter(|_| pattern.is_some()).collect();
        options.report(&loaded, &named, cx);
        cx.paged(|cx| table(&loaded.catalog, pattern, &installed, cx))?;
        Ok(Outcome::Done)
    }
}

/// Prints slash commands.
pub(crate) fn slash(commands: &[CommandSpec], cx: &mut Ctx) -> Result<(), Failure> {
    let mut table = Table::new(["", ""]);
    for command in commands {
        let hint = command.argument_hint.as_deref().unwrap_or_default();
        let name = one_line(&format!("/{} {hint}", command.name));
        let tool = command.tool.as_ref();
        let tool = tool.map_or_else(String::new, |tool| format!(" (calls {tool})"));
        let description = one_line(&format!("{}{tool}", command.description));
        table.push([name.trim_end().to_owned(), description]);
        table.style_first(if command.scheduled { CAREFUL } else { STRONG });
    }
    table.print(cx)?;
    if commands.is_empty() {
        cx.note("no skill has a slash command here");
    }
    Ok(())
}

/// Returns the skills that a pattern matches; without a pattern, all. The match is case-insensitive.
fn selected<'c>(catalog: &'c Catalog, pattern: Option<&str>) -> Vec<Skill<'c>> {
    let pattern = pattern.unwrap_or_default().to_lowercase();
    let is_glob = pattern.contains(['*', '?']);
    let matches = |entry: &Skill<'_>| {
        let (id, name) = (entry.id().to_lowercase(), entry.name().to_lowercase());
        if is_glob {
            return glob_match(&pattern, &id) || glob_match(&pattern, &name);
        }
        let description = entry.description().to_lowercase();
        let mut words = pattern.split_whitespace();
        words.all(|word| id.contains(word) || description.contains(word))
    };
    catalog.iter().filter(matches).collect()
}

/// Reports the skills in folders of other skills, to explain a missing one.
fn nested(catalog: &Catalog) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for skill in catalog {
        let (Some(folder), Ok(files)) = (skill.folder(), skill.files()) else {
            continue;
        };
        for file in files.iter().filter(|file| file.path.ends_with("/SKILL.md")) {
            let path = folder.join(&*file.path);
            let message = format!(
                "it lies in the folder of the skill `{}`, and is not loaded as a skill",
                folder.file_name().unwrap_or_default().to_string_lossy()
            );
            let nested = Diagnostic::new(
                RuleId::NestedSkill,
                Severity::Warning,
                path.shown(),
                message,
            );
            found.push(nested.help("move it beside that skill's folder"));
        }
    }
    found
}

/// Prints the selected skills as a table, and counts them.
pub(crate) fn table(
    catalog: &Catalog,
    pattern: Option<&str>,
    installed: &InstalledIndex,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    if catalog.iter().next().is_none() {
        cx.warning(prose!(
            "no source has a skill; `skills list --help` lists the folders of skills"
        ));
        return Ok(());
    }
    let entries = selected(catalog, pattern);
    let row = |entry: &Skill<'_>| {
        [
            one_line(&cx.env.shown(Path::new(&*entry.id()))),
            one_line(entry.source()),
            stated(entry, installed),
            one_line(&installed.origin(entry)),
            one_line(entry.description()),
        ]
    };
    if !entries.is_empty() {
        print(entries.iter().map(row).collect(), cx)?;
    }
    let states = entries.iter().map(|entry| StateWord::of(entry));
    cx.note(sum(states, catalog.iter().count()));
    if entries.is_empty() {
        let names = catalog.iter().map(|entry| entry.name());
        let near = pattern.and_then(|pattern| did_you_mean(pattern, names));
        let rank =
            "`skills resolve --rank 'TEXT'` finds the nearest skills; `skills list` lists all";
        cx.note(near.map_or(rank.into(), Prose::from));
    }
    if entries.iter().any(|entry| !entry.is_trusted()) {
        cx.note("`skills trust` shows the untrusted skills, and what to review");
    }
    Ok(())
}

/// Returns the state of a skill, with what is to be known of an installed skill.
fn stated(entry: &Skill<'_>, installed: &InstalledIndex) -> String {
    let pinned = if installed.is_pinned(entry) {
        "pinned"
    } else {
        ""
    };
    state(entry, &[installed.words(entry), pinned])
}

/// Prints the rows. The column of origins appears only if a skill has an origin.
fn print(rows: Vec<[String; 5]>, cx: &mut Ctx) -> Result<(), Failure> {
    if rows.iter().any(|row| !row[3].is_empty()) {
        let mut table = Table::new(["SKILL", "SOURCE", "STATE", "FROM", "DESCRIPTION"]);
        for row in rows {
            table.push(row);
        }
        return table.styled(2, style).most_lines(1).print(cx);
    }
    let mut table = Table::new(["SKILL", "SOURCE", "STATE", "DESCRIPTION"]);
    for [skill, source, state, _, description] in rows {
        table.push([skill, source, state, description]);
    }
    table.styled(2, style).most_lines(1).print(cx)
}

/// Returns the style of a state in words.
fn style(state: &str) -> Style {
    let has = |word: &str| state.starts_with(word);
    if has("untrusted") || has("ineligible") || state.contains("nobody can start it") {
        WARNING
    } else if has("shadowed") || has("disabled") {
        FAINT
    } else {
        STATE_GOOD
    }
}

/// Counts the skills by their state: `3 skills: 2 enabled, 1 untrusted`.
fn sum(states: impl Iterator<Item = StateWord>, all: usize) -> String {
    let mut counts: BTreeMap<StateWord, usize> = BTreeMap::new();
    for state in states {
        *counts.entry(state).or_default() += 1;
    }
    let listed: usize = counts.values().sum();
    let skills = if listed == all {
        counted(all, "skill")
    } else {
        format!("{listed} of {}", counted(all, "skill"))
    };
    let counts = counts
        .iter()
        .map(|(state, count)| format!("{count} {}", state.as_str()));
    match counts.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => skills,
        counts => format!("{skills}: {counts}"),
    }
}
