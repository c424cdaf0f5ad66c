//! `skills inspect activate`, `commands`, `complete` and `tools`: what a host does with skills, one step at a time.

use crate::catalog::find;
use crate::catalog::options::{CatalogArguments, OpenCatalog};
use crate::catalog::skill::unreadable;
use crate::input;
use crate::outcome::{Failure, Outcome};
use crate::output::screen::{CAREFUL, STRONG};
use crate::output::table::Table;
use crate::output::text::hanging;
use crate::output::{Ctx, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_format::Span;
use skills_format::text::command::shell_word;
use skills_profiles::Profile;
use skills_runtime::{Catalog, Surface};
use skills_session::Activation;
use skills_session::Dialect as _;
use skills_session::activation::activate_with;
use skills_session::commands::CommandSpec;
use skills_session::complete::{Completer, CompletionCandidate};
use skills_session::session::call_tool;
use skills_session::session::{Answer, ToolSpec};
use std::borrow::Cow;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = TOOLS_EXAMPLES)]
pub(crate) struct Tools {
    /// The name of a tool to call
    tool: Option<String>,
    /// The arguments of the call; without them, standard input is read
    #[arg(value_name = "JSON")]
    arguments: Option<String>,
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const TOOLS_EXAMPLES: &str = r#"Examples:
  skills inspect tools
  skills inspect tools --format json --profile agenvoy
  skills inspect tools skill '{"name":"code-review","arguments":"the parser"}'
  skills inspect tools list_skills '{"query":"debug"}'
  skills inspect tools read_skill_resource '{"name":"code-review","path":"references/checklist.md"}'"#;

/// `inspect tools --format json`
#[derive(Serialize)]
struct ToolsDocument {
    tools: Vec<ToolSpec>,
}

/// `inspect tools NAME --format json`
#[derive(Serialize)]
struct CallDocument<'t> {
    tool: &'t str,
    /// Null when the call failed.
    result: Option<String>,
    error: Option<String>,
}

impl Tools {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let OpenCatalog { catalog, profile } = self.catalog.open(&[], cx)?;
        if let Some(tool) = &self.tool {
            return self.call(tool, &catalog, profile, cx);
        }
        let tools = profile.tools(&catalog);
        cx.emit(&ToolsDocument { tools }, |document, cx| {
            if document.tools.is_empty() {
                cx.note(
                    "there are no tools: there is no skill that the model or a person may start",
                );
            }
            for tool in &document.tools {
                writeln!(cx, "{}", cx.strong(&tool.name))?;
                cx.foreign(&tool.description)?;
                writeln!(cx, "\n{:#}\n", tool.parameters)?;
            }
            Ok(())
        })?;
        Ok(Outcome::Done)
    }

    fn call(
        &self,
        tool: &str,
        catalog: &Catalog,
        profile: &Profile,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let arguments = input::given(self.arguments.as_deref(), cx)?;
        let called = call_tool(profile, catalog, tool, &arguments);
        let called = called.map(Answer::into_text);
        match (cx.is_json, called) {
            (true, called) => {
                let (result, error) = match called {
                    Ok(result) => (Some(result), None),
                    Err(error) => (None, Some(format!("{error:#}"))),
                };
                let failed = error.is_some();
                cx.json(&CallDocument {
                    tool,
                    result,
                    error,
                })?;
                Ok(Outcome::of(failed))
            }
            (false, Ok(result)) => {
                cx.foreign(result.trim_end_matches('\n'))?;
                writeln!(cx)?;
                Ok(Outcome::Done)
            }
            (false, Err(error)) => Err(Failure::not_so(
                error.to_string(),
                "`skills inspect tools` shows the tools, `skills list` the skills",
            )),
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Activate {
    /// The skill: its name, an alias, or SOURCE:NAME
    #[arg(value_parser = find::given)]
    id: String,
    /// The task for the skill; quote a word that contains a space
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
            .find(&id, Surface::User)
            .map_err(|notice| find::refused(&catalog, &notice))?;
        let variables = self.variable.iter().cloned().collect();
        let activation = activate_with(profile, &entry, &task(&self.arguments), &variables)
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

#[derive(Args, Debug)]
#[command(after_help = SLASH_EXAMPLES)]
pub(crate) struct Commands {
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const SLASH_EXAMPLES: &str = "\
Examples:
  skills inspect commands
  skills inspect commands --profile openclaw --format json";

/// `inspect commands --format json`
#[derive(Serialize)]
struct SlashDocument {
    commands: Vec<CommandSpec>,
}

impl Commands {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let OpenCatalog { catalog, profile } = self.catalog.open(&[], cx)?;
        let commands = profile.commands(&catalog);
        if cx.is_json {
            cx.json(&SlashDocument { commands })?;
        } else {
            print(&commands, cx)?;
        }
        Ok(Outcome::Done)
    }
}

/// Prints the commands, or a note when no command exists.
pub(crate) fn print(commands: &[CommandSpec], cx: &mut Ctx) -> Result<(), Failure> {
    for command in commands {
        line(command, cx)?;
    }
    if commands.is_empty() {
        cx.note("no skill has a slash command here");
    }
    Ok(())
}

/// Prints a command. On a terminal the text is broken at words.
fn line(command: &CommandSpec, cx: &mut Ctx) -> Result<(), Failure> {
    let name = format!("/{}", one_line(&command.name));
    let mut text = name.clone();
    if let Some(hint) = &command.argument_hint {
        text.extend([" ", &one_line(hint)]);
    }
    text.extend([" — ", &one_line(&command.description)]);
    if let Some(tool) = &command.tool {
        text.extend([" (calls ", &one_line(tool), ")"]);
    }
    let lines = hanging(&text, cx.width());
    for (at, line) in lines.iter().enumerate() {
        match line.strip_prefix(&name).filter(|_| at == 0) {
            Some(rest) if command.scheduled => writeln!(cx, "{}{rest}", cx.careful(&name))?,
            Some(rest) => writeln!(cx, "{}{rest}", cx.strong(&name))?,
            None => writeln!(cx, "{line}")?,
        }
    }
    Ok(())
}

#[derive(Args, Debug)]
#[command(after_help = COMPLETE_EXAMPLES)]
pub(crate) struct Complete {
    /// The message typed so far; by default standard input, without its last newline
    text: Option<String>,
    /// The position of the cursor in bytes; the end of the message by default
    #[arg(long, value_name = "N")]
    cursor: Option<usize>,
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const COMPLETE_EXAMPLES: &str = "\
Examples:
  skills inspect complete 'please $cod'
  skills inspect complete '/' --format json
  skills inspect complete '$cod the parser' --cursor 4
  printf '%s' 'please $cod' | skills inspect complete";

/// `inspect complete --format json`
#[derive(Serialize)]
struct CompleteDocument {
    /// Null when nothing can be completed.
    replace: Option<Span>,
    candidates: Vec<CompletionCandidate>,
    /// The number of further candidates.
    left_out: usize,
}

impl Complete {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let given = input::given(self.text.as_deref(), cx)?;
        let text = match &self.text {
            Some(text) => text,
            None => given.strip_suffix('\n').unwrap_or(&given),
        };
        let cursor = self.cursor.unwrap_or(text.len());
        if !text.is_char_boundary(cursor) {
            return Err(no_place(text, cursor));
        }
        // Diagnostics of skills are not reported: a shell would show them between the words that a person
        // types.
        let options = &self.catalog.options;
        let (catalog, profile) = (options.load(cx.env)?.catalog, options.profile());
        let completion = Completer::new(&catalog, profile.clone()).complete(text, cursor);
        let replace = completion.as_ref().map(|completion| completion.replace);
        let left_out = completion
            .as_ref()
            .map_or(0, |completion| completion.left_out);
        let candidates = completion
            .map(|completion| completion.candidates)
            .unwrap_or_default();
        if cx.is_json {
            cx.json(&CompleteDocument {
                replace,
                candidates,
                left_out,
            })?;
        } else {
            print_candidates(&catalog, &candidates, left_out, cx)?;
        }
        Ok(Outcome::Done)
    }
}

/// Builds the failure for a cursor after the end of the text or inside a character.
fn no_place(text: &str, cursor: usize) -> Failure {
    let end = text.len();
    if cursor > end {
        return Failure::failed(
            format_args!("--cursor {cursor}: the text ends at {end}"),
            format_args!("write a number from 0 to {end}"),
        );
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let before = (0..cursor).rev().find(is_boundary).unwrap_or(0);
    let after = (cursor..end).find(is_boundary).unwrap_or(end);
    Failure::failed(
        format_args!("--cursor {cursor}: it is inside a character of the text"),
        format_args!("write {before} or {after}: a cursor is counted in bytes"),
    )
}

/// Prints the candidates. On a terminal a description is shortened to one line.
fn print_candidates(
    catalog: &Catalog,
    candidates: &[CompletionCandidate],
    left_out: usize,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let mut table = Table::new(["", ""]).most_lines(1);
    for candidate in candidates {
        let off = if candidate.enabled { "" } else { "(off) " };
        // The candidate has only the beginning of the description.
        let is_skill = candidate.text.starts_with(['$', '/']);
        let entry = catalog.get(&candidate.skill).filter(|_| is_skill);
        let description = entry.map_or(&*candidate.description, |entry| entry.description());
        let text = one_line(&candidate.text);
        let style = if candidate.scheduled { CAREFUL } else { STRONG };
        table.push([text, format!("{off}{}", one_line(description))]);
        table.style_first(style);
    }
    table.print(cx)?;
    if candidates.is_empty() {
        cx.note("there are no completions");
    }
    if left_out > 0 {
        let more = counted(left_out, "more candidate");
        cx.note(format!("{more}: type more of the name"));
    }
    Ok(())
}
