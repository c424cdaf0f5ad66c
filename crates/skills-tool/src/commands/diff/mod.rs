//! `skills diff`: what changed between two versions of skills.

mod github;
mod sides;
pub(crate) mod text;

use crate::commands::diff::sides::{Compared, OTHERS, compared};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, add, counted, one_line};
use clap::{Args, ValueEnum};
use serde_json::json;
use skills_host::review::{ChangedKind, compare};
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffCommand {
    /// Git revisions: BASE, BASE..HEAD, or BASE...HEAD from their merge base, and a folder of the repository to
    /// compare only that; or two folders; or the name of a skill
    #[arg(value_name = "BASE[..HEAD] | PATH", num_args = 0..=2)]
    sides: Vec<String>,
    /// Exit with 1 for a widening: if a rule loosens, a skill gains a named power, or any file of a skill or a client
    /// changed, except instructions and pictures. `instructions` and `other` include this. Named powers: the
    /// commands, hosts, packages, files and variables that the text names
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    deny: Vec<Denied>,
    /// The same as `--deny widening`
    #[arg(long, hide = true)]
    deny_widening: bool,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    format: DiffFormat,
}

const EXAMPLES: &str = "\
Examples:
  skills diff                            HEAD with the working tree
  skills diff main...HEAD                what HEAD adds since it left main
  skills diff v1.0 --format markdown     for a comment of at most 60 KB
  skills diff old-folder new-folder      without git
  skills diff code-review                a skill with the version that was installed
  skills diff origin/main..HEAD --deny widening --format github
  skills diff main...HEAD --deny instructions,other    for changes by people you do not know

The meaning of sentences is not judged: a command that only prose mentions counts as changed instructions.";

/// What fails
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// Only a widening
    Widening,
    /// Changed instructions
    Instructions,
    /// Files of the repository that no skill, client or plugin names; only between two commits
    Other,
}

/// The output format of `diff`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For a terminal: about 20 lines a skill, and every line that fails the command
    #[default]
    Text,
    /// Every line
    Full,
    /// For a comment or a job summary: at most 60 KB, the most important changes first
    Markdown,
    /// For programs
    Json,
    /// GitHub annotations, at the lines that gained a power
    Github,
}

/// The most bytes of Markdown: GitHub refuses a comment of more than 65,536 characters.
const MAX_MARKDOWN: usize = 60_000;
/// The most characters of one line of it.
const MAX_LINE: usize = 1_000;

impl DiffCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let Compared {
            old,
            new,
            base,
            head,
            prefix,
            others,
            left_out,
        } = compared(&self.sides, cx.env)?;
        let mut changes = compare(&old, &new);
        changes.beside.extend(others);
        if self.deny.contains(&Denied::Other) && left_out.iter().any(|it| it == OTHERS) {
            return Err(Failure::failed(
                "`--deny other` compares every file of two commits",
                "write two revisions, as in main...HEAD",
            ));
        }
        let left_out = left_out.join(", and ");
        let what = text::summary(&changes, &left_out);
        match self.format {
            DiffFormat::Text | DiffFormat::Full => {
                let lines = text::lines(&changes, &prefix, self.format == DiffFormat::Full);
                for line in &lines {
                    if line.is_denied {
                        writeln!(cx, "{}", cx.careful(&line.text))?;
                    } else {
                        writeln!(cx, "{}", line.text)?;
                    }
                }
                let gap = if lines.is_empty() { "" } else { "\n" };
                writeln!(
                    cx,
                    "{gap}{} to {}: {what}",
                    one_line(&base),
                    one_line(&head)
                )?;
            }
            DiffFormat::Markdown => {
                let lines = text::lines(&changes, &prefix, false);
                write!(
                    cx,
                    "{}",
                    markdown(&lines, &format!("{base} to {head}: {what}"))
                )?;
            }
            DiffFormat::Github => cx.workflow_commands(&github::render(&changes, &prefix))?,
            DiffFormat::Json => {
                let mut document = json!({
                    "base": base,
                    "head": head,
                    // What was left out, in words.
                    "not_compared": left_out,
                    // True if `--deny widening` fails.
                    "widened": !changes.passes(),
                });
                add(&mut document, &changes);
                cx.report(&document)?;
            }
        }
        let is_denied = |kind: &Denied| match kind {
            Denied::Widening => !changes.passes(),
            Denied::Instructions => changes.instructions().0 > 0,
            Denied::Other => {
                let mut beside = changes.beside.iter();
                beside.any(|file| file.kind == ChangedKind::Other)
            }
        };
        let is_widened = (self.deny_widening || !self.deny.is_empty()) && !changes.passes();
        if is_widened || self.deny.iter().any(is_denied) {
            return Ok(Outcome::Findings);
        }
        Ok(Outcome::Done)
    }
}

/// Returns the lines as an indented block of code: foreign text forms no markup, no mention of a person and no link there. What
/// does not fit is counted.
fn markdown(lines: &[text::Line], what: &str) -> String {
    let mut out = format!("## Skills: what changed\n\n    {}\n", one_line(what));
    for (at, line) in lines.iter().enumerate() {
        // One long line leaves room for the next.
        let text: String = line.text.chars().take(MAX_LINE).collect();
        if out.len() + text.len() > MAX_MARKDOWN {
            let left = counted(lines.len() - at, "more line");
            out.extend(["    … ", &left, ": `skills diff` prints them\n"]);
            break;
        }
        out.extend(["    ", &text, "\n"]);
    }
    out.push_str("\n<sub>Named powers are what was found. Changed instructions and code are not judged: read them.</sub>\n");
    out
}
