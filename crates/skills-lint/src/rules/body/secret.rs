use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::secrets::secrets;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::Secret,
    level: Level::Deny,
    group: Group::Body,
    summary: "no text looks like a key or a token",
    why: "A skill is published and copied together with every key in it. A form that only keys have, such as \
          `ghp_…`, `AKIA…`, a private key, or the address of a Slack webhook, is an error. Text that merely looks \
          like a key, such as `apiKey: \"…\"` with 32 random characters, is a warning. Placeholders and samples \
          from vendors' documentation are not reported. `skills check`, `skills show --powers`, `skills diff` and \
          `skills page` show only the first characters of a key.",
    bad: Example::Skill(with_body!(
        "Send the header `X-Key: ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi`.\n"
    )),
    marks: "ghp_R7qk2ZsW9pLmX4vT8bNcY3hJ6fGdA1eU5oQi",
    good: Example::Skill(with_body!("Send the header `X-Key: $GITHUB_TOKEN`.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (file, text, rules) in view.texts() {
        for secret in secrets(text, *rules) {
            let message = format!("this looks like {}", secret.what);
            let finding = Finding::new(RULE.id, &file.path, message).at(secret.span);
            let finding =
                finding.help("withdraw it, and name a variable of the environment instead");
            found.push(if secret.is_certain {
                finding
            } else {
                finding.at_most(Severity::Warning)
            });
        }
    }
    found
}
