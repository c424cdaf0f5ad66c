//! The hooks of a plugin of Claude Code: in its manifest, in the entry of a marketplace, and in `hooks/hooks.json`. Version
//! 2.1.330 was given 40 plugins with hooks.

use super::form::{Harm, is_object, kind, text};
use super::{MAX_FINDINGS, Manifest, Paths, Report};
use skills_format::yaml::Node;
use skills_format::{Diagnostic, RuleId, Severity, Span, join};
use skills_lint::{Condition, HookFault, hook_faults};

/// The file of hooks that is read although no manifest names it.
const FILE: &str = "hooks/hooks.json";

/// Checks the hooks that a manifest holds itself: one object, or objects in a list. A marketplace's entry with a fault is
/// refused. So is a plugin if a hook that can refuse calls of tools has the fault; other hooks never run.
pub(super) fn inline(value: &Node, harm: Harm, report: &mut Report<'_>) {
    let all = value.items().unwrap_or(std::slice::from_ref(value));
    for fault in all.iter().filter(|it| is_object(it)).flat_map(faults) {
        let (span, what, works) = (fault.span, fault.what, fault.works);
        if harm == Harm::Entry || fault.guards {
            report.form(span, what, works, harm);
        } else {
            let help = format!("{works}; Claude Code loads the plugin, and the hook never runs");
            report.at(RuleId::ManifestForm, Severity::Warning, span, what, help);
        }
    }
}

/// Checks the files of hooks of a plugin: [`FILE`], and those that the manifest names.
pub(super) fn files(plugin: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let named = plugin.file.get("hooks");
    let named = named.map_or(&[][..], |it| it.items().unwrap_or(std::slice::from_ref(it)));
    let mut files = vec![FILE];
    for path in named
        .iter()
        .filter_map(text)
        .filter_map(|path| path.strip_prefix("./"))
    {
        if !files.contains(&path) {
            files.push(path);
        }
    }
    let above = plugin.shown.strip_suffix(".claude-plugin/plugin.json");
    let mut found = Vec::new();
    for path in files {
        if found.len() <= MAX_FINDINGS && paths.inside(folder, path).is_some() {
            let shown = format!("{}{path}", above.unwrap_or_default());
            let text = paths.text(&join(folder, path));
            let help = "correct it; Claude Code loads none of the hooks otherwise";
            // A missing file that the manifest names is reported with the manifest.
            if let Some(file) = Manifest::read(shown, text, help, &mut found) {
                found.extend(self::file(&file));
            }
        }
    }
    found
}

fn file(manifest: &Manifest) -> Vec<Diagnostic> {
    let file = &manifest.file;
    let start = Span::at(file.span.start);
    let mut report = Report::new(manifest);
    let help = "put the events into an object `hooks`";
    match file.get("hooks") {
        _ if !is_object(file) => lost(
            &mut report,
            start,
            format!("it is {}, not an object", kind(file)),
            help,
        ),
        None if file.get("modules").is_some() => {}
        None => lost(&mut report, start, "it has no `hooks`".to_owned(), help),
        Some(hooks) if !is_object(hooks) => {
            let message = format!("`hooks` is {}, not an object", kind(hooks));
            lost(&mut report, hooks.span, message, help);
        }
        Some(hooks) => {
            for fault in faults(hooks) {
                if fault.guards {
                    lost(&mut report, fault.span, fault.what, fault.works);
                } else {
                    let help = format!("{}; Claude Code never runs the hook", fault.works);
                    let rule = RuleId::ManifestForm;
                    report.at(rule, Severity::Warning, fault.span, fault.what, help);
                }
            }
        }
    }
    report.end()
}

fn lost(report: &mut Report<'_>, span: Span, message: String, help: &str) {
    let help = format!("{help}; Claude Code loads none of the hooks otherwise");
    report.form_error(span, message, &help);
}

fn faults(hooks: &Node) -> Vec<HookFault> {
    let mut facts = skills_clients::check::clients()
        .iter()
        .filter(|client| client.name == "claude-code")
        .flat_map(|client| client.facts);
    let fact = facts.find(|fact| fact.on == Condition::Hooks);
    fact.map_or_else(Vec::new, |fact| hook_faults(hooks, fact.values))
}
