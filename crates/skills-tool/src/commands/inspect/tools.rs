//! `skills inspect activate`, `complete` and `tools`: what a host does with skills, one step at a time.

use crate::catalog::find;
use crate::catalog::options::CatalogArguments;
use crate::catalog::skill::unreadable;
use crate::input;
use crate::outcome::{Failure, Outcome};
use crate::output::screen::{CAREFUL, STRONG};
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use clap::Args;
use serde_json::{Value, json};
use skills_format::text::command::shell_word;
use skills_runtime::Surface;
use skills_session::Dialect as _;
use skills_session::activation::activate_with;
use skills_session::complete::{Completer, CompletionCandidate};
use skills_session::session::{Answer, call_tool};
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
  skills inspect tools read_skill_resource '{"name":"code-review","path":"references/checklist.md"}'"#;

impl Tools {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let (catalog, profile) = self.catalog.open(&[], cx)?;
        let Some(tool) = &self.tool else {
            let tools = profile.tools(&catalog);
            cx.report(&json!({ "tools": tools }))?;
            if tools.is_empty() {
                cx.note("there are no tools: no skill may be started");
            }
            for tool in &tools {
                writeln!(cx, "{}", cx.strong(&tool.name))?;
                cx.foreign(&tool.description)?;
                writeln!(cx, "\n{:#}\n", tool.parameters)?;
            }
            return Ok(Outcome::Done);
        };
        let arguments = input::given(self.arguments.as_deref(), cx)?;
        let called = call_tool(profile, &catalog, tool, &arguments).map(Answer::into_text);
        let error = called.as_ref().err().map(|error| format!("{error:#}"));
        cx.report(&json!({ "tool": tool, "result": called.as_ref().ok(), "error": error }))?;
        let result = called.map_err(|error| {
            Failure::not_so(
                error.to_string(),
                "`skills inspect tools` shows the tools, `skills list` the skills",
            )
        })?;
        cx.foreign(result.trim_end_matches('\n'))?;
        writeln!(cx)?;
        Ok(Outcome::Done)
    }
}

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Activate {
    /// The skill: its name, another name that its `aliases` give, or SOURCE:NAME
    #[arg(value_parser = find::given)]
    id: String,
    /// The task for the skill; quote a word that contains a space
    arguments: Vec<String>,
    /// A variable that the program fills, such as FILE
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    variable: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
Examples:
  skills inspect activate code-review
  skills inspect activate code-review --variable FILE=src/parser.rs
  skills inspect activate code-review --format json";

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("a variable is NAME=VALUE".to_owned()),
    }
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
        let (catalog, profile) = self.catalog.open(&[&self.id], cx)?;
        let id = find::meant(&catalog, &self.id, profile);
        let entry = catalog
            .find(&id, Surface::User)
            .map_err(|notice| find::refused(&catalog, &notice))?;
        let variables = self.variable.iter().cloned().collect();
        let activation = activate_with(profile, &entry, &task(&self.arguments), &variables)
            .map_err(|error| unreadable(&entry, &error))?;
        let mut document = json!(activation);
        // The tool call that would give `text`; null when the profile has no tool for it.
        document["call"] = activation.exchange().map_or(
            Value::Null,
            |call| json!({ "tool": call.tool, "arguments": call.arguments }),
        );
        cx.report(&document)?;
        cx.foreign(&activation.message())?;
        writeln!(cx)?;
        Ok(Outcome::Done)
    }
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

impl Complete {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let given = input::given(self.text.as_deref(), cx)?;
        let text = match &self.text {
            Some(text) => text,
            None => given.strip_suffix('\n').unwrap_or(&given),
        };
        let cursor = self.cursor.unwrap_or(text.len());
        if !text.is_char_boundary(cursor) {
            let end = text.len();
            return Err(Failure::failed(
                format!("--cursor {cursor}: it is no place between two characters of the text"),
                format!("a cursor is counted in bytes, from 0 to {end}"),
            ));
        }
        // Diagnostics of skills are not reported: a shell would show them between the words that a person
        // types.
        let options = &self.catalog.options;
        let (catalog, profile) = (options.load(cx.env)?.catalog, options.profile());
        let completion = Completer::new(&catalog, profile.clone()).complete(text, cursor);
        let (replace, candidates, left_out) = match completion {
            Some(found) => (Some(found.replace), found.candidates, found.left_out),
            None => (None, Vec::new(), 0),
        };
        let document = json!({
            // Null when nothing can be completed.
            "replace": replace,
            "candidates": candidates,
            "left_out": left_out,
        });
        cx.report(&document)?;
        print_candidates(&candidates, left_out, cx)?;
        Ok(Outcome::Done)
    }
}

/// Prints the candidates. On a terminal a description is shortened to one line.
fn print_candidates(
    candidates: &[CompletionCandidate],
    left_out: usize,
    cx: &mut Ctx,
) -> Result<(), Failure> {
    let mut table = Table::new(["", ""]).most_lines(1);
    for candidate in candidates {
        let off = if candidate.enabled { "" } else { "(off) " };
        let text = one_line(&candidate.text);
        let style = if candidate.scheduled { CAREFUL } else { STRONG };
        table.push([text, format!("{off}{}", one_line(&candidate.description))]);
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
