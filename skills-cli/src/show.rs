//! `skills show`: one skill, whole.

use crate::Outcome;
use crate::arguments::Format;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::id;
use crate::layers::CatalogOptions;
use crate::output::{Output, one_line};
use crate::show_text;
use crate::skill_json::{CommandIndex, SkillJson};
use clap::Args;
use serde::Serialize;
use serde_json::value::RawValue;
use skills_format::Digest;
use skills_runtime::{Catalog, Entry, Policy, Surface};
use std::io::Write as _;

/// One skill: its fields, its files, its instructions
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// Its name, or SOURCE:NAME
    #[arg(value_parser = id::given)]
    id: String,
    /// Print only the instructions
    #[arg(long, conflicts_with_all = ["file", "format"])]
    body: bool,
    /// Print only this file of the skill
    #[arg(long, value_name = "PATH", conflicts_with = "format")]
    file: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills show code-review
  skills show bundled:code-review --body
  skills show code-review --file references/checklist.md";

/// `show --format json`
#[derive(Serialize)]
struct Document<'c> {
    schema: u32,
    #[serde(flatten)]
    skill: SkillJson<'c>,
    frontmatter: Box<RawValue>,
    body: &'c str,
    files: Vec<FileJson>,
    /// Over the paths, lengths and digests of the files.
    digest: String,
    /// An estimate for the body.
    tokens: usize,
}

#[derive(Serialize)]
pub(crate) struct FileJson {
    pub(crate) path: String,
    pub(crate) size: u64,
    sha256: String,
    #[serde(skip)]
    digest: Digest,
}

impl Show {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let catalog = self.catalog.catalog(environment, output)?;
        let entry = find(&catalog, &self.id)?;
        if let Some(path) = &self.file {
            let bytes = entry.read(path).map_err(|error| {
                Failure::not_so(
                    error,
                    format_args!("`skills show {}` lists its files", entry.id()),
                )
            })?;
            output.write_all(&bytes)?;
        } else if self.body {
            output.foreign(&body(&entry)?)?;
            writeln!(output)?;
        } else if self.format == Format::Json {
            let commands = CommandIndex::new(&catalog, self.catalog.profile());
            json(&entry, &commands, output)?;
        } else {
            let plugins = self.catalog.profile().mentions.plugins;
            show_text::print(&entry, plugins, environment, output)?;
        }
        Ok(Outcome::Done)
    }
}

/// The skill of a name, an alias or a qualified id; else a failure that says what is near.
pub(crate) fn find<'c>(catalog: &'c Catalog, id: &str) -> Result<Entry<'c>, Failure> {
    if let Some(entry) = catalog.get(id) {
        return Ok(entry);
    }
    let same: Vec<Entry<'_>> = catalog.named(id).chain(catalog.aliased(id)).collect();
    if let [entry] = same[..] {
        return Ok(entry);
    }
    // Of untrusted ones none answers to the name alone, and one has it as its id.
    if let Some(entry) = same.iter().find(|entry| entry.id() == id) {
        return Ok(*entry);
    }
    let asked = one_line(id);
    if !same.is_empty() {
        let ids: Vec<String> = same.iter().map(Entry::qualified_id).collect();
        return Err(Failure::not_so(
            format_args!("several skills are called '{asked}': {}", ids.join(", ")),
            "name one of them by its SOURCE:NAME",
        ));
    }
    let resolution = catalog.resolve(&format!("${id}"), Surface::User, &Policy::DEFAULT);
    let near = resolution
        .mentions
        .into_iter()
        .next()
        .map(|mention| mention.outcome);
    let near = match near {
        Some(skills_runtime::Outcome::Suggestion { suggestion, .. }) => vec![suggestion],
        Some(skills_runtime::Outcome::Ambiguous { candidates, .. }) => candidates.to_vec(),
        _ => Vec::new(),
    };
    let fact = format!("no skill has the id '{asked}'");
    Err(if near.is_empty() {
        Failure::not_so(fact, "`skills list` shows those there are")
    } else {
        Failure::not_so(fact, format_args!("near it: {}", near.join(", ")))
    })
}

pub(crate) fn body<'c>(entry: &Entry<'c>) -> Result<std::borrow::Cow<'c, str>, Failure> {
    entry
        .body()
        .map_err(|error| Failure::unreadable(&entry.id(), &error))
}

fn json(entry: &Entry<'_>, commands: &CommandIndex, output: &mut Output) -> Result<(), Failure> {
    let frontmatter =
        RawValue::from_string(entry.front_matter().into_owned()).map_err(|error| {
            Failure::failed(
                format_args!(
                    "the front matter of skill '{}' is no JSON: {error}",
                    entry.id()
                ),
                "report this, please, with the skill",
            )
        })?;
    let body = body(entry)?;
    let files = files(entry)?;
    output.json(&Document {
        schema: 1,
        skill: SkillJson::new(*entry, commands),
        frontmatter,
        body: &body,
        digest: digest(&files).to_string(),
        tokens: skills_format::estimate_tokens(&body),
        files,
    })
}

/// Over the paths, lengths and digests of the files.
pub(crate) fn digest(files: &[FileJson]) -> Digest {
    let mut digested: Vec<_> = files
        .iter()
        .map(|file| (file.path.as_str(), file.size, file.digest))
        .collect();
    digested.sort_by(|(a, ..), (b, ..)| a.as_bytes().cmp(b.as_bytes()));
    Digest::of_files(digested)
}

/// Every file with its size and digest, the `SKILL.md` first.
pub(crate) fn files(entry: &Entry<'_>) -> Result<Vec<FileJson>, Failure> {
    let resources = entry
        .resources()
        .map_err(|error| Failure::unreadable(&entry.id(), &error))?;
    std::iter::once("SKILL.md".to_owned())
        .chain(resources.into_iter().map(|resource| resource.path))
        .map(|path| {
            let bytes = entry
                .read(&path)
                .map_err(|error| Failure::unreadable(&entry.id(), &error))?;
            let digest = Digest::of(&bytes);
            Ok(FileJson {
                size: bytes.len() as u64,
                sha256: digest.to_string(),
                digest,
                path,
            })
        })
        .collect()
}
