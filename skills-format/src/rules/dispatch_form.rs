use super::example::with_fields;
use super::{Check, Example, Group, Mends, Rule, SkillView};
use crate::config::Level;
use crate::diagnostic::Diagnostic;

pub(crate) const RULE: Rule = Rule {
    id: "dispatch-form",
    level: Level::Deny,
    group: Group::Fields,
    summary: "`command-dispatch` is `tool` and has its `command-tool`",
    why: "A slash command that dispatches calls a tool with no model between. Where the tool is \
          not named, or the mode is not known, nothing can be called.",
    bad: Example::Skill(with_fields!("command-dispatch: tool\n")),
    marks: "tool",
    good: Example::Skill(with_fields!(
        "command-dispatch: tool\ncommand-tool: changelog\n"
    )),
    mends: Mends::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let dispatch = view.text_field("command-dispatch");
    match dispatch {
        Some((value, "tool")) if !view.has("command-tool") => found.push(
            view.at(
                value.span,
                "the slash command calls a tool, and `command-tool` names none",
            )
            .help("write `command-tool: ` and the tool's name"),
        ),
        Some((value, mode)) if mode != "tool" => found.push(
            view.at(value.span, format!("`command-dispatch` cannot be `{mode}`"))
                .help("write `tool`, the only mode there is"),
        ),
        _ => {}
    }
    if let Some((_, value)) = view.field("command-tool")
        && !view.has("command-dispatch")
    {
        found.push(
            view.at(
                value.span,
                "`command-tool` without `command-dispatch` calls nothing",
            )
            .help("write `command-dispatch: tool`"),
        );
    }
    if let Some((value, mode)) = view.text_field("command-arg-mode")
        && mode != "raw"
    {
        found.push(
            view.at(value.span, format!("`command-arg-mode` cannot be `{mode}`"))
                .help("write `raw`, the only mode there is"),
        );
    }
    found
}
