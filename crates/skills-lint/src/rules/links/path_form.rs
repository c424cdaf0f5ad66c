use crate::rules::example::{Content, Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::name::shown;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::PathForm,
    level: Level::Deny,
    group: Group::Links,
    summary: "every path can be written on Linux, macOS and Windows",
    why: "A skill with a file `aux.md`, `a:b.md` or `notes.` cannot be unpacked on Windows. Git \
          then fails to check out the whole repository.",
    bad: Example::Files(&[
        (
            "release-notes/SKILL.md",
            Content::Text(with_body!("Read `references/aux.md`.\n")),
        ),
        (
            "release-notes/references/aux.md",
            Content::Text("# Style\n"),
        ),
    ]),
    marks: "",
    good: Example::Skill(with_body!("List every merged change.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let folder = view.skill.dir.split('/').find_map(fault);
    let mut found: Vec<Finding> = folder
        .map(|message| view.folder(RULE.id, message).help("rename the folder"))
        .into_iter()
        .collect();
    for file in view.skill.files {
        let path = view.relative(&file.path).unwrap_or(&file.path);
        let fault = if file.utf8 {
            path.split('/').find_map(fault)
        } else {
            Some("the path is not UTF-8: the file is not checked".to_owned())
        };
        if let Some(message) = fault {
            found.push(Finding::new(RULE.id, &file.path, message).help("rename it"));
        }
    }
    found
}

fn fault(part: &str) -> Option<String> {
    // Windows reserves the names of devices with any extension too: `nul.md`.
    let stem = part.split('.').next().unwrap_or(part).trim_end();
    let forbidden =
        |c: char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '\\' | '|' | '?' | '*');
    if is_device(stem) {
        Some(format!("`{part}` is a device on Windows"))
    } else if let Some(c) = part
        .chars()
        .find(|c| !c.is_ascii_alphanumeric() && forbidden(*c))
    {
        Some(format!(
            "`{part}` holds `{}`, which Windows forbids",
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
    // The reserved names have these lengths: most names need no further test.
    if !matches!(stem.len(), 3 | 4 | 6 | 7) {
        return false;
    }
    let stem = stem.to_ascii_uppercase();
    let is_port = |kind: &str| {
        stem.strip_prefix(kind)
            .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"
    ) || is_port("COM")
        || is_port("LPT")
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    #[test]
    fn folders() {
        for name in ["con", "aux", "nul", "com1"] {
            let text = format!("---\nname: {name}\ndescription: Use when x.\n---\n\nGo.\n");
            let told = told_of("path-form", &[(&format!("{name}/SKILL.md"), &text)]);
            assert_eq!(told, [format!("`{name}` is a device on Windows")]);
        }
    }
}
