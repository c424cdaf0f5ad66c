//! A difference as Markdown, for a comment or the summary of a job.

use crate::commands::diff::report::Report;
use crate::commands::diff::text::{clients, field_change, head};
use crate::commands::powers::place;
use skills_format::{Power, PowerKind};
use skills_host::install::FileChange;
use skills_host::review::{Piece, PieceKind, SkillChange, SkillDifference};
use std::fmt::Write as _;

/// The most bytes of the text: GitHub refuses a comment of more than 65,536 characters.
const MAX: usize = 60_000;
/// The most bytes that the words of one skill take, so that one skill does not push out the others.
const MAX_SKILL: usize = 12_000;

/// The most lines of one list, and the most characters of one name or power.
const MOST_LINES: usize = 40;
const MOST_CHARACTERS: usize = 200;

/// Renders a report. What does not fit is counted at the end, never left out in silence.
pub(super) fn render(report: &Report) -> String {
    let widened = report
        .skills
        .iter()
        .filter(|skill| skill.is_widened())
        .count();
    let mut out = String::from("## Skills: what changed\n\n");
    let _ = writeln!(out, "{} to {}.", code(&report.base), code(&report.head));
    out.push('\n');
    let loosened = report.loosened();
    let unread = report.unread();
    if let Some(unread) = &unread {
        let _ = writeln!(out, "_{}._\n", escaped(&unread.replace('`', "\"")));
    }
    if report.skills.is_empty() && loosened.is_empty() {
        out.push_str("No skill differs.\n");
        return out;
    }
    for (path, what) in loosened.iter().take(MOST_LINES) {
        let what = escaped(&what.replace('`', "\""));
        let _ = writeln!(out, "**{} {what}.**\n", code(path));
    }
    if loosened.len() > MOST_LINES {
        let more = loosened.len() - MOST_LINES;
        let _ = writeln!(
            out,
            "**And {more} more locks, links and submodules: `skills diff` shows them.**\n"
        );
    }
    let _ = match widened {
        0 => writeln!(out, "**No skill gained a power.**\n"),
        1 => writeln!(out, "**1 skill gained powers. Read its lines first.**\n"),
        count => writeln!(
            out,
            "**{count} skills gained powers. Read their lines first.**\n"
        ),
    };
    if !report.skills.is_empty() {
        overview(report, &mut out);
    }
    let mut left = 0;
    for skill in &report.skills {
        // The last line must still fit. Fewer lines of a skill are better than none.
        let mut texts = [MOST_LINES, 10, 3]
            .into_iter()
            .map(|most| one(skill, &report.prefix, most));
        match texts.find(|text| out.len() + text.len() + 200 <= MAX) {
            Some(text) => out.push_str(&text),
            None => left += 1,
        }
    }
    if left > 0 {
        let _ = writeln!(
            out,
            "\n_{left} more of the skills above do not fit here: `skills diff` shows them._"
        );
    }
    out.push_str(
        "\n<sub>Powers are read from the text of the files: a reading, not a proof.</sub>\n",
    );
    out
}

/// Lists the skills in a table, with the numbers of what changed.
fn overview(report: &Report, out: &mut String) {
    const MOST: usize = 100;
    out.push_str("| skill | change | gained | lost | tokens |\n|---|---|---:|---:|---:|\n");
    for skill in report.skills.iter().take(MOST) {
        let [before, after] = skill.tokens;
        let tokens = if before == after {
            "0".to_owned()
        } else {
            format!("{:+}", after as i128 - before as i128)
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {tokens} |",
            code(&skill.name),
            escaped(&head(skill)),
            skill.powers.gained.len(),
            skill.powers.lost.len(),
        );
    }
    if report.skills.len() > MOST {
        let _ = writeln!(out, "\n_and {} more skills._", report.skills.len() - MOST);
    }
    out.push('\n');
}

/// Describes one skill, with at most `most` lines of each list.
fn one(skill: &SkillDifference, prefix: &str, most: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "### {} {}\n", code(&skill.name), escaped(&head(skill)));
    powers("Gained", &skill.powers.gained, most, &mut out);
    powers("Lost", &skill.powers.lost, most, &mut out);
    powers("Moved to another file", &skill.powers.moved, most, &mut out);
    if skill.change == SkillChange::Removed {
        return out;
    }
    if !skill.description.is_empty() {
        let _ = writeln!(
            out,
            "**Description.** {}\n",
            words(&skill.description, MAX_SKILL / 4)
        );
    }
    for line in clients(skill) {
        let _ = writeln!(out, "Description {}.\n", escaped(&line.replace('`', "\"")));
    }
    fields(skill, most, &mut out);
    if skill.change != SkillChange::Added {
        sections(skill, &mut out);
    }
    if !skill.files.is_empty() {
        let files = skill.files.iter().take(most).map(|file| {
            let what = match file.change {
                FileChange::Added => "added",
                FileChange::Removed => "removed",
                _ => "changed",
            };
            format!("{} {what}", code(&file.path))
        });
        let files: Vec<String> = files.collect();
        let more = skill.files.len().saturating_sub(most);
        let more = if more > 0 {
            format!(", and {more} more")
        } else {
            String::new()
        };
        let _ = writeln!(out, "**Files.** {}{more}\n", files.join(", "));
    }
    if let [before, Some(after)] = &skill.digests {
        let short = |digest: &str| {
            digest
                .trim_start_matches("sha256:")
                .get(..12)
                .unwrap_or_default()
                .to_owned()
        };
        let before = before
            .as_ref()
            .map_or_else(String::new, |before| format!("`{}` to ", short(before)));
        let _ = writeln!(
            out,
            "<sub>{}: {before}`{}`</sub>\n",
            escaped(&skills_format::join(prefix, &skill.folder)),
            short(after)
        );
    }
    out
}

fn fields(skill: &SkillDifference, most: usize, out: &mut String) {
    for field in skill.fields.iter().take(most) {
        let _ = writeln!(
            out,
            "{}{}: {}\n",
            code(&field.key),
            field_change(field),
            words(&field.pieces, MAX_SKILL / 4)
        );
    }
    if skill.fields.len() > most {
        let _ = writeln!(
            out,
            "_{} more fields changed._\n",
            skill.fields.len() - most
        );
    }
}

fn powers(title: &str, powers: &[Power], most: usize, out: &mut String) {
    if powers.is_empty() {
        return;
    }
    let _ = writeln!(out, "**{title}**\n");
    for power in powers.iter().take(most) {
        let places: Vec<String> = power
            .places
            .iter()
            .take(3)
            .map(|at| code(&place(at)))
            .collect();
        let places = if places.is_empty() {
            String::new()
        } else {
            format!(" at {}", places.join(", "))
        };
        let kind = match (power.kind, title) {
            (PowerKind::Restraints, "Gained") => "lost restraint",
            (PowerKind::Restraints, "Lost") => "added restraint",
            (kind, _) => kind.as_str(),
        };
        let _ = writeln!(out, "- {kind}: {}{places}", code(&power.text));
    }
    if powers.len() > most {
        let _ = writeln!(out, "- and {} more", powers.len() - most);
    }
    out.push('\n');
}

fn sections(skill: &SkillDifference, out: &mut String) {
    let mut left = 0;
    let from = out.len();
    for section in &skill.instructions {
        if out.len() - from > MAX_SKILL {
            left += 1;
            continue;
        }
        let heading = if section.heading.is_empty() {
            "Instructions"
        } else {
            section.heading.as_str()
        };
        let _ = writeln!(
            out,
            "**{}.** {}\n",
            escaped(heading),
            words(&section.pieces, MAX_SKILL / 4)
        );
    }
    if left > 0 {
        let _ = writeln!(out, "_{left} more sections changed._\n");
    }
}

/// Formats words: removed ones struck through, added ones bold. At most `most` bytes, and it says when it cuts.
fn words(pieces: &[Piece], most: usize) -> String {
    let mut out = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        let text: String = piece
            .text
            .chars()
            .take(most.saturating_sub(out.len()))
            .collect();
        let is_cut = text.len() < piece.text.len();
        if at > 0 {
            out.push(' ');
        }
        let text = escaped(text.trim());
        let _ = match piece.kind {
            PieceKind::Removed => write!(out, "<del>{text}</del>"),
            PieceKind::Added => write!(out, "<ins>{text}</ins>"),
            _ => write!(out, "{text}"),
        };
        if is_cut {
            out.push_str(" _… (cut)_");
            break;
        }
    }
    out
}

/// Escapes foreign text: it forms no markup, no mention of a person, no issue and no link.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // GitHub looks for mentions in the rendered text, where an entity is the character itself again; it looks
            // at each element by itself. A joiner without width would be hidden text.
            '@' | '#' => {
                let _ = write!(out, "<span>{c}</span>");
            }
            // `www.` alone makes a link.
            '.' if out.ends_with(['w', 'W']) => out.push_str("\\."),
            ':' => out.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '(' | ')' | '+' | '-' | '!' | '|'
            | '~' | '$' | '=' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(skills_format::text::control::shown(c)),
        }
    }
    out
}

/// Formats text as code, cut with `…` after [`MOST_CHARACTERS`]. Code that holds a backtick gets longer marks.
fn code(text: &str) -> String {
    let mut text: String = text
        .chars()
        .map(skills_format::text::control::shown)
        .collect();
    if let Some((end, _)) = text.char_indices().nth(MOST_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
    let text = text.replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{marks}{space}{text}{space}{marks}")
}
