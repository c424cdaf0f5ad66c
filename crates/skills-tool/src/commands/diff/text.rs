//! A difference for a terminal.

use crate::commands::diff::report::Report;
use crate::commands::powers::in_words;
use crate::outcome::Failure;
use crate::output::{Output, counted, one_line};
use skills_clients::listing::Shown;
use skills_format::PowerKind;
use skills_host::install::FileChange;
use skills_host::review::{
    FieldDifference, Piece, PieceKind, ShownDescription, SkillChange, SkillDifference,
};
use std::io::Write as _;

pub(super) fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    for (path, what) in report.loosened() {
        let line = format!("! {} {}", one_line(path), one_line(&what));
        writeln!(output, "{}", output.careful(line))?;
    }
    if let Some(unread) = report.unread() {
        writeln!(output, "{}", output.careful(format!("? {unread}")))?;
    }
    for (at, skill) in report.skills.iter().enumerate() {
        if at > 0 {
            writeln!(output)?;
        }
        one(skill, output)?;
    }
    let widened = report
        .skills
        .iter()
        .filter(|skill| skill.is_widened())
        .count();
    let count = report.skills.len();
    let what = match (count, widened) {
        (0, _) => "no skill differs".to_owned(),
        (_, 0) => format!("{} changed, no power gained", counted(count, "skill")),
        _ => format!(
            "{} changed, {widened} gained powers",
            counted(count, "skill")
        ),
    };
    writeln!(
        output,
        "{}{} to {}: {what}",
        if count > 0 { "\n" } else { "" },
        one_line(&report.base),
        one_line(&report.head)
    )?;
    Ok(())
}

/// Describes the change of a skill: `changed`, `renamed from x`.
pub(super) fn head(skill: &SkillDifference) -> String {
    match skill.change {
        SkillChange::Added => "added".to_owned(),
        SkillChange::Removed => "removed".to_owned(),
        SkillChange::Renamed => {
            let before = skill.old_name.as_ref().or(skill.old_folder.as_ref());
            format!("renamed from {}", before.map_or("", String::as_str))
        }
        _ => "changed".to_owned(),
    }
}

fn one(skill: &SkillDifference, output: &mut Output) -> Result<(), Failure> {
    let name = one_line(&skill.name);
    writeln!(
        output,
        "{}: {}",
        output.strong(name),
        one_line(&head(skill))
    )?;
    for power in &skill.powers.gained {
        let words = one_line(&in_words(power));
        let what = change_of(power.kind, "gained", "lost restraint");
        let line = format!("  ! {what}: {words}");
        writeln!(output, "{}", output.careful(line))?;
    }
    for power in &skill.powers.lost {
        let what = change_of(power.kind, "lost", "added restraint");
        writeln!(output, "  {what}: {}", one_line(&power.text))?;
    }
    for power in &skill.powers.moved {
        writeln!(
            output,
            "  moved {}: {}",
            power.kind.as_str(),
            one_line(&in_words(power))
        )?;
    }
    if skill.change == SkillChange::Removed {
        return Ok(());
    }
    if !skill.description.is_empty() {
        writeln!(
            output,
            "  description: {}",
            one_line(&words(&skill.description))
        )?;
    }
    for line in clients(skill) {
        writeln!(output, "  {}", one_line(&line))?;
    }
    for field in &skill.fields {
        let line = format!(
            "{}{}: {}",
            field.key,
            field_change(field),
            words(&field.pieces)
        );
        writeln!(output, "  {}", one_line(line.trim_end()))?;
    }
    let [before, after] = skill.tokens;
    for section in skill
        .instructions
        .iter()
        .filter(|_| skill.change != SkillChange::Added)
    {
        let heading = if section.heading.is_empty() {
            "instructions"
        } else {
            section.heading.as_str()
        };
        writeln!(
            output,
            "  {}: {}",
            one_line(heading),
            one_line(&words(&section.pieces))
        )?;
    }
    if before != after {
        writeln!(output, "  tokens: {before} to {after}")?;
    }
    for file in &skill.files {
        let what = match file.change {
            FileChange::Added => "added",
            FileChange::Removed => "removed",
            _ => "changed",
        };
        writeln!(output, "  file {what}: {}", one_line(&file.path))?;
    }
    Ok(())
}

/// Returns the words for a field that only one side has.
pub(super) const fn field_change(field: &FieldDifference) -> &'static str {
    match (field.was_there, field.is_there) {
        (false, _) => " (added)",
        (_, false) => " (removed)",
        _ => "",
    }
}

/// Says where clients cut the new description, one line for the clients that cut it alike.
pub(super) fn clients(skill: &SkillDifference) -> Vec<String> {
    const END: usize = 40;
    let mut alike: Vec<(&ShownDescription, Vec<&str>)> = Vec::new();
    for client in &skill.clients {
        match alike
            .iter_mut()
            .find(|(known, _)| known.text == client.text)
        {
            Some((_, names)) => names.push(&client.client),
            None => alike.push((client, vec![&client.client])),
        }
    }
    let [_, after] = &skill.descriptions;
    let whole = after.as_ref().map_or(0, |text| text.chars().count());
    let line = |(shown, names): (&ShownDescription, Vec<&str>)| {
        let end: String = shown
            .text
            .chars()
            .skip(shown.characters.saturating_sub(END))
            .collect();
        let what = match shown.shown {
            Shown::Gone => "the skill is left out".to_owned(),
            _ if end.is_empty() => "no description is shown".to_owned(),
            _ => format!(
                "{} of {whole} characters are shown, to `{end}`",
                shown.characters
            ),
        };
        format!("in {}: {what}", names.join(", "))
    };
    alike.into_iter().map(line).collect()
}

/// Formats pieces with marks for words that were removed and added.
fn words(pieces: &[Piece]) -> String {
    let words = pieces.iter().map(|piece| match piece.kind {
        PieceKind::Removed => format!("[-{}-]", piece.text),
        PieceKind::Added => format!("{{+{}+}}", piece.text),
        _ => piece.text.clone(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the change of a power with its kind. Losing a restraint is a gain of power, so restraints have words of their own.
fn change_of(kind: PowerKind, change: &str, of_restraint: &str) -> String {
    if kind == PowerKind::Restraints {
        of_restraint.to_owned()
    } else {
        format!("{change} {}", kind.as_str())
    }
}
