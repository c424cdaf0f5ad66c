//! The form of the hooks of Claude Code in front matter.

use skills_format::yaml::node::Node;

/// The events at which a hook can refuse a call of a tool.
pub(crate) const GUARDS: [&str; 2] = ["PreToolUse", "PermissionRequest"];

/// The fields that a hook must have, as texts, by its type.
pub(crate) const TYPES: [(&str, &[&str]); 5] = [
    ("agent", &["prompt"]),
    ("command", &["command"]),
    ("http", &["url"]),
    ("mcp_tool", &["server", "tool"]),
    ("prompt", &["prompt"]),
];

/// Returns whether Claude Code loads the hooks of an event: a list of matchers, each with a list of hooks.
pub(crate) fn is_loaded(groups: &Node) -> bool {
    groups.items().is_some_and(|groups| {
        groups.iter().all(|group| {
            let hooks = group.get("hooks").and_then(Node::items);
            group.get("matcher").is_none_or(is_text)
                && hooks.is_some_and(|hooks| hooks.iter().all(is_hook))
        })
    })
}

fn is_hook(hook: &Node) -> bool {
    let kind = hook.get("type").filter(|kind| is_text(kind));
    let kind = kind.and_then(Node::as_str);
    let known = TYPES.iter().find(|(known, _)| Some(*known) == kind);
    known.is_some_and(|(_, fields)| {
        let has_text = |field: &&str| hook.get(field).is_some_and(is_text);
        fields.iter().all(has_text)
    }) && hook.get("timeout").is_none_or(is_positive)
        && ["async", "asyncRewake", "once"]
            .iter()
            .all(|key| hook.get(key).is_none_or(|value| value.as_bool().is_some()))
}

fn is_positive(node: &Node) -> bool {
    let number = node.as_str().and_then(|text| text.parse::<f64>().ok());
    node.kind() == "a number" && number.is_some_and(|number| number > 0.0)
}

pub(crate) fn is_text(node: &Node) -> bool {
    node.kind() == "text"
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::yaml;

    /// As Claude Code 2.1.330 loads plugins with such hooks, or refuses them.
    #[test]
    fn parts_that_are_not_loaded() {
        for (groups, expected) in [
            (
                "[{matcher: Bash, hooks: [{type: command, command: x}]}]",
                true,
            ),
            ("[]", true),
            (
                "[{hooks: [{type: mcp_tool, server: a, tool: b, timeout: 5}]}]",
                true,
            ),
            ("x", false),
            ("[3]", false),
            ("[{type: command, command: x}]", false),
            ("[{hooks: [{type: cmd}]}]", false),
            (
                "[{hooks: [{type: command, command: x, timeout: y}]}]",
                false,
            ),
            ("[{matcher: 3, hooks: []}]", false),
            ("[{hooks: [{command: x}]}]", false),
            ("[{hooks: [{type: command}]}]", false),
            ("[{hooks: [{type: prompt, prompt: x, once: y}]}]", false),
        ] {
            let node = yaml::parse(groups).expect(groups).expect(groups);
            assert_eq!(is_loaded(&node), expected, "{groups}");
        }
    }
}
