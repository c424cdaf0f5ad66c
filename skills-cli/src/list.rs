//! `skills list`: every skill of every source.

use crate::Outcome;
use crate::arguments::Format;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::layers::CatalogOptions;
use crate::output::{Output, one_line};
use crate::skill_json::{CommandIndex, SkillJson};
use clap::Args;
use serde::Serialize;
use skills_runtime::{Catalog, Diagnostic, Entry, Plugins};
use std::io::Write as _;

/// Every skill of every source: its state, and what shadows it
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills list
  skills list --no-bundled --layer team=../team/skills
  skills list --format json";

/// `list --format json`
#[derive(Serialize)]
struct Document<'c> {
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
        match self.format {
            Format::Text => {
                let catalog = self.catalog.catalog(environment, output)?;
                text(&catalog, self.catalog.profile().mentions.plugins, output)?;
            }
            Format::Json => {
                let loaded = self.catalog.load(environment)?;
                let commands = CommandIndex::new(&loaded.catalog, self.catalog.profile());
                let skills = loaded.catalog.iter();
                output.json(&Document {
                    schema: 1,
                    skills: skills
                        .map(|entry| SkillJson::new(entry, &commands))
                        .collect(),
                    diagnostics: loaded.diagnostics,
                })?;
            }
        }
        Ok(Outcome::Done)
    }
}

fn text(catalog: &Catalog, plugins: Plugins, output: &mut Output) -> Result<(), Failure> {
    let rows: Vec<[String; 4]> = catalog
        .iter()
        .map(|entry| {
            [
                one_line(&entry.id_under(plugins)),
                one_line(entry.source().name()),
                state(&entry, plugins),
                one_line(entry.description()),
            ]
        })
        .collect();
    if rows.is_empty() {
        output.warning(
            "no skill is in any source; `skills list --help` says where they are looked for",
        );
        return Ok(());
    }
    let heads = ["SKILL", "SOURCE", "STATE", "DESCRIPTION"];
    let widths = [0, 1, 2].map(|column| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .chain(heads.get(column).map(|head| head.len()))
            .max()
            .unwrap_or_default()
    });
    let rest = output.width().map(|width| {
        width
            .saturating_sub(widths.iter().sum::<usize>() + 6)
            .max(20)
    });
    let [skill, source, state] = widths;
    let [a, b, c, d] = heads;
    let head = format!("{a:skill$}  {b:source$}  {c:state$}  {d}");
    writeln!(output, "{}", output.strong(head))?;
    for [id, from, is, description] in rows {
        let description = shortened(&description, rest);
        writeln!(
            output,
            "{id:skill$}  {from:source$}  {is:state$}  {description}"
        )?;
    }
    Ok(())
}

/// What is to be known of a skill's state, in words.
pub(crate) fn state(entry: &Entry<'_>, plugins: Plugins) -> String {
    let mut words = Vec::new();
    if let Some(other) = entry.shadowed_under(plugins) {
        words.push(format!("shadowed by {}", other.id_under(plugins)));
    }
    let missing = entry.missing();
    if !missing.is_empty() {
        words.push(format!("needs {}", missing.join(", ")));
    }
    for (holds, word) in [
        (!entry.is_trusted(), "untrusted"),
        (!entry.is_enabled(), "disabled"),
        (entry.is_sealed(), "sealed"),
        (!entry.is_user_invocable(), "model only"),
        (!entry.is_model_invocable(), "user only"),
    ] {
        if holds {
            words.push(word.to_owned());
        }
    }
    if words.is_empty() {
        words.push("enabled".to_owned());
    }
    words.join(", ")
}

/// The text in at most `width` characters.
fn shortened(text: &str, width: Option<usize>) -> String {
    match width {
        Some(width) if text.chars().count() > width => {
            let cut: String = text.chars().take(width.saturating_sub(1)).collect();
            format!("{}…", cut.trim_end())
        }
        _ => text.to_owned(),
    }
}
