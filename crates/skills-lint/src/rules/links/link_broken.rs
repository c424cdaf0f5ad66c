use crate::rules::example::with_link;
use crate::rules::links::outside::write_instead;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::{Reference, Target};
use skills_check::check::links::{joined, nearest, without_file};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::text::percent;
use skills_format::tree::join;
use skills_format::tree::left_out::{TRIGGERS_FILE, is_no_part, left_out};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkBroken,
    level: Level::Deny,
    group: Group::Links,
    summary: "a relative link leads to a file of the skill",
    why: "A model follows the links of a skill to learn more. A broken link costs the model a turn, and the model \
          misses what the author meant it to read. In the skill's other Markdown files, a broken link is a warning. \
          A link to a file that is never shipped, such as `.env`, is broken too. Inline code is treated as a link \
          if it is a path below a folder that the skill has, such as `scripts/` or `references/`, or if the \
          sentence says to run or read it. Code blocks, addresses with a scheme and templates are not checked, and \
          neither are paths that are examples, results, or files of another skill or of the user's project. If \
          `fence-unclosed` finds a fence that was meant to close a block, no link in that file is checked until the \
          fence is fixed.",
    bad: with_link!("references/stile.md", "references/style.md"),
    marks: "references/stile.md",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::Unsafe,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.is_readable() {
        return Vec::new();
    }
    let mut found = of_skill_file(view);
    found.extend(backslashes(view));
    for page in view.marked_pages() {
        let targets = view.targets_of(page).iter();
        let mut missing = targets.filter(|it| is_missing(view, it)).peekable();
        if missing.peek().is_some() && page.markdown().mistaken_fence(page.text).is_some() {
            continue;
        }
        found.extend(missing.map(|(link, _)| {
            let written = link.path_span.of(page.text);
            page.at(RULE.id, link.span, message(written))
                .help("add the file, or remove the link")
        }));
    }
    found.extend(not_shipped(view));
    found
}

/// Reports the paths that Windows alone has: no client reads such a link.
fn backslashes(view: &SkillView<'_>) -> Vec<Finding> {
    let links = view.targets().iter().filter(|(link, target)| {
        !link.is_code && matches!(target, Target::File(_) | Target::Folder)
    });
    let found = links.filter_map(|(link, _)| {
        let written = link.path_span.of(view.text());
        let mut after = written.split('\\').skip(1);
        let is_path = after.any(|part| part.starts_with(|c: char| c.is_alphanumeric()));
        is_path.then(|| {
            let message = format!("`{written}` is not a path on every system");
            let finding = view
                .at(RULE.id, link.span, message)
                .help(format!("write `{}`", link.path));
            finding.fix(Fix::guess(vec![Edit::replace(
                link.path_span,
                link.path.clone(),
            )]))
        })
    });
    found.collect()
}

/// Reports the links to files that no skill ships: a bundle and an install do not have them.
fn not_shipped(view: &SkillView<'_>) -> Vec<Finding> {
    let has = |path: &str| view.tree.get(&join(view.skill.dir, path)).is_some();
    let links = view.targets().iter().filter(|(link, _)| !link.is_code);
    let found = links.filter_map(|(link, _)| {
        let path = joined(view.skill.dir, &percent::decode(&link.path))?;
        let (part, why) = left_out(view.relative(&path)?, &has)?;
        let shown = view.tree.shown(&path);
        if part == TRIGGERS_FILE || view.tree.options.includes_shown(&shown) {
            return None;
        }
        let written = link.path_span.of(view.text());
        let message =
            format!("`{written}` is not shipped with the skill: `{part}` is left out, since {why}");
        let help = "link another file, or name this one under `include` in `skills.toml`";
        Some(view.at(RULE.id, link.span, message).help(help))
    });
    found.collect()
}

/// The maximum number of links of a skill for which the nearest file is searched.
const MAX_GUESSED: usize = 100;

fn of_skill_file(view: &SkillView<'_>) -> Vec<Finding> {
    let missing: Vec<&Reference> = view
        .targets()
        .iter()
        .filter(|target| is_missing(view, target))
        .map(|(link, _)| link)
        .collect();
    // Where a fence is missing, nobody knows which links are examples. The fence is reported.
    if !missing.is_empty() && view.markdown().mistaken_fence(view.text()).is_some() {
        return Vec::new();
    }
    // A search for the nearest file is costly.
    let near: Vec<Option<String>> = missing
        .iter()
        .take(MAX_GUESSED)
        .map(|link| {
            let path = percent::decode(&link.path);
            nearest(view.skill.dir, view.skill.files, &path)
        })
        .collect();
    let guess = |n: usize| {
        let path = near.get(n)?.as_ref()?;
        // If two broken paths resemble one file, at least one guess is wrong.
        let others = missing.iter().zip(&near).filter(|(link, other)| {
            other.as_ref() == Some(path) && missing.get(n).is_some_and(|own| own.path != link.path)
        });
        (others.count() == 0).then_some(path)
    };
    let findings = missing.iter().enumerate().map(|(n, link)| {
        let written = link.path_span.of(view.text());
        let finding = view.at(RULE.id, link.span, message(written));
        match guess(n) {
            Some(path) => write_instead(finding, link, view, path),
            None => finding.help(without_file(written)),
        }
    });
    findings.collect()
}

fn message(written: &str) -> String {
    format!("`{written}` is not a file of the skill")
}

/// Returns whether a reference leads to nothing. A path in code can name a file of another skill or of a folder above,
/// and is then not broken.
fn is_missing(view: &SkillView<'_>, (link, target): &(Reference, Target<'_>)) -> bool {
    // `not_shipped` reports the files that no skill ships.
    if !matches!(target, Target::Missing) || is_no_part(link.path.trim_start_matches("./")) {
        return false;
    }
    let is_another =
        link.is_code && is_elsewhere(view, &link.path) || is_of_inner_skill(view, &link.path);
    !is_another && (link.is_opened || !view.makes(&link.path))
}

/// Returns whether a path names a file of a skill below the skill at the root of a repository. Each of these skills is
/// checked as a bundle's, and its files are not in the tree of the root.
fn is_of_inner_skill(view: &SkillView<'_>, path: &str) -> bool {
    let Some(around) = view.tree.scope.around.filter(|_| view.skill.dir.is_empty()) else {
        return false;
    };
    let path = path.trim_start_matches("./");
    let mut folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let is_skill = |folder: &str| around.kind(&join(folder, "SKILL.md")).is_some();
    around.kind(path).is_some() && (folders.any(is_skill) || is_skill(path))
}

fn is_elsewhere(view: &SkillView<'_>, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    let mut skills = view.tree.skills.iter();
    if skills.any(|skill| view.tree.get(&join(skill.dir, path)).is_some()) {
        return true;
    }
    view.is_in_a_folder_above(path)
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

    fn told(body: &str) -> Vec<String> {
        let text = format!("---\nname: x\ndescription: Use when y.\n---\n\n{body}\n");
        let files = [
            ("x/SKILL.md", text.as_str()),
            ("x/scripts/a.py", "1"),
            ("x/references/b.md", "b"),
        ];
        told_of("link-broken", &files)
    }

    #[test]
    fn paths_that_lead_to_no_file_and_need_none() {
        for body in [
            "The schema is in `scripts/a.py:12-20`, and `scripts/a.py:3`.",
            "The hash is SHA256[cwd](0:12).",
            "Add a note:\n\"Cut off; see [the rest](.wiki/rest.md)\nfor all\"",
            "| | Example |\n|---|---|\n| Relative | `references/guide.md` |\n\nRead `references/guide.md`.",
            "It comes from `references/playlist/tea/12.md`.",
            "- **Deleted** `references/old.md`",
        ] {
            assert_eq!(told(body), [""; 0], "{body}");
        }
        for body in [
            "The schema is in `scripts/c.py:12-20`.",
            "See [it](references/c.md).",
        ] {
            assert_eq!(told(body).len(), 1, "{body}");
        }
    }
}
