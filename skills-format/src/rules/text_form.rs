use super::example::with_fields;
use super::{Check, Example, Group, Mends, Rule, SkillView};
use crate::config::Level;
use crate::diagnostic::{Diagnostic, Fix};

pub(crate) const RULE: Rule = Rule {
    id: "text-form",
    level: Level::Warn,
    group: Group::File,
    summary: "`SKILL.md` begins with `---`, has LF line ends and no byte-order mark",
    why: "Some clients look for the three bytes `---` and nothing else. What is read here all the \
          same is lost there.",
    bad: Example::Skill(
        "---\nname: release-notes\n\
         description: Writes release notes. Use when a version is published.\n...\n\n\
         List every merged change.\n",
    ),
    marks: "...",
    good: Example::Skill(with_fields!("")),
    mends: Mends::Safely,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let forms = view.document().map(|document| document.forms.as_slice());
    let forms = forms.unwrap_or_default().iter();
    forms
        .map(|form| {
            let help = if form.edits.iter().all(|edit| edit.text.is_empty()) {
                "remove it"
            } else {
                "write `---`"
            };
            view.at(form.span, form.message)
                .help(help)
                .fix(Fix::safe(form.edits.clone()))
        })
        .collect()
}
