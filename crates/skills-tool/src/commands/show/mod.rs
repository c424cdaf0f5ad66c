//! `skills show`: prints whole skills.

mod part;
mod scheduled;
pub(crate) mod text;

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::catalog::everywhere::{Everywhere, VersionJson};
use crate::catalog::find;
use crate::catalog::installed::InstalledIndex;
use crate::catalog::skill::{CommandIndex, FileJson, SkillJson, body, digest, files, trust_digest};
use crate::commands::powers;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use skills_arguments::Schema;
use skills_format::Power;
use skills_runtime::Entry;
use std::borrow::Cow;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The skills: a name, an alias, or SOURCE:NAME
    #[arg(value_name = "ID", required = true, value_parser = find::given)]
    ids: Vec<String>,
    /// Print only the instructions
    #[arg(long, conflicts_with = "file")]
    body: bool,
    /// Print what the skill may do, with the lines that say so
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
  skills show code-review release-notes
  skills show bundled:code-review --body
  skills show code-review --powers
  skills show code-review --file references/checklist.md";

/// `show --format json` of one skill
#[derive(Serialize)]
struct ShowDocument<'c> {
    #[serde(flatten)]
    skill: ShownSkill<'c>,
}

/// `show --format json` of several skills
#[derive(Serialize)]
struct DocumentOfSeveral<'c> {
    skills: Vec<ShownSkill<'c>>,
}

#[derive(Serialize)]
struct ShownSkill<'c> {
    #[serde(flatten)]
    skill: SkillJson<'c>,
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
    /// The versions of the name in the folders of every client on this machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    versions: Vec<VersionJson<'c>>,
}

impl Show {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        cx.paged(|cx| self.print(cx))
    }

    fn print(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let named: Vec<&str> = self.ids.iter().map(String::as_str).collect();
        let OpenCatalog { catalog, profile } = self.catalog.open(&named, cx)?;
        let entries = self
            .ids
            .iter()
            .map(|id| {
                let found = find::find(&catalog, id);
                found.map_err(|unknown| scheduled::found(id, &catalog).unwrap_or(unknown))
            })
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = &self.file {
            part::files(&entries, path, cx)?;
        } else if self.body {
            part::bodies(&entries, cx)?;
        } else if cx.is_json {
            let around = Around {
                commands: CommandIndex::new(&catalog, profile),
                installed: InstalledIndex::new(&catalog, cx),
                everywhere: everywhere(&entries, cx),
                env: cx.env,
            };
            let shown = entries.iter().map(|entry| shown(entry, &around));
            print_json(shown.collect::<Result<_, _>>()?, cx)?;
        } else if self.powers {
            for (at, entry) in entries.iter().enumerate() {
                if at > 0 {
                    writeln!(cx)?;
                }
                let id = crate::output::one_line(&entry.id());
                writeln!(cx, "{}", cx.strong(id))?;
                powers::print(&powers::of_entry(entry), cx)?;
            }
            cx.note(powers::NOTE);
        } else {
            let plugins = profile.mentions.plugins;
            let installed = InstalledIndex::new(&catalog, cx);
            let everywhere = everywhere(&entries, cx);
            for (at, entry) in entries.iter().enumerate() {
                if at > 0 {
                    writeln!(cx)?;
                }
                text::print(entry, plugins, &installed, cx)?;
                text::print_places(entry.name(), &everywhere, cx)?;
            }
        }
        Ok(Outcome::Done)
    }
}

fn print_json(mut shown: Vec<ShownSkill<'_>>, cx: &mut Ctx) -> Result<(), Failure> {
    if shown.len() != 1 {
        return cx.json(&DocumentOfSeveral { skills: shown });
    }
    match shown.pop() {
        Some(skill) => cx.json(&ShowDocument { skill }),
        None => Ok(()),
    }
}

/// What the documents of skills are made with.
struct Around<'a> {
    commands: CommandIndex,
    installed: InstalledIndex,
    everywhere: Everywhere,
    env: &'a Environment,
}

/// Reads the copies of skills in the folders of every client. A bundled skill can have copies too.
fn everywhere(entries: &[Entry<'_>], cx: &mut Ctx) -> Everywhere {
    let names: Vec<&str> = entries.iter().map(Entry::name).collect();
    Everywhere::of_names(&names, cx)
}

fn shown<'c>(entry: &Entry<'c>, around: &'c Around<'_>) -> Result<ShownSkill<'c>, Failure> {
    let Around {
        commands,
        installed,
        everywhere,
        env,
    } = around;
    let not_json = |error: serde_json::Error| {
        Failure::failed(
            format_args!(
                "the front matter of skill '{}' is not JSON: {error}",
                entry.id()
            ),
            "please report this as a bug, with the skill",
        )
    };
    let values = entry.front_matter_values();
    let frontmatter = RawValue::from_string(values.into_owned()).map_err(not_json)?;
    let (typed_arguments, arguments_fault) = match entry.typed_arguments() {
        Ok(schema) => (schema, None),
        Err(error) => (None, Some(format!("{error:#}"))),
    };
    let body = body(entry)?.into_owned();
    let files = files(entry)?;
    Ok(ShownSkill {
        skill: SkillJson::new(*entry, commands, installed, env),
        frontmatter,
        typed_arguments,
        arguments_fault,
        digest: digest(&files).to_string(),
        trust_digest: trust_digest(entry)
            .and_then(Result::ok)
            .map(|digest| digest.to_string()),
        tokens: skills_format::estimate_tokens(&body),
        powers: powers::of_entry(entry).iter().collect(),
        versions: everywhere
            .of_name(entry.name())
            .map(|version| VersionJson::new(version, everywhere, env))
            .collect(),
        body,
        files,
    })
}
