use crate::rules::example::{Example, with_fields};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::form::Form;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Fix, Severity};
use skills_format::skill::document::FormKind;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::TextForm,
    level: Level::Warn,
    group: Group::File,
    summary: "`SKILL.md` begins with `---` and has LF line endings and no byte-order mark",
    why: "Some clients accept only the three bytes `---` at the start of a file. A file that begins differently is \
          read here, but those clients drop it. CRLF line endings are only information, unless a level is set: \
          every client that was tested reads them, and git writes them on Windows.",
    bad: Example::Skill(
        "---\nname: release-notes\n\
         description: Writes release notes. Use when a version is published.\n...\n\n\
         List every merged change.\n",
    ),
    marks: "...",
    good: Example::Skill(with_fields!("")),
    fix: FixKind::Safe,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, form) in view.forms().iter().enumerate() {
        // One finding for one cause: `client-drops` names the clients.
        if !view.mind(number, form).is_empty() {
            continue;
        }
        let mut finding = view.at(RULE.id, form.span, form.message).help(works(form));
        if form.kind == FormKind::CarriageReturns {
            finding = finding.at_most(Severity::Info);
        }
        found.push(finding.fix(Fix::safe(form.edits.clone())));
    }
    found
}

/// Returns what to write in place of a form.
pub(crate) fn works(form: &Form) -> &'static str {
    if form.edits.iter().all(|edit| edit.text.is_empty()) {
        "remove it"
    } else if form.kind == FormKind::TextBefore {
        "move it below the front matter"
    } else {
        "write `---`"
    }
}

#[cfg(test)]
mod tests {
    use crate::check::check;
    use crate::rules::tests::tree;
    use skills_check::Config;
    use skills_format::diagnostic::Severity;

    /// Every client that was run reads such a file, and git on Windows writes it: `--deny warnings` passes.
    #[test]
    fn line_ends_of_windows() {
        let text = "---\nname: x\ndescription: Does. Use when asked.\n---\n\nGo.\n";
        for text in [text.replace('\n', "\r\n"), text.replacen('\n', "\r\n", 2)] {
            let tree = tree(&[("x/SKILL.md", text)]);
            let found = check("skills", &tree, &Config::default()).diagnostics;
            let told: Vec<_> = found
                .iter()
                .map(|it| (it.rule.as_str(), it.severity))
                .collect();
            assert_eq!(told, [("text-form", Severity::Info)]);
        }
    }
}
