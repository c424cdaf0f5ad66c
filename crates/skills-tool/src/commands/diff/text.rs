//! A difference as lines: rules, named powers, and what changed and is not judged.

use crate::commands::powers::in_words;
use crate::output::{counted, one_line};
use skills_format::join;
use skills_host::review::{ChangedFile, ChangedKind, Changes, SkillChange, SkillChanges};
use skills_permit::{Power, PowerKind};

/// About how many lines a skill takes. What fails the gate is never left out.
const MOST: usize = 20;

/// A line, and whether what it says fails the gate.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) is_denied: bool,
}

/// Returns the lines of all changes. Without `is_full`, each skill is folded.
pub(super) fn lines(changes: &Changes, prefix: &str, is_full: bool) -> Vec<Line> {
    let mut all = Vec::new();
    let mut block = Vec::new();
    let (others, beside): (Vec<_>, Vec<_>) = changes
        .beside
        .iter()
        .partition(|file| file.kind == ChangedKind::Other && !is_full);
    for file in beside {
        block.extend(of_file(file, &join(prefix, &file.path), "", is_full));
    }
    if let [first, rest @ ..] = &others[..] {
        let first = one_line(&join(prefix, &first.path));
        let more = match rest.len() {
            0 => first,
            more => format!("{first}, {more} more: `--format full` prints them"),
        };
        block.push(plain(format!("other files: {more}")));
    }
    fold(block, is_full, &mut all);
    for skill in &changes.skills {
        if !all.is_empty() {
            all.push(plain(String::new()));
        }
        all.push(plain(format!(
            "{}: {}",
            one_line(&skill.name),
            one_line(&head(skill))
        )));
        fold(of_skill(skill, is_full), is_full, &mut all);
    }
    all
}

/// Returns the lines of all changes that fail the gate.
pub(crate) fn denied(changes: &Changes) -> impl Iterator<Item = String> {
    let lines = changes
        .skills
        .iter()
        .flat_map(|skill| of_skill(skill, false));
    lines.filter(|line| line.is_denied).map(|line| line.text)
}

/// Says what was found, and what was not compared. It never says that a change is safe.
pub(super) fn summary(changes: &Changes, left_out: &str) -> String {
    let skills = changes.skills.len();
    let count =
        |test: fn(&SkillChanges) -> bool| changes.skills.iter().filter(|skill| test(skill)).count();
    let mut parts = vec![match skills {
        0 => "no skill differs".to_owned(),
        _ => format!("{} changed", counted(skills, "skill")),
    }];
    let loosened =
        count(|skill| !skill.loosened.is_empty() || skill.fields.iter().any(|field| field.denied));
    if loosened > 0 {
        parts.push(format!("rules of {} loosened", counted(loosened, "skill")));
    }
    let gained = count(|skill| !skill.gained.is_empty());
    if gained > 0 {
        parts.push(format!(
            "named powers of {} gained",
            counted(gained, "skill")
        ));
    } else if skills > 0 {
        parts.push("no named power gained".to_owned());
    }
    let files = changes
        .skills
        .iter()
        .flat_map(|skill| &skill.changed)
        .chain(&changes.beside);
    let denied = files.filter(|file| file.denied).count();
    if denied > 0 {
        parts.push(format!(
            "{} not judged: look at each",
            counted(denied, "change")
        ));
    }
    let files = changes.skills.iter().flat_map(|skill| &skill.changed);
    let others = files.filter(|file| !file.denied && file.kind != ChangedKind::Instructions);
    let others = others.count();
    if others > 0 {
        parts.push(counted(others, "other change"));
    }
    let files = changes.beside.iter();
    let others = files.filter(|file| file.kind == ChangedKind::Other).count();
    if others > 0 {
        parts.push(format!("{} changed", counted(others, "other file")));
    }
    let (with_text, lines) = changes.instructions();
    if with_text > 0 {
        let places = if skills == 0 {
            "beside the skills".to_owned()
        } else {
            format!("of {}", counted(with_text, "skill"))
        };
        parts.push(format!(
            "instructions {places} changed ({}): read them",
            counted(lines, "line")
        ));
    }
    if !left_out.is_empty() {
        parts.push(format!("not compared: {}", one_line(left_out)));
    }
    parts.join("; ")
}

fn plain(text: String) -> Line {
    Line {
        text,
        is_denied: false,
    }
}

/// Adds a block of lines. Lines that fail the gate count first.
fn fold(block: Vec<Line>, is_full: bool, all: &mut Vec<Line>) {
    let denied = block.iter().filter(|line| line.is_denied).count();
    let mut left = if is_full {
        usize::MAX
    } else {
        MOST.saturating_sub(denied)
    };
    let mut folded = 0;
    for line in block {
        if line.is_denied {
            all.push(line);
        } else if left > 0 {
            left -= 1;
            all.push(line);
        } else {
            folded += 1;
        }
    }
    if folded > 0 {
        all.push(plain(format!(
            "  … {} more: `--format full` prints them",
            counted(folded, "line")
        )));
    }
}

/// Describes the change of a skill: `changed`, `renamed from x`.
fn head(skill: &SkillChanges) -> String {
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

fn of_power(power: &Power, what: &str, is_denied: bool) -> Line {
    let mark = if is_denied { "! " } else { "" };
    let what = match (power.kind, what) {
        (PowerKind::Restraints, "gained") => "lost restraint".to_owned(),
        (PowerKind::Restraints, _) => "added restraint".to_owned(),
        (kind, what) => format!("{what} {}", kind.as_str()),
    };
    let words = if is_denied {
        in_words(power)
    } else {
        power.text.clone()
    };
    Line {
        text: format!("  {mark}{what}: {}", one_line(&words)),
        is_denied,
    }
}

fn of_skill(skill: &SkillChanges, is_full: bool) -> Vec<Line> {
    let gained = |power| of_power(power, "gained", true);
    let lost = |power| of_power(power, "lost", false);
    let mut lines: Vec<Line> = skill.loosened.iter().map(gained).collect();
    lines.extend(skill.tightened.iter().map(lost));
    for field in &skill.fields {
        let value = |value: &Option<String>| {
            value
                .as_ref()
                .map_or("(none)".to_owned(), |value| one_line(value))
        };
        let mark = if field.denied { "! " } else { "" };
        let text = format!(
            "  {mark}{}: {} -> {}",
            one_line(&field.key),
            value(&field.old),
            value(&field.new)
        );
        lines.push(Line {
            text,
            is_denied: field.denied,
        });
    }
    lines.extend(skill.gained.iter().map(gained));
    lines.extend(skill.lost.iter().map(lost));
    for file in &skill.changed {
        lines.extend(of_file(file, &file.path, "  ", is_full));
    }
    lines
}

/// Describes a changed file, with the lines of instructions.
fn of_file(file: &ChangedFile, path: &str, indent: &str, is_full: bool) -> Vec<Line> {
    let digest = |digest: &String| {
        let short = digest
            .split_once(':')
            .map(|(_, hex)| hex)
            .and_then(|it| it.get(..12))
            .filter(|_| !is_full);
        short.unwrap_or(digest).to_owned()
    };
    let digests: Vec<String> = [&file.old, &file.new]
        .into_iter()
        .flatten()
        .map(digest)
        .collect();
    let more = match file.kind {
        ChangedKind::Instructions if file.added + file.removed == 0 => {
            "order, spaces or line ends".to_owned()
        }
        ChangedKind::Instructions => format!(
            "{} added, {} removed",
            counted(file.added, "line"),
            file.removed
        ),
        ChangedKind::Link if file.new.is_some() => file
            .old
            .as_ref()
            .map_or("new".to_owned(), |old| format!("{old} before")),
        ChangedKind::Link => String::new(),
        _ => digests.join(" to "),
    };
    let kind = match file.kind {
        ChangedKind::Instructions => "instructions",
        ChangedKind::Deciding => "decides what a client reads",
        ChangedKind::Link => "link",
        ChangedKind::Code => "code",
        ChangedKind::Mode => "mode",
        ChangedKind::Data => "data",
        ChangedKind::Listed => "listed",
        ChangedKind::Moved => "moved",
        ChangedKind::Lock => "lock",
        ChangedKind::Other => "other",
        _ => "media",
    };
    let mark = if file.denied { "! " } else { "" };
    let mut text = format!(
        "{indent}{mark}{kind}: {}, {}",
        one_line(path),
        one_line(&file.note)
    );
    if !more.is_empty() {
        text.extend([" (", &more, ")"]);
    }
    let mut lines = vec![Line {
        text,
        is_denied: file.denied,
    }];
    // The two names of a unified difference say nothing here.
    let unified = file.unified.as_deref().unwrap_or_default().lines().skip(2);
    let differing = unified.filter(|line| is_full || line.starts_with(['+', '-']));
    lines.extend(differing.map(|line| plain(format!("{indent}  {}", one_line(line)))));
    lines
}
