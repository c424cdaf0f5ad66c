//! The manifests of Codex and Gemini CLI, by what Codex 0.169.0 and Gemini CLI 0.61.0 do with them.

use crate::repository::manifest::form::{Fault, Form, Harm, kind, text};
use crate::repository::manifest::paths::Paths;
use crate::repository::manifest::read::Report;
use skills_format::yaml::Node;
use skills_format::{RuleId, Severity, Span};

/// Checks a plugin's manifest of Codex, which is an object. Codex reads over a wrong `author` or `skills`.
pub(super) fn codex(file: &Node, report: &mut Report<'_, '_>) {
    let harm = Harm::Plugin;
    let is_right = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    name(file, report, "letters, digits, `.`, `_` and `-`", is_right);
    for (field, form) in [
        ("version", Form::Text),
        ("description", Form::Text),
        ("keywords", Form::Texts),
        ("interface", Form::Object),
    ] {
        report.field(file, field, form, harm);
    }
    let display = file.get("interface").and_then(|it| it.get("displayName"));
    report.value(display, "interface.displayName", Form::Text, harm);
}

/// Checks an extension's manifest of Gemini CLI, which is an object.
pub(super) fn gemini(file: &Node, report: &mut Report<'_, '_>, paths: &Paths<'_>, folder: &str) {
    let harm = Harm::Plugin;
    let is_right = |c: char| c.is_ascii_alphanumeric() || c == '-';
    name(file, report, "letters, digits and `-`", is_right);
    if file.get("name").and_then(text) == Some("") {
        let span = file.get("name").map_or(file.span, |name| name.span);
        let fault = Fault::new(span, "`name` is empty", "write a name");
        report.fault(RuleId::ManifestName, fault, harm);
    }
    let version = file.get("version");
    if version.is_none_or(|version| version.is_null() || text(version) == Some("")) {
        let span = version.map_or(Span::at(file.span.start), |version| version.span);
        let fault = Fault::new(
            span,
            "it has no `version`",
            "write one, as in `\"version\": \"1.0.0\"`",
        );
        report.fault(RuleId::ManifestForm, fault, harm);
    }
    for (field, form) in [("settings", Form::List), ("excludeTools", Form::Texts)] {
        report.field(file, field, form, harm);
    }
    if let Some(context) = file.get("contextFileName") {
        let named = context.items().unwrap_or(std::slice::from_ref(context));
        for value in named {
            let message = match text(value) {
                None | Some("") => {
                    format!("`contextFileName` holds {}, not a path", kind(value))
                }
                Some(path)
                    if paths
                        .inside(folder, path)
                        .is_some_and(|at| !paths.exists(&at)) =>
                {
                    format!("`contextFileName` names `{path}`, which does not exist")
                }
                Some(_) => continue,
            };
            let help = "write the name of a file of the extension; Gemini CLI loads the extension \
                        without it, and its `extensions validate` fails";
            let rule = RuleId::ManifestPath;
            report.at(
                rule,
                value.span,
                message,
                help.to_owned(),
                Severity::Warning,
            );
        }
    }
}

/// Checks the name. Codex takes the name of the marketplace in place of an empty one.
fn name(file: &Node, report: &mut Report<'_, '_>, chars: &str, is_right: impl Fn(char) -> bool) {
    let help = "write small letters, digits and hyphens";
    let fault = match file.entry("name") {
        None => Fault::new(Span::at(file.span.start), "it has no `name`", help),
        Some((_, value)) => match text(value) {
            None => Fault::kind("name", value, "a text", help),
            Some(name) if name.chars().all(is_right) => return,
            Some(name) => {
                let message = format!("the name `{name}` may hold only {chars}");
                Fault::new(value.span, message, help)
            }
        },
    };
    report.fault(RuleId::ManifestName, fault, Harm::Plugin);
}
