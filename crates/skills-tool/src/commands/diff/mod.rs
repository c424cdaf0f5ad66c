//! `skills diff`: what changed between two versions of skills.

mod sides;
pub(crate) mod text;

use crate::commands::diff::sides::{Compared, OTHERS, compared};
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, add, counted, one_line};
use clap::{Args, ValueEnum};
use serde_json::json;
use skills_format::{Diagnostic, RuleId, Severity, join};
use skills_host::review::{ChangedFile, ChangedKind, Changes, compare};
use skills_lint::render;
use skills_permit::PowerKind;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffCommand {
    /// Git revisions: BASE, BASE..HEAD, or BASE...HEAD from their merge base, and a folder of the repository to
    /// compare only that; or two folders; or the name of a skill
    #[arg(value_name = "BASE[..HEAD] | PATH", num_args = 0..=2)]
    sides: Vec<String>,
    /// Exit with 1 for a widening: a skill is allowed more (tools, hooks, fewer limits), gains a named power, or a file of a
    /// skill or a client's plugin changed, except instructions and pictures. `instructions` and `other` include this.
    /// Named powers: the commands, hosts, packages, files and variables that the text names
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
    /// For a comment or a job summary: at most 60 KB, then how many lines are left
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
        let what = format!("from {} to {}: {what}", one_line(&base), one_line(&head));
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
                writeln!(cx, "{gap}{what}")?;
            }
            DiffFormat::Markdown => {
                let lines = text::lines(&changes, &prefix, false);
                write!(cx, "{}", markdown(&lines, &what))?;
            }
            DiffFormat::Github => cx.workflow_commands(&github(&changes, &prefix))?,
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
        let is_other = |file: &ChangedFile| file.kind == ChangedKind::Other;
        let is_denied = |kind: &Denied| match kind {
            Denied::Widening => !changes.passes(),
            Denied::Instructions => changes.instructions().0 > 0,
            Denied::Other => changes.beside.iter().any(is_other),
        };
        let is_widened = (self.deny_widening || !self.deny.is_empty()) && !changes.passes();
        Ok(Outcome::of(is_widened || self.deny.iter().any(is_denied)))
    }
}

/// Returns the lines as an indented block of code: foreign text forms no markup, no mention of a person and no link there. What
/// does not fit is counted.
fn markdown(lines: &[text::Line], what: &str) -> String {
    let mut out = format!("## Skills: what changed\n\n    {what}\n");
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

pub(super) fn github(changes: &Changes, prefix: &str) -> String {
    let finding = |path: String, message: String, is_denied: bool| {
        let severity = if is_denied {
            Severity::Warning
        } else {
            Severity::Info
        };
        Diagnostic::new(RuleId::PowersWidened, severity, path, message)
    };
    let file = |file: &ChangedFile, folder: &str| {
        let path = match file.kind {
            ChangedKind::Listed | ChangedKind::Moved => join(folder, "SKILL.md"),
            _ => join(folder, &file.path),
        };
        let message = format!("{}; not judged: read the change", file.note);
        finding(path, message, file.denied)
    };
    let mut found: Vec<Diagnostic> = changes.beside.iter().map(|it| file(it, prefix)).collect();
    for skill in &changes.skills {
        let folder = join(prefix, &skill.folder);
        for power in skill.loosened.iter().chain(&skill.gained) {
            let is_restraint = power.kind == PowerKind::Restraints;
            let what = if is_restraint {
                "lost the limit"
            } else {
                "gained a power"
            };
            let message = format!(
                "`{}` {what}: {}: {}",
                skill.name,
                power.kind.label(),
                power.text
            );
            // The place of a lost restraint is a line of the old version.
            let place = power.places.first().filter(|_| !is_restraint);
            let (path, line) = place.map_or(("SKILL.md", 1), |place| {
                (place.path.as_str(), place.line.max(1))
            });
            found.push(finding(join(&folder, path), message, true).on_line(line));
        }
        for field in skill.fields.iter().filter(|field| field.denied) {
            let message = format!(
                "`{}` changed the field `{}`, which is not judged",
                skill.name, field.key
            );
            found.push(finding(join(&folder, "SKILL.md"), message, true));
        }
        found.extend(skill.changed.iter().map(|it| file(it, &folder)));
    }
    render::github(&found)
}
