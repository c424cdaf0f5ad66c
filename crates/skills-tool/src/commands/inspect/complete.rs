//! `skills inspect complete`: the completions at the cursor.

use crate::catalog::arguments::CatalogArguments;
use crate::input;
use crate::outcome::{Failure, Outcome};
use crate::output::style::{CAREFUL, STRONG};
use crate::output::table::Table;
use crate::output::{Ctx, counted, one_line};
use clap::Args;
use serde::Serialize;
use skills_runtime::Catalog;
use skills_runtime::resolve::Span;
use skills_session::complete::{Completer, CompletionCandidate};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Complete {
    /// The message, as far as it is typed; without it, standard input is read, without its last line feed
    text: Option<String>,
    /// The position of the cursor in bytes; the end of the message by default
    #[arg(long, value_name = "N")]
    cursor: Option<usize>,
    #[command(flatten)]
    pub(crate) catalog: CatalogArguments,
}

const EXAMPLES: &str = "\
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
        options.report_disabled(&catalog, cx);
        let completion = Completer::new(&catalog, profile).complete(text, cursor);
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
            print(&catalog, &candidates, left_out, cx)?;
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
fn print(
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
