//! The hooks of a plugin of Claude Code: in its manifest, in the entry of a marketplace, and in `hooks/hooks.json`. Version
//! 2.1.330 was given 40 plugins with hooks.

use crate::repository::manifest::form::{Fault, Harm, is_object, kind};
use crate::repository::manifest::paths::{Paths, is_missing};
use crate::repository::manifest::read::{Manifest, Report, is_full};
use skills_format::yaml::{Node, json};
use skills_format::{Diagnostic, RuleId, Severity, Span, join};
use skills_lint::{Condition, HookFault, hook_faults};
use std::cell::Cell;

/// The file of hooks that is read although no manifest names it.
const FILE: &str = "hooks/hooks.json";

/// Checks the hooks that a manifest holds itself: one object, or objects in a list. A marketplace's entry with a fault is
/// refused. So is a plugin if a hook that can refuse calls of tools has the fault; other hooks never run.
pub(super) fn inline(value: &Node, harm: Harm, report: &mut Report<'_, '_>) {
    let all = value.items().unwrap_or(std::slice::from_ref(value));
    for fault in all.iter().filter(|it| is_object(it)).flat_map(faults) {
        let HookFault {
            span, what, works, ..
        } = fault;
        if harm == Harm::Entry || fault.guards {
            report.fault(RuleId::ManifestForm, Fault::new(span, what, works), harm);
        } else {
            let help = format!("{works}; Claude Code loads the plugin, and the hook never runs");
            report.at(RuleId::ManifestForm, span, what, help, Severity::Warning);
        }
    }
}

/// Checks the files of hooks of a plugin: [`FILE`], and those that the manifest names.
pub(super) fn files(
    plugin: &Manifest,
    manifest: &Node,
    paths: &Paths<'_>,
    folder: &str,
    found: &mut Vec<Diagnostic>,
) {
    let named = manifest.get("hooks");
    let all = named.map_or(&[][..], |named| {
        named.items().unwrap_or(std::slice::from_ref(named))
    });
    let named = all.iter().filter_map(Node::as_str);
    let named = named.filter_map(|path| path.strip_prefix("./"));
    let mut seen = Vec::new();
    for path in std::iter::once(FILE).chain(named) {
        if is_full(found) || seen.contains(&path) {
            continue;
        }
        seen.push(path);
        if paths.inside(folder, path).is_some() {
            file(plugin, paths, folder, path, found);
        }
    }
}

fn file(
    plugin: &Manifest,
    paths: &Paths<'_>,
    folder: &str,
    path: &str,
    found: &mut Vec<Diagnostic>,
) {
    let above = plugin.shown.strip_suffix(".claude-plugin/plugin.json");
    let mut manifest = Manifest {
        shown: format!("{}{path}", above.unwrap_or_default()),
        text: String::new(),
        value: serde_json::Value::Null,
        placed: Cell::default(),
    };
    let read = match paths.text(&join(folder, path)) {
        Ok(text) => {
            manifest.text = text;
            json::parse(&manifest.text)
                .map_err(|error| (error.offset, format!("it is not JSON: {error}")))
        }
        // A path that the manifest names is reported with the manifest.
        Err(error) if is_missing(&error) => return,
        Err(error) => Err((0, format!("it cannot be read: {error}"))),
    };
    let mut report = Report::new(&manifest, found);
    let node = match read {
        Ok(node) => node,
        Err((offset, message)) => {
            return lost(&mut report, Span::at(offset), message, "correct it");
        }
    };
    let help = "put the events into an object `hooks`";
    let start = Span::at(node.span.start);
    if !is_object(&node) {
        return lost(
            &mut report,
            start,
            format!("it is {}, not an object", kind(&node)),
            help,
        );
    }
    let hooks = match node.get("hooks") {
        Some(hooks) if !is_object(hooks) => {
            let message = format!("`hooks` is {}, not an object", kind(hooks));
            return lost(&mut report, hooks.span, message, help);
        }
        Some(hooks) => hooks,
        None if node.get("modules").is_some() => return,
        None => return lost(&mut report, start, "it has no `hooks`".to_owned(), help),
    };
    for fault in faults(hooks) {
        if fault.guards {
            lost(&mut report, fault.span, fault.what, fault.works);
        } else {
            let help = format!("{}; Claude Code never runs the hook", fault.works);
            let severity = Severity::Warning;
            report.at(RuleId::ManifestForm, fault.span, fault.what, help, severity);
        }
    }
}

fn lost(report: &mut Report<'_, '_>, span: Span, message: String, help: &str) {
    let help = format!("{help}; Claude Code loads none of the hooks otherwise");
    report.at(RuleId::ManifestForm, span, message, help, Severity::Error);
}

fn faults(hooks: &Node) -> Vec<HookFault> {
    let clients = skills_clients::check::clients().iter();
    let facts = clients.filter(|client| client.name == "claude-code");
    let mut facts = facts.flat_map(|client| client.facts);
    let fact = facts.find(|fact| fact.on == Condition::Hooks);
    fact.map_or_else(Vec::new, |fact| hook_faults(hooks, fact.values))
}
