//! Reads the hooks that can refuse a call of a tool: without them the skill may do more.

use crate::powers::matcher;
use crate::powers::reader::{Reader, excerpt};
use crate::view::hooks::{GUARDS, TYPES, is_loaded, is_text};
use skills_format::text::span::Lines;
use skills_format::yaml::node::Node;
use skills_permit::PowerKind;
use skills_permit::power::restraint::{ENDED, NOT_AS_READ, OF_TOOL, ONLY_IF};

/// A time limit below this many seconds can end a guard before it answers. Then the call passes.
const SHORT: f64 = 5.0;

/// Adds the guards of hooks. A guard of several tools is a restraint for each. The suffix stands after each restraint; a
/// guard that can let calls pass has a suffix of its own, so that it is not the same restraint as one that cannot.
pub(super) fn add(hooks: &Node, suffix: &str, lines: &Lines<'_>, reader: &mut Reader) {
    // Claude Code loads none of a skill's hooks then.
    let is_loaded = hooks.entries().iter().all(|(_, groups)| is_loaded(groups));
    for (event, groups) in hooks.entries() {
        let event = event.as_str().unwrap_or_default();
        if !GUARDS.contains(&event) {
            continue;
        }
        for group in groups.items().unwrap_or_default() {
            let matcher = match group.get("matcher") {
                None => "",
                Some(matcher) if is_text(matcher) => matcher.as_str().unwrap_or_default(),
                // It matches no tool.
                Some(_) => continue,
            };
            let tools = matcher::tools(matcher);
            for hook in group.get("hooks").and_then(Node::items).unwrap_or_default() {
                let Some((at, what)) = what(hook) else {
                    continue;
                };
                let is = |key: &str| hook.get(key).and_then(Node::as_bool) == Some(true);
                let fault = if !is_loaded {
                    "hooks that Claude Code does not load"
                } else if !matcher::is_sound(matcher) {
                    "a matcher that is no regular expression"
                } else if is("async") || is("asyncRewake") {
                    "a hook that runs in the background"
                } else if is("once") {
                    "a hook that runs once"
                } else {
                    ""
                };
                let suffix = match (suffix, fault) {
                    ("", "") => String::new(),
                    ("", fault) => format!("{NOT_AS_READ}{fault}"),
                    _ => suffix.to_owned(),
                };
                let line = lines.position(at).line;
                let text = format!("{}{}", excerpt(&what), limits(hook));
                for tool in &tools {
                    let guard = format!("{event}{OF_TOOL}{tool}: {text}");
                    if hook.get("onFailure").and_then(Node::as_str) == Some("block") {
                        let strict = format!("{guard}, also when it fails{suffix}");
                        reader.add(PowerKind::Restraints, strict, line);
                    }
                    reader.add(PowerKind::Restraints, format!("{guard}{suffix}"), line);
                }
            }
        }
    }
}

/// Returns what a hook runs or asks, and its place: the field that its type says, since clients read no other.
fn what(hook: &Node) -> Option<(usize, String)> {
    let kind = hook.get("type").and_then(Node::as_str).unwrap_or_default();
    let known = TYPES.iter().find(|(known, _)| *known == kind);
    // A hook without a type is not loaded, and its suffix says so.
    let keys = known.map_or(&["command"][..], |(_, keys)| keys);
    let values = keys.iter().filter_map(|key| hook.get(key));
    let at = values.clone().next()?.span.start;
    let mut texts: Vec<String> = values
        .map(|value| value.as_str().unwrap_or_default().to_owned())
        .collect();
    for key in ["args", "input"] {
        texts.extend(hook.get(key).map(Node::to_json));
    }
    if !matches!(kind, "" | "command") {
        texts.insert(0, kind.to_owned());
    }
    let shell = hook.get("shell").and_then(Node::as_str);
    texts.extend(
        shell
            .filter(|shell| *shell != "bash")
            .map(|shell| format!("(in {shell})")),
    );
    Some((at, texts.join(" ")))
}

/// Returns what stands after a guard that is not asked about every call, or does not always answer in time.
fn limits(hook: &Node) -> String {
    let mut limits = String::new();
    if let Some(rule) = hook.get("if") {
        limits.push_str(ONLY_IF);
        limits.push_str(&excerpt(rule.as_str().unwrap_or(rule.kind())));
    }
    let seconds = hook.get("timeout").and_then(Node::as_str);
    if let Some(seconds) = seconds
        && seconds.parse::<f64>().is_ok_and(|number| number < SHORT)
    {
        limits.push_str(ENDED);
        limits.push_str(seconds);
        limits.push_str(" s");
    }
    limits
}
