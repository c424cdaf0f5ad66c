use crate::rules::example::{Content, Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::tree::join;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LicenseFile,
    level: Level::Warn,
    group: Group::Portability,
    summary: "the file that `license` names is a file of the skill",
    why: "A client installs the folder of the skill alone. If `license` names a file that is not in the folder, nobody \
          can read the terms there. Reported if `clients` or `--client` names a client.",
    bad: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("license: Terms in LICENSE.txt\n")),
        )],
    },
    marks: "Terms in LICENSE.txt",
    good: Example::Configured {
        config: "clients = [\"claude-code\"]\n",
        files: &[(
            "release-notes/SKILL.md",
            Content::Text(with_fields!("license: MIT\n")),
        )],
    },
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some((value, text)) = view.text_field("license") else {
        return Vec::new();
    };
    // Without its folder, no file of the skill is known.
    if !view.tree.scope.clients.are_named() || view.skill.file.folder.is_empty() {
        return Vec::new();
    }
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let missing = words.filter(|word| is_file(word)).find(|word| {
        let path = join(view.skill.dir, word);
        !view.skill.files.iter().any(|file| file.path == path)
    });
    let told = missing.map(|word| {
        view.at(
            RULE.id,
            value.span,
            format!("the skill has no file `{word}`"),
        )
        .help("copy the file into the folder of the skill, or name the license: `MIT`")
    });
    told.into_iter().collect()
}

/// Returns whether a word is the name of a file with terms.
fn is_file(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let is_text = [".txt", ".md"].iter().any(|end| lower.ends_with(end));
    is_text && !lower.contains("://") && !lower.starts_with("www.")
}

#[cfg(test)]
mod tests {
    use crate::client::{Condition, Loss};
    use crate::rules::tests::{client, told_to};

    #[test]
    fn files_with_terms() {
        let told = |named: &[&str], license: &str| {
            let clients = [client("one", Condition::Never, Loss::Nothing, &[])];
            let text = format!(
                "---\nname: x\ndescription: Does. Use when asked.\nlicense: {license}\n---\n\nGo.\n"
            );
            let files = [("x/LICENSE.txt", "MIT".to_owned()), ("x/SKILL.md", text)];
            told_to("license-file", &clients, named, &files).len()
        };
        assert_eq!(told(&["one"], "Terms in (LICENSE.md)."), 1);
        assert_eq!(told(&["one"], "docs/LICENSE.txt"), 1);
        assert_eq!(told(&[], "Terms in LICENSE.md"), 0);
        for license in [
            "MIT",
            "Complete terms in LICENSE.txt",
            "https://x.org/license.txt",
            "Apache-2.0",
        ] {
            assert_eq!(told(&["one"], license), 0, "{license}");
        }
    }
}
