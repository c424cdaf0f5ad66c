//! The files of the skills: paths, links, sizes, and skills that hide each other.

use crate::check::links::joined;
use crate::check::skill::CheckedSkill;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Related, Severity};
use skills_format::name::{nfc, shown};
use skills_format::text::prose::Prose;
use skills_format::text::span::Span;
use skills_format::tree::limits::{Limits, total};
use skills_format::tree::{
    FileKind, SKILL_FILE, Tree, TreeFile, in_folder, is_resource, is_skill_file,
    is_skill_file_of_any_case, join,
};
use skills_format::yaml::node::Node;
use std::collections::BTreeMap;

/// Returns what to do about a folder without a skill.
pub fn empty_help(excludes: bool) -> &'static str {
    if excludes {
        "a skill is a folder with a file `SKILL.md`; `exclude` in `skills.toml` may leave out what is there"
    } else {
        "a skill is a folder with a file `SKILL.md`"
    }
}

/// Returns the faults of the files, without those of their texts.
pub(super) fn of_tree(
    root: &str,
    tree: &Tree,
    limits: Limits,
    excludes: bool,
    skills: &[CheckedSkill<'_>],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut report = |rule, path: &str, message: Prose, help: &str| {
        let error = Diagnostic::new(rule, Severity::Error, join(root, path), message);
        found.push(error.help(help.to_owned()));
    };
    for fault in &tree.faults {
        let message = format!("this cannot be read: {}", fault.message).into();
        report(
            RuleId::Unreadable,
            &fault.path,
            message,
            "fix its permissions, or remove it",
        );
    }
    if skills.is_empty() {
        let (message, help) = ("the folder contains no skills", empty_help(excludes));
        report(RuleId::BundleEmpty, "", message.into(), help);
    }
    for file in &tree.files {
        let is_link = file.kind == FileKind::Link;
        let is_misnamed = is_skill_file_of_any_case(&file.path) && !is_skill_file(&file.path);
        // Few files are either: the skill of each other file need not be looked for.
        if !is_link && !is_misnamed
            || skills
                .iter()
                .any(|it| in_folder(it.dir, &file.path).is_some())
        {
            continue;
        }
        if is_link {
            let message = "the skill is a symbolic link and is not checked".into();
            let help = "put the skill's folder here, or check it where it is";
            report(RuleId::Symlink, &file.path, message, help);
        } else {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            let message = format!("the skill's file is called `{name}`").into();
            report(
                RuleId::SkillFileName,
                &file.path,
                message,
                "rename it to `SKILL.md`",
            );
        }
    }
    let counted = skills.iter().map(|skill| limits.counted(skill.files));
    let bytes = counted.fold(0, u64::saturating_add);
    if bytes > limits.bundle_bytes {
        let message = format!(
            "the skills have {bytes} bytes in all; the maximum is {}",
            limits.bundle_bytes
        );
        let help = "leave files out, or set `bundle-bytes` under `[limits]` in `skills.toml`";
        report(RuleId::BundleTooLarge, "", message.into(), help);
    }
    let is_read = limits.hold_all(skills.iter().map(|skill| skill.files));
    for skill in skills {
        sizes(skill, limits, &mut report);
        for (path, message, help) in path_faults(skill.dir, skill.files) {
            report(RuleId::PathForm, path, message.into(), help);
        }
        for (path, message) in path_case_collisions(skill.dir, skill.files) {
            report(
                RuleId::PathCaseCollision,
                path,
                message.into(),
                "rename one of the two",
            );
        }
        for file in skill.files {
            if let Some((rule, message, help)) =
                kind(tree, file, is_read && limits.hold(skill.files))
            {
                report(rule, &file.path, message.into(), help);
            }
        }
        nested(root, skill, &mut report);
    }
    found.extend(same_names(root, tree, skills));
    found
}

type Report<'r> = dyn FnMut(RuleId, &str, Prose, &str) + 'r;

fn sizes(skill: &CheckedSkill<'_>, limits: Limits, report: &mut Report<'_>) {
    let (files, bytes) = (skill.files.len(), total(skill.files));
    if files > limits.skill_files {
        let message = format!(
            "the skill has {files} files; the maximum is {}",
            limits.skill_files
        );
        report(
            RuleId::SkillTooLarge,
            skill.dir,
            message.into(),
            "join files, or leave some out",
        );
    }
    if bytes > limits.skill_bytes {
        let message = format!(
            "the skill has {bytes} bytes; the maximum is {}",
            limits.skill_bytes
        );
        let help = "leave files out, or fetch them when they are needed";
        report(RuleId::SkillTooLarge, skill.dir, message.into(), help);
    }
}

/// Returns what keeps a file from being shipped. `is_read`: the bytes of the skill were read.
fn kind(tree: &Tree, file: &TreeFile, is_read: bool) -> Option<(RuleId, String, &'static str)> {
    const COPY: &str = "put a copy of the file here";
    match file.kind {
        FileKind::Link => Some((
            RuleId::Symlink,
            "the file is a symbolic link".to_owned(),
            COPY,
        )),
        FileKind::Other => {
            let message = "this is not a file but a pipe, a socket or a device".to_owned();
            Some((RuleId::Unreadable, message, "remove it"))
        }
        FileKind::Regular => match &file.bytes {
            // `path_faults` reports a path that is not UTF-8, and a fault of the tree says why a file was not read.
            None if is_read
                && file.utf8
                && !tree.faults.iter().any(|fault| fault.path == file.path) =>
            {
                Some((
                    RuleId::Unreadable,
                    "this cannot be read".to_owned(),
                    "remove it",
                ))
            }
            None => None,
            Some(bytes) => {
                let has = |path: &str| tree.get(path).is_some();
                let target = checked_out_link(&has, &file.path, bytes)?;
                let message =
                    format!("the file is a symbolic link that was checked out as text: `{target}`");
                Some((RuleId::Symlink, message, COPY))
            }
        },
    }
}

/// Returns the target of a symbolic link that git checked out as text: git writes the target without a line end on
/// systems where it cannot create links. `has` tells whether the tree has a file.
pub fn checked_out_link<'b>(
    has: &dyn Fn(&str) -> bool,
    path: &str,
    bytes: &'b [u8],
) -> Option<&'b str> {
    const MAX_TARGET: usize = 255;
    let text = std::str::from_utf8(bytes.get(..=MAX_TARGET).map_or(bytes, |_| b"")).ok()?;
    if !text.contains('/') || text.contains(|c: char| c.is_whitespace() || c == ':') {
        return None;
    }
    let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
    // A text that is not the path of a file in the tree is an ordinary short text.
    has(&joined(dir, text)?).then_some(text)
}

/// Says which skills a `SKILL.md` above them hides (the path of the first, and the number of the others), and what to do if
/// it stands at the top of a folder of skills.
pub fn hides(first: &str, others: usize) -> (Prose, &'static str) {
    let others = match others {
        0 => String::new(),
        1 => " and one more skill".to_owned(),
        more => format!(" and {more} more skills"),
    };
    let message = Prose::from("this `SKILL.md` makes its folder one skill, and hides ");
    let help = "move it into a folder of its own beside the others, or remove it";
    (message.path(first).words(&others), help)
}

/// Reports each skill in whose folder other skills lie: they would be files of the outer skill, and no skills.
fn nested(root: &str, skill: &CheckedSkill<'_>, report: &mut Report<'_>) {
    let below = skill
        .files
        .iter()
        .filter_map(|file| in_folder(skill.dir, &file.path));
    let mut inner =
        below.filter(|path| is_skill_file(path) && path.contains('/') && !is_resource(path));
    let Some(first) = inner.next() else {
        return;
    };
    let (message, at_top) = hides(&join(root, &join(skill.dir, first)), inner.count());
    let help = if skill.dir.is_empty() {
        at_top
    } else {
        "move the inner skill beside this one, or below `assets/` or `references/` if it is only a file of this one"
    };
    report(
        RuleId::NestedSkill,
        &join(skill.dir, SKILL_FILE),
        message,
        help,
    );
}

/// Reports a name that two skills have, and an alias that is also the name or an alias of another skill: each finds one
/// skill.
fn same_names(root: &str, tree: &Tree, skills: &[CheckedSkill<'_>]) -> Vec<Diagnostic> {
    let mut names: BTreeMap<&str, &CheckedSkill<'_>> = BTreeMap::new();
    let mut aliases: BTreeMap<String, (Span, &CheckedSkill<'_>)> = BTreeMap::new();
    let mut found = Vec::new();
    let path = |skill: &CheckedSkill<'_>| join(root, &join(skill.dir, SKILL_FILE));
    let mut report = |rule, (skill, span), (other, place), message: Prose, help: &str| {
        let mut error = Diagnostic::new(rule, Severity::Error, path(skill), message);
        let file = tree.get(&join(skill.dir, SKILL_FILE));
        if let (Some(span), Some(file)) = (span, file) {
            error = error.at(file.bytes.as_deref().unwrap_or_default(), span);
        }
        let place: Option<Span> = place;
        error.related = place.map(|span| Box::new(Related::new(path(other), span)));
        found.push(error.help(help.to_owned()));
    };
    let usable = || {
        skills
            .iter()
            .filter_map(|it| Some((it, it.skill.as_ref()?)))
    };
    for (skill, read) in usable() {
        let name = read.name.as_str();
        let Some(first) = names.get(name) else {
            names.insert(name, skill);
            continue;
        };
        let message = Prose::from(format!("the name `{name}` is taken by ")).path(&path(first));
        report(
            RuleId::DuplicateName,
            (skill, place_of_name(skill)),
            (first, place_of_name(first)),
            message,
            "give one of the two another name and folder",
        );
    }
    for (skill, read) in usable() {
        let Some(Ok(fields)) = &skill.file.front_matter else {
            continue;
        };
        for (alias, span) in self::aliases(fields) {
            let owner = names.get(&*alias).filter(|_| *alias != *read.name.as_str());
            let claimed = aliases
                .get(&alias)
                .filter(|(_, other)| other.dir != skill.dir);
            let collision = collision(
                &alias,
                owner.copied(),
                claimed.copied(),
                place_of_name,
                path,
            );
            let Some((other, place, message)) = collision else {
                aliases.insert(alias, (span, skill));
                continue;
            };
            report(
                RuleId::AliasCollision,
                (skill, Some(span)),
                (other, place),
                message,
                OTHER_ALIAS,
            );
        }
    }
    found
}

/// The help for an alias that finds another skill too.
pub const OTHER_ALIAS: &str = "choose another alias, or remove it";

/// Returns the skill that an alias collides with, the place there, and the message: `owner` has the alias as its name,
/// `claimed` as an alias at a place.
pub fn collision<T: Copy>(
    alias: &str,
    owner: Option<T>,
    claimed: Option<(Span, T)>,
    place_of_name: impl Fn(T) -> Option<Span>,
    path: impl Fn(T) -> String,
) -> Option<(T, Option<Span>, Prose)> {
    let message = |what| Prose::from(format!("the alias `{alias}` is {what} "));
    if let Some(owner) = owner {
        let message = message("the name of").path(&path(owner));
        return Some((owner, place_of_name(owner), message));
    }
    let (place, other) = claimed?;
    let message = message("already an alias in").path(&path(other));
    Some((other, Some(place), message))
}

/// Returns the aliases of a front matter, each with the place of its value.
pub fn aliases(fields: &Node) -> Vec<(String, Span)> {
    let metadata = fields.get("metadata");
    let Some(node) = metadata.and_then(|metadata| metadata.get("aliases")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for node in node.items().unwrap_or(std::slice::from_ref(node)) {
        let text = node.as_str().filter(|_| !node.is_null());
        let words = text.unwrap_or_default();
        let words = words.split(|c: char| c.is_whitespace() || c == ',');
        let words = words.filter(|word| !word.is_empty());
        found.extend(words.map(|word| (nfc(word).into_owned(), node.span)));
    }
    found
}

fn place_of_name(skill: &CheckedSkill<'_>) -> Option<Span> {
    let front_matter = skill.file.front_matter.as_ref()?.as_ref().ok()?;
    let span = front_matter.get("name")?.span;
    let text = span.of(skill.file.text.ok()?).trim_end();
    Some(Span::new(span.start, span.start + text.len()))
}

/// Returns the paths that cannot be written on every platform, each with the fact and the help.
pub fn path_faults<'t>(
    dir: &'t str,
    files: &'t [TreeFile],
) -> Vec<(&'t str, String, &'static str)> {
    let folder = dir.split('/').find_map(fault_of_name);
    let mut found: Vec<_> = folder
        .map(|message| (dir, message, "rename the folder"))
        .into_iter()
        .collect();
    for file in files {
        let path = in_folder(dir, &file.path).unwrap_or(&file.path);
        let fault = if file.utf8 {
            path.split('/').find_map(fault_of_name)
        } else {
            Some("the path is not UTF-8: the file is not checked".to_owned())
        };
        found.extend(fault.map(|message| (file.path.as_str(), message, "rename it")));
    }
    found
}

fn fault_of_name(part: &str) -> Option<String> {
    // Windows reserves the names of devices with any extension too: `nul.md`.
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let is_forbidden =
        |c: &char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*');
    if is_device(stem) {
        Some(format!("`{part}` is a device on Windows"))
    } else if let Some(c) = part.chars().find(is_forbidden) {
        Some(format!(
            "`{part}` contains `{}`, which Windows forbids",
            shown(c)
        ))
    } else if part.ends_with(['.', ' ']) {
        Some(format!(
            "`{part}` ends with a dot or a space, which Windows drops"
        ))
    } else {
        None
    }
}

fn is_device(stem: &str) -> bool {
    const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    let is = |name: &&str| stem.eq_ignore_ascii_case(name);
    let port = stem.strip_suffix(|c: char| c.is_ascii_digit());
    DEVICES.iter().any(is)
        || port.is_some_and(|port| {
            ["COM", "LPT"]
                .iter()
                .any(|it| port.eq_ignore_ascii_case(it))
        })
}

/// Returns the paths that a file system without case, or one that normalizes names, takes for another path of the skill.
pub fn path_case_collisions<'t>(dir: &str, files: &'t [TreeFile]) -> Vec<(&'t str, String)> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut found = Vec::new();
    for file in files {
        let path = in_folder(dir, &file.path).unwrap_or(&file.path);
        let Some(other) = seen.insert(nfc(&path.to_lowercase()).into_owned(), path) else {
            continue;
        };
        let what = if nfc(other) == nfc(path) {
            "Unicode normal form"
        } else {
            "case"
        };
        found.push((
            file.path.as_str(),
            format!("the path differs from `{other}` in {what} alone"),
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> TreeFile {
        TreeFile {
            path: path.to_owned(),
            utf8: true,
            kind: FileKind::Regular,
            size: 0,
            bytes: Some(Vec::new()),
        }
    }

    #[test]
    fn names_of_devices_and_forbidden_characters() {
        for (path, message) in [
            ("a/aux.md", "`aux.md` is a device on Windows"),
            ("a/Com1", "`Com1` is a device on Windows"),
            ("a/b:c", "`b:c` contains `:`, which Windows forbids"),
            (
                "a/b.",
                "`b.` ends with a dot or a space, which Windows drops",
            ),
        ] {
            let files = [file(path)];
            let told = path_faults("a", &files);
            assert_eq!(told, [(path, message.to_owned(), "rename it")]);
        }
        assert_eq!(
            path_faults("con", &[]),
            [(
                "con",
                "`con` is a device on Windows".to_owned(),
                "rename the folder"
            )]
        );
        assert_eq!(
            path_faults("a", &[file("a/console.md"), file("a/com10")]),
            []
        );
    }

    #[test]
    fn the_difference_of_two_paths_is_named() {
        for (a, b, what) in [
            ("x/E.md", "x/e.md", "case"),
            ("x/e\u{301}", "x/\u{e9}", "Unicode normal form"),
        ] {
            let files = [file(a), file(b)];
            let found = path_case_collisions("x", &files);
            assert!(
                matches!(&found[..], [(path, message)] if *path == b && message.contains(what)),
                "{found:?}"
            );
        }
    }
}
