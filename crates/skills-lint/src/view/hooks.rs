//! The form of the hooks of Claude Code, in front matter and in manifests of plugins.

use skills_format::text::span::Span;
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

/// A part of hooks that is not loaded.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookFault {
    pub span: Span,
    pub what: String,
    pub works: &'static str,
    /// True if the part can refuse calls of tools. Claude Code does not load a plugin with such a part.
    pub guards: bool,
    /// True if only the event is unknown.
    pub is_event: bool,
}

/// Returns the faults of hooks: of the whole value, or of each event.
#[doc(hidden)]
pub fn hook_faults(hooks: &Node, events: &[&str]) -> Vec<HookFault> {
    if hooks.kind() != "a mapping" {
        return vec![HookFault {
            span: hooks.span,
            what: format!("`hooks` is {}, not a mapping of events", hooks.kind()),
            works: "write `PreToolUse` and below it a list of matchers",
            guards: false,
            is_event: false,
        }];
    }
    let mut found = Vec::new();
    for (key, groups) in hooks.entries() {
        let event = key.as_str().unwrap_or_default();
        if events.contains(&event) {
            found.extend(of_event(key, groups));
        } else {
            // `hooks` in `hooks`, as in a file of hooks.
            let mut inner = groups.entries().iter();
            let guards = inner.any(|(key, _)| key.as_str().is_some_and(is_guard));
            found.push(HookFault {
                span: key.span,
                what: format!("`{event}` is not an event"),
                works: "write an event of the page, such as `PreToolUse`",
                guards,
                is_event: true,
            });
        }
    }
    found
}

/// Returns the faults of the groups of a known event.
pub(crate) fn of_event(key: &Node, groups: &Node) -> Vec<HookFault> {
    let event = key.as_str().unwrap_or_default();
    let fault = |span, what: String, works| HookFault {
        span,
        what,
        works,
        guards: is_guard(event),
        is_event: false,
    };
    let Some(groups_of) = groups.items() else {
        let what = format!("the hooks of `{event}` are {}, not a list", groups.kind());
        let works = "write a list of matchers, each with its `hooks`";
        return vec![fault(groups.span, what, works)];
    };
    let mut found = Vec::new();
    for group in groups_of {
        let matcher = group.get("matcher").filter(|matcher| !is_text(matcher));
        if let Some(matcher) = matcher {
            let what = format!("the `matcher` of `{event}` is {}, not text", matcher.kind());
            found.push(fault(
                matcher.span,
                what,
                "write the names of tools as a text",
            ));
        }
        let Some(hooks) = group.get("hooks").and_then(Node::items) else {
            let what = format!("a matcher of `{event}` has no list `hooks`");
            let works = "write a list `hooks`, each hook with its `type`";
            found.push(fault(group.span, what, works));
            continue;
        };
        for hook in hooks {
            if let Some((span, what, works)) = of_hook(hook, event) {
                found.push(fault(span, what, works));
            }
        }
    }
    found
}

fn of_hook(hook: &Node, event: &str) -> Option<(Span, String, &'static str)> {
    let kind = hook.get("type").filter(|kind| is_text(kind));
    let name = kind.and_then(Node::as_str).unwrap_or_default();
    let Some((_, fields)) = TYPES.iter().find(|(known, _)| *known == name) else {
        let span = hook.get("type").map_or(hook.span, |kind| kind.span);
        let what = match kind {
            Some(_) => format!("`{name}` is not the `type` of a hook"),
            None => format!("a hook of `{event}` has no `type`"),
        };
        let works = "write `command`, `prompt`, `agent`, `http` or `mcp_tool`";
        return Some((span, what, works));
    };
    let is_missing = |field: &&&str| !hook.get(field).is_some_and(is_text);
    if let Some(field) = fields.iter().find(is_missing) {
        let what = format!("a hook of `{event}` has no text `{field}`");
        return Some((hook.span, what, "write the field as a text"));
    }
    let timeout = hook.get("timeout").filter(|node| !is_positive(node));
    if let Some(timeout) = timeout {
        let what = "the `timeout` of a hook is not a number of seconds".to_owned();
        return Some((timeout.span, what, "write a number above 0"));
    }
    let mut switches = ["async", "asyncRewake", "once"].iter();
    switches.find_map(|key| {
        let value = hook.get(key).filter(|value| value.as_bool().is_none())?;
        let what = format!("`{key}` of a hook is not a truth value");
        Some((value.span, what, "write `true` or `false`"))
    })
}

fn is_positive(node: &Node) -> bool {
    let number = node.as_str().and_then(|text| text.parse::<f64>().ok());
    node.kind() == "a number" && number.is_some_and(|number| number > 0.0)
}

pub(crate) fn is_text(node: &Node) -> bool {
    node.kind() == "text"
}

fn is_guard(event: &str) -> bool {
    GUARDS.contains(&event)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::yaml;

    /// As Claude Code 2.1.330 loads plugins with such hooks, or refuses them.
    #[test]
    fn parts_that_are_not_loaded() {
        let right = "{matcher: Bash, hooks: [{type: command, command: x}]}";
        for (hooks, expected) in [
            (format!("Stop: [{right}]"), None),
            (format!("PreToolUse: [{right}]"), None),
            ("PreToolUse: []".to_owned(), None),
            (
                "Stop: [{hooks: [{type: mcp_tool, server: a, tool: b, timeout: 5}]}]".to_owned(),
                None,
            ),
            (format!("Halt: [{right}]"), Some((false, true))),
            (format!("hooks: {{Stop: [{right}]}}"), Some((false, true))),
            (
                format!("hooks: {{PreToolUse: [{right}]}}"),
                Some((true, true)),
            ),
            ("Stop: x".to_owned(), Some((false, false))),
            ("PreToolUse: x".to_owned(), Some((true, false))),
            ("PreToolUse: [3]".to_owned(), Some((true, false))),
            (
                "PreToolUse: [{type: command, command: x}]".to_owned(),
                Some((true, false)),
            ),
            (
                "PermissionRequest: [{hooks: [{type: cmd}]}]".to_owned(),
                Some((true, false)),
            ),
            (
                "PreToolUse: [{hooks: [{type: command, command: x, timeout: y}]}]".to_owned(),
                Some((true, false)),
            ),
            (
                "PreToolUse: [{matcher: 3, hooks: []}]".to_owned(),
                Some((true, false)),
            ),
            (
                "Stop: [{hooks: [{command: x}]}]".to_owned(),
                Some((false, false)),
            ),
            (
                "Stop: [{hooks: [{type: command}]}]".to_owned(),
                Some((false, false)),
            ),
            (
                "Stop: [{hooks: [{type: prompt, prompt: x, once: y}]}]".to_owned(),
                Some((false, false)),
            ),
        ] {
            let node = yaml::parse(&hooks).expect(&hooks).expect(&hooks);
            let found = hook_faults(&node, &["Stop", "PreToolUse", "PermissionRequest"]);
            let found: Vec<_> = found.iter().map(|it| (it.guards, it.is_event)).collect();
            assert_eq!(found, Vec::from_iter(expected), "{hooks}");
        }
    }
}
