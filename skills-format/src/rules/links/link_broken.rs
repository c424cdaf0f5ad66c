use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::with_link;
use crate::rules::links::instead::write_instead;
use crate::rules::rule::{Check, FixKind, Group, Level, MAX_FINDINGS, Rule};
use crate::view::references::{self, Target};
use crate::view::skill::SkillView;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkBroken,
    level: Level::Deny,
    group: Group::Links,
    summary: "a relative link leads to a file of the skill",
    why: "A model follows the links of a skill to learn more. A broken link costs the model a \
          turn, and the model misses what the author meant it to read. Inline code counts as a \
          link if it is a path under `scripts/`, `references/` or `assets/`, and either begins its \
          line or follows a verb such as `run` or `read`. Code blocks, addresses with a scheme, \
          anchors and templates do not count.",
    bad: with_link!("references/stile.md", "references/style.md"),
    marks: "references/stile.md",
    good: with_link!("references/style.md", "references/style.md"),
    fix: FixKind::Unsafe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let missing = view
        .targets()
        .iter()
        .filter(|(_, target)| matches!(target, Target::Missing));
    missing
        .enumerate()
        .map(|(n, (link, _))| {
            let written = link.path_span.of(view.text());
            let finding = view.at(link.span, format!("`{written}` is not a file of the skill"));
            // Later findings are counted, not shown.
            let near = (n < MAX_FINDINGS).then(|| references::nearest(view, link));
            match near.flatten() {
                Some(path) => write_instead(finding, link, view, &path),
                None => finding.help("add the file, or remove the link"),
            }
        })
        .collect()
}
