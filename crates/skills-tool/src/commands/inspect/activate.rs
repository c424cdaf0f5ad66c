//! `skills inspect activate`: prints the text that enters the conversation when a skill starts.

use crate::catalog::arguments::{CatalogArguments, OpenCatalog};
use crate::catalog::find;
use crate::catalog::skill::unreadable;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::Args;
use serde::Serialize;
use skills_format::text::command::shell_word;
use skills_runtime::Surface;
use skills_session::Activation;
use std::borrow::Cow;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Activate {
    /// The skill: its name, an alias, or SOURCE:NAME
    #[arg(value_parser = find::given)]
    id: String,
    /// The task for the skill; of several words, a word with a space is quoted
    arguments: Vec<String>,
    /// A variable of the host, such as FILE
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    variable: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills inspect activate code-review
  skills inspect activate code-review src/parser.rs and its tests
  skills inspect activate code-review --variable FILE=src/parser.rs
  skills inspect activate code-review --format json";

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a variable is NAME=VALUE".to_owned()),
    }
}

/// `inspect activate --format json`
#[derive(Serialize)]
struct ActivateDocument {
    #[serde(flatten)]
    activation: Activation,
    /// The tool call that would give `text`; null when the profile has no tool for it.
    call: Option<ToolCall>,
}

#[derive(Serialize)]
struct ToolCall {
    tool: String,
    arguments: String,
}

/// Joins the words of a task. A single word is the task unchanged.
fn task(words: &[String]) -> Cow<'_, str> {
    if let [task] = words {
        return task.into();
    }
    let quoted = words.iter().map(|word| {
        let is_plain = !word.is_empty() && !word.contains(char::is_whitespace);
        if is_plain {
            word.clone()
        } else {
            shell_word(word)
        }
    });
    quoted.collect::<Vec<_>>().join(" ").into()
}

impl Activate {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let OpenCatalog { catalog, profile } = self.catalog.open(&[&self.id], cx)?;
        let id = find::meant(&catalog, &self.id, profile);
        let entry = catalog
            .find(&id, Surface::User, profile.mentions.plugins)
            .map_err(|notice| find::refused(&catalog, &notice))?;
        let variables = self.variable.iter().cloned().collect();
        let activation = profile
            .activate_with(&entry, &task(&self.arguments), &variables)
            .map_err(|error| unreadable(&entry, &error))?;
        if cx.is_json {
            cx.json(&ActivateDocument {
                call: activation.exchange().map(|exchange| ToolCall {
                    tool: exchange.tool,
                    arguments: exchange.arguments,
                }),
                activation,
            })?;
        } else {
            cx.foreign(&activation.message())?;
            writeln!(cx)?;
        }
        Ok(Outcome::Done)
    }
}
