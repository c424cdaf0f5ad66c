//! `skills list`: lists every skill of every source.

pub(crate) mod everywhere;
pub(crate) mod selection;

use crate::catalog::arguments::CatalogArguments;
use crate::catalog::everywhere::beside;
use crate::catalog::installed::InstalledIndex;
use crate::catalog::options::CatalogOptions;
use crate::catalog::skill::{CommandIndex, SkillJson, StateWord, state};
use crate::commands::list::selection::Selection;
use crate::commands::trust::list::look;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::style::{FAINT, STATE_GOOD, WARNING};
use crate::output::table::Table;
use crate::output::{Format, Output, counted, one_line};
use clap::Args;
use clap::builder::styling::Style;
use serde::Serialize;
use skills_format::disk::is_there;
use skills_format::text::path::PathText as _;
use skills_format::{ARGUMENTS_FILE, Prose, RuleId, command, prose};
use skills_runtime::catalog::Location;
use skills_runtime::options::Plugins;
use skills_runtime::{Catalog, Diagnostic, Entry, ErrorKind, Loaded, Severity};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    #[command(flatten)]
    selection: Selection,
    /// The skills in the folders of every client on this machine: which clients list them, and which copies differ
    #[arg(long, conflicts_with_all = ["source", "in_state", "names", "layers", "no_bundled", "bundled", "disable", "state", "profile"])]
    everywhere: bool,
    /// Print only the ids, one per line
    #[arg(long, conflicts_with = "format")]
    names: bool,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills list
  skills list review                          with `review` in the id or the description
  skills list 'git-*' --source user,project
  skills list --in-state untrusted --names
  skills list --everywhere                    the folders of Claude Code, Codex, OpenCode, ...
  skills list --no-bundled --layer team=../team/skills
  skills list --format json";

/// `list --format json`
#[derive(Serialize)]
struct ListDocument<'c> {
    schema: u32,
    skills: Vec<SkillJson<'c>>,
    diagnostics: Vec<Diagnostic>,
}

impl List {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        if self.everywhere {
            let format = self.catalog.format;
            return everywhere::list(&self.selection, format, environment, output);
        }
        let (selection, options) = self
            .selection
            .with_states_of(&self.catalog.options, environment)?;
        // Again without a state in `--state`: a hint must not repeat the state as a file.
        output.keep_options(options.words());
        let mut loaded = loaded(&options, environment)?;
        selection.check(&loaded.catalog)?;
        if self.catalog.format == Format::Json {
            let commands = CommandIndex::new(&loaded.catalog, options.profile());
            let installed = InstalledIndex::new(&loaded.catalog, environment, output);
            for found in &mut loaded.diagnostics {
                found.path = environment.documented(Path::new(&found.path));
            }
            let plugins = options.profile().mentions.plugins;
            let skills = selection.of(&loaded.catalog, plugins);
            output.json(&ListDocument {
                schema: 1,
                skills: skills
                    .map(|entry| SkillJson::new(entry, &commands, &installed, environment))
                    .collect(),
                diagnostics: loaded.diagnostics,
            })?;
            return Ok(Outcome::Done);
        }
        let shown = selection.patterned(&loaded.catalog, options.profile().mentions.plugins);
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        options.report(&loaded, &shown, environment, output);
        if self.names {
            let plugins = options.profile().mentions.plugins;
            for entry in selection.of(&loaded.catalog, plugins) {
                writeln!(output, "{}", one_line(&entry.id_under(plugins)))?;
            }
            return Ok(Outcome::Done);
        }
        table(&loaded.catalog, &selection, &options, environment, output)?;
        if !options.is_given() {
            report_beside(&loaded.catalog, environment, output);
        }
        Ok(Outcome::Done)
    }
}

/// Reports that other clients have skills that this program does not read.
fn report_beside(catalog: &Catalog, environment: &Environment, output: &mut Output) {
    let beside = beside(catalog, environment);
    let skills: usize = beside.iter().map(|(_, skills)| skills).sum();
    let Some((first, _)) = beside.first() else {
        return;
    };
    let others = match beside.len() - 1 {
        0 => String::new(),
        others => format!(" and {}", counted(others, "other folder")),
    };
    output.hint(prose!(
        "{skills} more in {}{others}: {}",
        environment.shown(first),
        command("list --everywhere")
    ));
}

/// Loads the catalog. Also reports nested skills, to explain a missing skill, and skills that a server
/// leaves out.
fn loaded(options: &CatalogOptions, environment: &Environment) -> Result<Loaded, Failure> {
    let mut loaded = options.load_with(Catalog::builder().thorough(), environment)?;
    let entries = loaded.catalog.iter();
    let over: Vec<Diagnostic> = entries.filter_map(|entry| over_limits(&entry)).collect();
    loaded.diagnostics.extend(over);
    Diagnostic::sort(&mut loaded.diagnostics);
    Ok(loaded)
}

/// Reports a skill over the limits of skills over MCP.
fn over_limits(entry: &Entry<'_>) -> Option<Diagnostic> {
    let Location::Folder(folder) = entry.location() else {
        return None;
    };
    let limit = entry.over_limits()?;
    let message = format!("`{}` is not served over MCP: {limit}", entry.id());
    let path = folder.shown();
    Some(Diagnostic::new(
        RuleId::McpLimits,
        Severity::Warning,
        path,
        message,
    ))
}

/// Prints the selected skills as a table, and counts them.
pub(crate) fn table(
    catalog: &Catalog,
    selection: &Selection,
    options: &CatalogOptions,
    environment: &Environment,
    output: &mut Output,
) -> Result<(), Failure> {
    if catalog.iter().next().is_none() {
        output.warning(prose!(
            "no source has a skill; {} lists the folders of skills",
            options.who_says_where()
        ));
        return Ok(());
    }
    let installed = InstalledIndex::new(catalog, environment, output);
    let plugins = options.profile().mentions.plugins;
    let entries: Vec<Entry<'_>> = selection.of(catalog, plugins).collect();
    let row = |entry: &Entry<'_>| {
        [
            one_line(&environment.shown(Path::new(&*entry.id_under(plugins)))),
            one_line(entry.source().name()),
            stated(entry, plugins, &installed),
            one_line(&installed.origin(entry)),
            arguments(entry),
            one_line(entry.description()),
        ]
    };
    print(&entries.iter().map(row).collect::<Vec<_>>(), output)?;
    let states = entries.iter().map(|entry| StateWord::of(entry, plugins));
    output.note(sum(states, catalog.iter().count()));
    if entries.is_empty() {
        let list = prose!("{} lists all skills", command("list"));
        output.hint(selection.near(catalog).map_or(list, Prose::from));
    }
    let untrusted: Vec<&Entry<'_>> = entries.iter().filter(|entry| !entry.is_trusted()).collect();
    if let Some(first) = untrusted.first() {
        // With a damaged trust file every skill is untrusted, and `skills trust` fails: the hint would be
        // wrong.
        let mut found = Vec::new();
        options.trusted(environment, &mut found)?;
        if !found.is_empty() {
            return Ok(());
        }
        let id = first.id();
        let (are, all) = match untrusted.len() {
            1 => ("is", Prose::default()),
            _ => ("are", prose!(", or all with {}", command("trust --all"))),
        };
        output.hint(prose!(
            "{} {are} untrusted: look with {}, then {}{}",
            counted(untrusted.len(), "skill"),
            look(&id, first.trust()),
            command("trust").word(&id),
            all
        ));
    }
    Ok(())
}

/// Returns the state of a skill, with what is to be known of an installed skill.
fn stated(entry: &Entry<'_>, plugins: Plugins, installed: &InstalledIndex) -> String {
    let pinned = if installed.is_pinned(entry) {
        "pinned"
    } else {
        ""
    };
    state(entry, plugins, &[installed.words(entry), pinned])
}

/// Returns the names of the typed arguments, an optional argument in brackets. Of a schema with a fault the load reports
/// the place.
fn arguments(entry: &Entry<'_>) -> String {
    // Most skills have no schema: one call says so, and to open the folder of the skill takes many.
    if let Location::Folder(folder) = entry.location()
        && !is_there(&folder.join(ARGUMENTS_FILE))
    {
        return String::new();
    }
    let schema = match entry.typed_arguments() {
        Ok(Some(schema)) => schema,
        Err(error) if error.kind() == ErrorKind::Schema => return FAULTY.to_owned(),
        _ => return String::new(),
    };
    let names = schema.arguments.iter().map(|argument| {
        let dots = if argument.is_list { "..." } else { "" };
        if argument.needs_value() {
            format!("{}{dots}", argument.name)
        } else {
            format!("[{}{dots}]", argument.name)
        }
    });
    one_line(&names.collect::<Vec<_>>().join(" "))
}

/// The arguments of a skill whose schema has a fault.
const FAULTY: &str = "faulty: does not start";

/// Prints the rows. The columns of origins and of arguments appear only if a skill has an origin, or typed arguments.
fn print(rows: &[[String; 6]], output: &mut Output) -> Result<(), Failure> {
    let has = |column: usize| {
        rows.iter()
            .any(|row| row.get(column).is_some_and(|it| !it.is_empty()))
    };
    match (rows.is_empty(), has(FROM), has(ARGUMENTS)) {
        (true, ..) => Ok(()),
        (_, false, false) => columns([0, 1, 2, 5], rows, output),
        (_, true, false) => columns([0, 1, 2, FROM, 5], rows, output),
        (_, false, true) => columns([0, 1, 2, ARGUMENTS, 5], rows, output),
        (_, true, true) => columns([0, 1, 2, FROM, ARGUMENTS, 5], rows, output),
    }
}

/// The columns of a row, and those that are shown only if a skill has them.
const HEADS: [&str; 6] = [
    "SKILL",
    "SOURCE",
    "STATE",
    "FROM",
    "ARGUMENTS",
    "DESCRIPTION",
];
const FROM: usize = 3;
const ARGUMENTS: usize = 4;

fn columns<const N: usize>(
    shown: [usize; N],
    rows: &[[String; 6]],
    output: &mut Output,
) -> Result<(), Failure> {
    let heads = shown.map(|column| HEADS.get(column).copied().unwrap_or_default());
    let mut table = Table::new(heads).styled(2, style).most_lines(1);
    for row in rows {
        table.push(shown.map(|column| row.get(column).cloned().unwrap_or_default()));
    }
    table.print(output)
}

/// Returns the style of a state in words.
fn style(state: &str) -> Style {
    let has = |word: &str| state.starts_with(word);
    if has("untrusted") || has("ineligible") || state.contains("closed to everyone") {
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
