//! `skills resolve`: what a message means, as a host would see it.

use crate::Outcome;
use crate::arguments::Format;
use crate::envelope;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::layers::CatalogOptions;
use crate::output::Output;
use clap::{Args, ValueEnum};
use serde::Serialize;
use skills_runtime::{Catalog, Mention, Policy, Resolution};
use std::io::{self, IsTerminal as _, Read as _, Write as _};

/// What a message means: the skills that it names, what is told, and what a model is given
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Resolve {
    /// The message; standard input when it is not given
    text: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Where the message comes from
    #[arg(long, value_enum, default_value_t)]
    surface: Surface,
    #[command(flatten)]
    catalog: CatalogOptions,
}

const EXAMPLES: &str = "\
Examples:
  skills resolve '$code-review the parser'
  skills resolve --format json 'please use $code-reveiw'
  git log -1 --format=%B | skills resolve --surface model

A shell replaces $name between double quotes: write the message between single ones.";

/// Where a message comes from.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Surface {
    /// A person typed it to the agent
    #[default]
    User,
    /// A person typed it into a command palette
    Palette,
    /// A model planned with it
    Model,
}

impl From<Surface> for skills_runtime::Surface {
    fn from(surface: Surface) -> Self {
        match surface {
            Surface::User => Self::User,
            Surface::Palette => Self::Palette,
            Surface::Model => Self::Model,
        }
    }
}

impl Resolve {
    pub(crate) fn run(
        &self,
        environment: &Environment,
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        let catalog = self.catalog.catalog(environment, output)?;
        let input;
        let text = if let Some(text) = &self.text {
            text
        } else {
            input = standard_input(output)?;
            &input
        };
        let resolution = catalog.resolve(text, self.surface.into(), &Policy::DEFAULT);
        match self.format {
            Format::Text => print(&catalog, &resolution, output)?,
            Format::Json => output.json(&Document::new(&resolution))?,
        }
        Ok(Outcome::Done)
    }
}

/// Most bytes of a message that are read from standard input.
const MAX_INPUT: u64 = 64 * 1024 * 1024;

fn standard_input(output: &mut Output) -> Result<String, Failure> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        output.note("reading the message from standard input; end it with Ctrl-D");
    }
    let mut bytes = Vec::new();
    stdin
        .lock()
        .take(MAX_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| {
            Failure::failed(
                format_args!("cannot read the message from standard input: {error}"),
                "give the message as an argument",
            )
        })?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(Failure::failed(
            format_args!("the message on standard input is larger than {MAX_INPUT} bytes"),
            "send a shorter one",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::failed(
            format_args!("the message on standard input is no UTF-8 at byte {at}"),
            "send text in UTF-8",
        )
    })
}

/// For people: what is told, the message as it is sent, and what the model is given with it.
fn print(catalog: &Catalog, resolution: &Resolution, output: &mut Output) -> Result<(), Failure> {
    for notice in &resolution.notices {
        writeln!(output, "{}", output.strong(notice))?;
    }
    let task = resolution.task.trim_end_matches('\n');
    write!(output, "{}", output.strong("Task:"))?;
    if !task.is_empty() {
        write!(output, " ")?;
        output.foreign(task)?;
    }
    writeln!(output)?;
    for id in &resolution.activated {
        let Some(entry) = catalog.get(id) else {
            continue;
        };
        let leads = resolution
            .mentions
            .iter()
            .any(|mention| mention.leads && named(mention) == Some(id));
        let arguments = if leads { resolution.task.as_str() } else { "" };
        writeln!(output)?;
        output.foreign(&envelope::activation(&entry, arguments)?)?;
    }
    Ok(())
}

fn named(mention: &Mention) -> Option<&String> {
    match &mention.outcome {
        skills_runtime::Outcome::Found { skill, .. } => Some(skill),
        _ => None,
    }
}

/// `resolve --format json`
#[derive(Serialize)]
struct Document<'r> {
    schema: u32,
    surface: &'static str,
    turn: &'static str,
    mentions: Vec<MentionJson<'r>>,
    activated: &'r [String],
    notices: Vec<String>,
    task: &'r str,
}

impl<'r> Document<'r> {
    fn new(resolution: &'r Resolution) -> Self {
        Self {
            schema: 1,
            surface: resolution.surface.as_str(),
            turn: resolution.turn.as_str(),
            mentions: resolution.mentions.iter().map(MentionJson::new).collect(),
            activated: &resolution.activated,
            notices: resolution.notices.iter().map(ToString::to_string).collect(),
            task: &resolution.task,
        }
    }
}

/// One mention. A field is there only with the outcomes that have it.
#[derive(Default, Serialize)]
struct MentionJson<'r> {
    raw: &'r str,
    start: usize,
    end: usize,
    leads: bool,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<&'r [String]>,
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    use_id: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'r [String]>,
}

impl<'r> MentionJson<'r> {
    fn new(mention: &'r Mention) -> Self {
        use skills_runtime::Outcome;
        let plain = Self {
            raw: &mention.raw,
            start: mention.span.start,
            end: mention.span.end,
            leads: mention.leads,
            outcome: mention.outcome.as_str(),
            ..Self::default()
        };
        match &mention.outcome {
            Outcome::Found { skill, source } => Self {
                skill: Some(skill),
                source: Some(source),
                ..plain
            },
            Outcome::Suggestion { suggestion, .. } => Self {
                suggestion: Some(suggestion),
                ..plain
            },
            Outcome::Ambiguous {
                candidates, use_id, ..
            } => Self {
                candidates: Some(candidates),
                use_id: Some(use_id),
                ..plain
            },
            Outcome::Disabled { skill }
            | Outcome::Untrusted { skill }
            | Outcome::NotInvocable { skill }
            | Outcome::TooMany { skill } => Self {
                skill: Some(skill),
                ..plain
            },
            Outcome::Ineligible { skill, needs } => Self {
                skill: Some(skill),
                needs: Some(needs),
                ..plain
            },
            _ => plain,
        }
    }
}
