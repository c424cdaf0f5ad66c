//! `skills show`: prints whole skills.

use crate::catalog::find;
use crate::catalog::options::CatalogArguments;
use crate::catalog::skill::InstalledIndex;
use crate::catalog::skill::{CommandIndex, body, documented, files, state, trust_digest};
use crate::catalog::skill::{FileJson, digest};
use crate::commands::powers;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::table::print_field;
use crate::output::{Ctx, one_line};
use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use skills_arguments::Schema;
use skills_format::{SKILL_FILE, SkillFile, prose};
use skills_permit::Power;
use skills_runtime::{Catalog, Skill};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The skills, by name or SOURCE:NAME
    #[arg(value_name = "ID", required = true, value_parser = find::given)]
    ids: Vec<String>,
    /// Print only the instructions
    #[arg(long, conflicts_with = "file")]
    body: bool,
    /// Print what the skill may do, with the lines that say so; ID can be the path of a folder of skills, such as ./skills
    #[arg(long, conflicts_with_all = ["body", "file"])]
    powers: bool,
    /// Print only this file of the skill
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    #[command(flatten)]
    pub(super) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills show code-review
  skills show bundled:code-review --body
  skills show code-review --powers
  skills show code-review --file references/checklist.md";

/// `show --format json` of several skills
#[derive(Serialize)]
struct DocumentOfSeveral<'c> {
    skills: &'c [ShownSkill<'c>],
}

#[derive(Serialize)]
struct ShownSkill<'c> {
    #[serde(flatten)]
    skill: Value,
    frontmatter: Box<RawValue>,
    /// The typed arguments, if the skill has an `arguments.schema.json` that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    typed_arguments: Option<Cow<'c, Schema>>,
    /// The reason why the file cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments_fault: Option<String>,
    body: String,
    files: Vec<FileJson>,
    /// The digest over the paths, lengths and digests of the files.
    digest: String,
    /// The digest over every entry of the folder, for `skills trust`; null when the skill needs no trust
    /// or cannot be trusted.
    trust_digest: Option<String>,
    /// The estimated tokens of the body.
    tokens: usize,
    /// What the skill may do, with the lines that say so.
    powers: Vec<Power>,
}

impl Show {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        cx.paged(|cx| self.print(cx))
    }

    fn print(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if let ([folder], true) = (&*self.ids, self.powers)
            && (folder.starts_with(['.', '/', '~']) || folder.contains(['/', '\\']))
        {
            return powers::of_path(Path::new(folder), cx);
        }
        let named: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        let (catalog, profile) = self.catalog.open(&named, cx)?;
        let found = self.ids.iter().map(|id| {
            let found = find::find(&catalog, &find::whole(&catalog, id, cx.env));
            let other = || scheduled(id, &catalog).or_else(|| self.elsewhere(id, cx.env));
            found.map_err(|unknown| other().unwrap_or(unknown))
        });
        let entries = found.collect::<Result<Vec<_>, _>>()?;
        if self.body || self.file.is_some() {
            parts(&entries, self.file.as_deref(), cx)?;
            return Ok(Outcome::Done);
        }
        let installed = InstalledIndex::new(&catalog, cx);
        let commands = CommandIndex::new(&catalog, profile);
        let shown = entries.iter();
        let shown = shown.map(|entry| shown_skill(entry, &commands, &installed, cx.env));
        let shown = shown.collect::<Result<Vec<_>, _>>()?;
        match shown.as_slice() {
            [skill] => cx.report(skill)?,
            skills => cx.report(&DocumentOfSeveral { skills })?,
        }
        for (at, (entry, shown)) in entries.iter().zip(&shown).enumerate() {
            if at > 0 {
                writeln!(cx)?;
            }
            if self.powers {
                let id = one_line(&entry.id());
                writeln!(cx, "{}", cx.strong(id))?;
                powers::print(&shown.powers, cx)?;
                continue;
            }
            summary(entry, &installed, cx)?;
            if !shown.body.trim().is_empty() {
                writeln!(cx)?;
                instructions(entry, cx)?;
            }
        }
        if self.powers {
            cx.note(powers::NOTE);
        }
        Ok(Outcome::Done)
    }

    /// Builds the failure for a skill in a folder that the profile does not read.
    fn elsewhere(&self, id: &str, env: &Environment) -> Option<Failure> {
        let folder = find::folder(id, env).filter(|_| self.catalog.options.is_given())?;
        let (profile, id) = (self.catalog.options.profile().name, one_line(id));
        let fact = prose!("profile '{profile}' has no skill '{id}'");
        Some(Failure::not_so(fact, prose!("it is in {}", &*folder)))
    }
}

fn shown_skill<'c>(
    entry: &Skill<'c>,
    commands: &CommandIndex,
    installed: &InstalledIndex,
    env: &Environment,
) -> Result<ShownSkill<'c>, Failure> {
    let frontmatter = RawValue::from_string(entry.front_matter()).map_err(|error| {
        Failure::failed(
            format_args!("the front matter of '{}' is not JSON: {error}", entry.id()),
            "please report this as a bug, with the skill",
        )
    })?;
    let (typed_arguments, arguments_fault) = match entry.typed_arguments() {
        Ok(schema) => (schema, None),
        Err(error) => (None, Some(format!("{error:#}"))),
    };
    let body = body(entry)?.into_owned();
    let files = files(entry)?;
    Ok(ShownSkill {
        skill: documented(entry, commands, installed, env),
        frontmatter,
        typed_arguments,
        arguments_fault,
        digest: digest(&files).to_string(),
        trust_digest: trust_digest(entry)
            .and_then(Result::ok)
            .map(|digest| digest.to_string()),
        tokens: skills_format::estimate_tokens(&body),
        powers: powers::of_entry(entry).iter().collect(),
        body,
        files,
    })
}

/// Prints the instructions, or a file, of each skill.
fn parts(entries: &[Skill<'_>], file: Option<&str>, cx: &mut Ctx) -> Result<(), Failure> {
    let mut parts = Vec::new();
    for entry in entries {
        let bytes = match file {
            None => body(entry)?.into_owned().into_bytes(),
            Some(path) => {
                let read = entry.read(path).map_err(|error| {
                    Failure::not_so(&error, "`skills show ID` lists the files of a skill")
                });
                read?.into_owned()
            }
        };
        if file.is_some() {
            cx.file(&bytes)?;
        } else {
            cx.foreign(&String::from_utf8_lossy(&bytes))?;
            writeln!(cx)?;
        }
        parts.push(json!({
            "id": entry.id(),
            // Null for the body.
            "file": file,
            "size": bytes.len(),
            // Null when the file is not UTF-8.
            "text": String::from_utf8(bytes).ok(),
        }));
    }
    cx.report(&json!({ "parts": parts }))
}

/// Builds the failure for the name, or the short name, of a scheduled skill. `None` if no scheduled skill has it.
fn scheduled(id: &str, catalog: &Catalog) -> Option<Failure> {
    let is_short = |name: &str| {
        let hash = name
            .strip_prefix(id)
            .and_then(|rest| rest.strip_prefix('-'));
        hash.is_some_and(|hash| hash.len() == 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let mut names = skills_session::scheduled::scheduled(catalog)?.iter();
    names.find(|entry| entry.name() == id || is_short(entry.name()))?;
    let fact = format!(
        "'{}' is a scheduled skill, which is in no list of skills",
        one_line(id)
    );
    Some(Failure::not_so(fact, "see `skills schedule --help`"))
}

/// The width of a label in cells.
const LABEL: usize = 13;

/// The fields that have a line of their own, or are part of the state.
const SHOWN: &[&str] = &[
    "name",
    "description",
    "user-invocable",
    "disable-model-invocation",
];

/// Prints the instructions as formatted text.
pub(crate) fn instructions(entry: &Skill<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    cx.foreign(body(entry)?.trim_end_matches('\n'))?;
    writeln!(cx)?;
    Ok(())
}

/// Prints the front matter, the files and their sizes.
pub(crate) fn summary(
    entry: &Skill<'_>,
    installed: &InstalledIndex,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let id = one_line(&entry.id());
    writeln!(cx, "{}", cx.strong(id))?;
    for (label, value) in typed(entry, cx.env) {
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
            line("pinned", &"`update` skips it", cx)?;
        }
    }
    // Other fields are printed as written.
    let bytes = entry.read(SKILL_FILE).unwrap_or_default();
    let written = SkillFile::read("", "", &bytes).lenient().0;
    let json = written.map_or_else(|| entry.front_matter(), |skill| skill.front_matter_texts());
    let said: Map<String, Value> = serde_json::from_str(&json).unwrap_or_default();
    for (key, value) in said.iter().filter(|(key, _)| !SHOWN.contains(&&***key)) {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Array(items) if items.iter().all(Value::is_string) => {
                let items: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                items.join(", ")
            }
            value => value.to_string(),
        };
        line(key, &text, cx)?;
    }
    print_files(entry, cx)
}

/// Prints each typed argument with what fits.
fn print_arguments(entry: &Skill<'_>, cx: &mut Ctx) -> Result<(), Failure> {
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

fn typed(entry: &Skill<'_>, env: &Environment) -> [(&'static str, String); 5] {
    let fields = entry.fields();
    let place = match entry.folder() {
        Some(path) => env.shown(path),
        None => "in the program".to_owned(),
    };
    let closed_by = fields.closed_by.iter();
    let closed_by: Vec<&str> = closed_by.map(|spelling| spelling.as_str()).collect();
    let written = fields.display_name.as_deref().unwrap_or_default();
    [
        ("written as", written.to_owned()),
        ("description", entry.description().to_owned()),
        ("state", state(entry, &[])),
        ("limited by", closed_by.join("; ")),
        ("source", format!("{}, {place}", entry.source())),
    ]
}

/// Prints the files with their sizes, and the digests.
fn print_files(entry: &Skill<'_>, cx: &mut Ctx) -> Result<(), Failure> {
    let files = files(entry)?;
    for (index, FileJson { path, size, .. }) in files.iter().enumerate() {
        let label = if index == 0 { "files" } else { "" };
        line(label, &format_args!("{path} ({size} bytes)"), cx)?;
    }
    line("digest", &format_args!("{} (in locks)", digest(&files)), cx)?;
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
    print_field(LABEL, label, &value.to_string(), cx)
}
