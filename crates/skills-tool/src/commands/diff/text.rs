//! A difference as lines: rules, named powers, and what changed and is not judged.

use crate::commands::powers::{folded, in_words};
use crate::output::{counted, one_line};
use skills_format::join;
use skills_format::text::appearance::revealed;
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
        block.extend(of_file(file, &placed(prefix, &file.path), "", is_full));
    }
    if let [first, rest @ ..] = &others[..] {
        let first = one_line(&placed(prefix, &first.path));
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

/// Returns the path of a file beside the skills, without `..`.
fn placed(folder: &str, path: &str) -> String {
    match path.strip_prefix("../").filter(|_| !folder.is_empty()) {
        Some(rest) => placed(folder.rsplit_once('/').map_or("", |it| it.0), rest),
        None => join(folder, path),
    }
}

/// Returns the lines of all changes that fail the gate.
pub(crate) fn denied(changes: &Changes) -> impl Iterator<Item = String> {
    let lines = changes
        .skills
        .iter()
        .flat_map(|skill| of_skill(skill, false));
    lines.filter(|line| line.is_denied).map(|line| line.text)
}

const LOOSENED: &str = " may be allowed more (tools, hooks, fewer limits)";
const GAINED: &str = " gained named powers (commands, hosts, packages, files, variables)";

/// Says what was found, and what was not compared. It never says that a change is safe.
pub(super) fn summary(changes: &Changes, left_out: &str) -> String {
    let skills = &changes.skills;
    let mut parts = vec![match skills.len() {
        0 => "no skill differs".to_owned(),
        count => format!("{} changed", counted(count, "skill")),
    }];
    let is_code = |power: &Power| power.kind == PowerKind::Unreadable;
    let count = |is: &dyn Fn(&SkillChanges) -> bool| skills.iter().filter(|it| is(it)).count();
    let loosened = count(&|it| !it.loosened.is_empty() || it.fields.iter().any(|it| it.denied));
    let gained = count(&|it| !it.gained.iter().all(is_code));
    let unread = count(&|it| it.gained.iter().any(is_code));
    let inside = || skills.iter().flat_map(|skill| &skill.changed);
    let beside = || changes.beside.iter();
    let denied = inside().chain(beside()).filter(|file| file.denied).count();
    let is_further = |file: &&ChangedFile| !file.denied && file.kind != ChangedKind::Instructions;
    let is_other = |file: &&ChangedFile| file.kind == ChangedKind::Other;
    for (count, noun, after) in [
        (loosened, "skill", LOOSENED),
        (gained, "skill", GAINED),
        (unread, "skill", " gained code that was not analysed"),
        (denied, "changed file", " not judged: read each"),
        (inside().filter(is_further).count(), "other change", ""),
        (beside().filter(is_other).count(), "other file", " changed"),
    ] {
        if count > 0 {
            parts.push(format!("{}{after}", counted(count, noun)));
        }
    }
    if gained == 0 && !skills.is_empty() {
        parts.push(format!("no skill{GAINED}"));
    }
    let (with_text, lines) = changes.instructions();
    if with_text > 0 {
        let places = match skills.len() {
            0 => "beside the skills".to_owned(),
            _ => format!("of {}", counted(with_text, "skill")),
        };
        let lines = counted(lines, "line");
        parts.push(format!(
            "instructions {places} changed ({lines}): read them"
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
        SkillChange::Changed => "changed".to_owned(),
    }
}

/// Shows a line so that a blank or a character that is changed is seen. Pictures keep what selects their form.
fn as_written(line: &str) -> String {
    revealed(line).replace("\\u{fe0f}", "\u{fe0f}")
}

fn of_skill(skill: &SkillChanges, is_full: bool) -> Vec<Line> {
    let powers = |powers: &[Power], what: &str, is_denied: bool| -> Vec<Line> {
        let line = |power: &Power| {
            let what = match (power.kind, is_denied) {
                (PowerKind::Restraints, true) => "lost limit".to_owned(),
                (PowerKind::Restraints, false) => "added limit".to_owned(),
                (PowerKind::Unreadable, _) => format!("{what} code that was not analysed"),
                (kind, _) => format!("{what} {}", kind.label()),
            };
            let words = if is_denied {
                in_words(power)
            } else {
                power.text.clone()
            };
            line(&format!("{what}: {}", as_written(&words)), is_denied)
        };
        if is_full {
            return powers.iter().map(line).collect();
        }
        folded(powers).iter().map(line).collect()
    };
    let value = |value: &Option<String>| match value {
        Some(value) => one_line(value),
        None => "(none)".to_owned(),
    };
    let mut lines = powers(&skill.loosened, "gained", true);
    lines.extend(powers(&skill.tightened, "lost", false));
    for field in &skill.fields {
        let (old, new) = (value(&field.old), value(&field.new));
        let text = format!("{}: {old} -> {new}", one_line(&field.key));
        lines.push(line(&text, field.denied));
    }
    lines.extend(powers(&skill.gained, "gained", true));
    lines.extend(powers(&skill.lost, "lost", false));
    for file in &skill.changed {
        lines.extend(of_file(file, &file.path, "  ", is_full));
    }
    lines
}

/// Returns a line about a skill.
fn line(text: &str, is_denied: bool) -> Line {
    let mark = if is_denied { "! " } else { "" };
    Line {
        text: format!("  {mark}{text}"),
        is_denied,
    }
}

/// Describes a changed file, with the lines of instructions.
fn of_file(file: &ChangedFile, path: &str, indent: &str, is_full: bool) -> Vec<Line> {
    let digests = [&file.old, &file.new].into_iter().flatten();
    let digests: Vec<&str> = digests.map(String::as_str).collect();
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
        _ if is_full => digests.join(" to "),
        _ => String::new(),
    };
    let kind = match file.kind {
        ChangedKind::Instructions => "instructions",
        ChangedKind::Deciding => "a file that clients or tools read",
        ChangedKind::Link => "link",
        ChangedKind::Code => "code",
        ChangedKind::Mode => "mode",
        ChangedKind::Data => "data",
        ChangedKind::Listed => "listed",
        ChangedKind::Moved => "moved",
        ChangedKind::Lock => "lock",
        ChangedKind::Other => "other",
        ChangedKind::Media => "media",
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
    lines.extend(differing.map(|line| plain(format!("{indent}  {}", as_written(line)))));
    lines
}
