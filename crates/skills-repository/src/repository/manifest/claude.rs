//! The manifests of Claude Code, by what the program does with them. Version 2.1.330 was given 900 manifests: what it
//! refuses, and what it loads without a part, is a finding; what only its advice is about is none.

use crate::repository::manifest::component::{COMPONENTS, Component, EXPERIMENTAL};
use crate::repository::manifest::form::{Fault, Form, Harm, is_object, kind, text};
use crate::repository::manifest::hooks;
use crate::repository::manifest::paths::Paths;
use crate::repository::manifest::read::{Report, is_full};
use skills_format::yaml::Node;
use skills_format::{RuleId, Severity, Span};

const PLUGIN: &[(&str, Form, Harm)] = &[
    ("version", Form::Text, Harm::Plugin),
    ("defaultEnabled", Form::Truth, Harm::Plugin),
    ("dependencies", Form::Dependencies, Harm::Plugin),
    ("settings", Form::Object, Harm::Plugin),
    ("userConfig", Form::Objects, Harm::Plugin),
    ("channels", Form::List, Harm::Plugin),
    ("$schema", Form::Text, Harm::Field),
    ("description", Form::Text, Harm::Field),
    ("displayName", Form::Text, Harm::Field),
    ("homepage", Form::Url, Harm::Field),
    ("repository", Form::Text, Harm::Field),
    ("license", Form::Text, Harm::Field),
    ("keywords", Form::Texts, Harm::Field),
    ("author", Form::Author, Harm::Field),
];

const MARKETPLACE: &[(&str, Form)] = &[
    ("$schema", Form::Text),
    ("description", Form::Text),
    ("version", Form::Text),
    ("owner", Form::Author),
    ("metadata", Form::Object),
    ("allowCrossMarketplaceDependenciesOn", Form::Texts),
    ("forceRemoveDeletedPlugins", Form::Truth),
];

/// The fields of an entry beside those of a plugin.
const ENTRY: &[(&str, Form)] = &[
    ("category", Form::Text),
    ("tags", Form::Texts),
    ("strict", Form::Truth),
];

/// The names of marketplaces that the program keeps for itself.
const RESERVED: [&str; 4] = ["inline", "builtin", "skills-dir", "synced"];

/// The kinds of sources, and the part that each must have.
const SOURCES: [(&str, &str); 5] = [
    ("github", "repo"),
    ("url", "url"),
    ("git-subdir", "url"),
    ("npm", "package"),
    ("archive", "url"),
];

/// Checks a plugin's manifest, which is an object.
pub(super) fn plugin(file: &Node, report: &mut Report<'_, '_>, paths: &Paths<'_>, folder: &str) {
    plugin_name(file, report);
    for (field, form, harm) in PLUGIN {
        report.field(file, field, *form, *harm);
    }
    let on_disk = Some((paths, folder));
    components(file, Harm::Plugin, report, on_disk);
    if let Some(experimental) = file.get("experimental") {
        let named = |component: &&Component| EXPERIMENTAL.contains(&component.field);
        for component in COMPONENTS.iter().filter(named) {
            of_component(component, experimental, Harm::Plugin, report, on_disk);
        }
    }
}

/// A name with a sign of an id's (`plugin@marketplace`) or of a path is refused; one that no marketplace may list is not.
fn plugin_name(file: &Node, report: &mut Report<'_, '_>) {
    let help = "write small letters, digits and hyphens";
    let harm = Harm::Plugin;
    let Some((_, value)) = file.entry("name") else {
        let fault = Fault::new(Span::at(file.span.start), "it has no `name`", help);
        return report.fault(RuleId::ManifestName, fault, harm);
    };
    let Some(name) = text(value) else {
        let fault = Fault::kind("name", value, "a text", help);
        return report.fault(RuleId::ManifestName, fault, harm);
    };
    let is_refused = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '@' | ':' | '/' | '\\' | '\u{ad}' | '\u{200b}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if name.is_empty() {
        let fault = Fault::new(value.span, "`name` is empty", help);
        report.fault(RuleId::ManifestName, fault, harm);
    } else if let Some(wrong) = name.chars().find(|c| is_refused(*c)) {
        let message = format!("the name of the plugin holds {wrong:?}");
        let fault = Fault::new(value.span, message, help);
        report.fault(RuleId::ManifestName, fault, harm);
    } else if is_reserved(name) && !is_of_anthropic(file.get("author")) {
        let (message, help) = reserved(name);
        let severity = Severity::Info;
        report.at(RuleId::ManifestName, value.span, message, help, severity);
    } else if !is_id(name) {
        let message = format!("the plugin `{name}` cannot be listed in a marketplace by its name");
        let then = "Claude Code installs only names of letters, digits, `.`, `_` and `-`";
        let help = format!("{help}; {then}");
        report.at(
            RuleId::ManifestName,
            value.span,
            message,
            help,
            Severity::Warning,
        );
    }
}

/// Returns whether a name is kept for the plugins of Anthropic.
fn is_reserved(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let begins = ["claude-", "anthropic-", "anthropics-", "cc-plugin-"];
    let whole = ["claude", "anthropic", "anthropics"];
    let has = |word: &str| name.contains(word);
    begins.iter().any(|begin| name.starts_with(begin))
        || whole.contains(&name.as_str())
        || has("official") && (has("claude") || has("anthropic"))
}

/// Returns whether an author or an owner is Anthropic.
fn is_of_anthropic(author: Option<&Node>) -> bool {
    let name = author.and_then(|author| text(author.get("name")?));
    name.is_some_and(|name| name.to_ascii_lowercase().starts_with("anthropic"))
}

/// The message and the help about a reserved name. The plugin is installed all the same, so this is information.
fn reserved(name: &str) -> (String, String) {
    let message = format!("the name `{name}` is kept for Anthropic's own plugins");
    let help = "name it for what it does, without `claude-` or `anthropic-` before it; Claude Code installs the plugin, and \
                `claude plugin validate` and the plugin directory refuse it";
    (message, help.to_owned())
}

/// Checks the marketplace itself, which is an object. Its plugins are checked by [`entry`].
pub(super) fn marketplace(file: &Node, report: &mut Report<'_, '_>) {
    let harm = Harm::Marketplace;
    let help = "write small letters, digits and hyphens";
    match file.entry("name") {
        None => {
            let fault = Fault::new(Span::at(file.span.start), "it has no `name`", help);
            report.fault(RuleId::ManifestName, fault, harm);
        }
        Some((_, value)) => {
            let message = match text(value) {
                None => Some(format!("`name` is {}, not a text", kind(value))),
                Some("") => Some("`name` is empty".to_owned()),
                Some(name) if RESERVED.contains(&name.to_ascii_lowercase().as_str()) => {
                    Some(format!("the name `{name}` is reserved"))
                }
                Some(name) if !is_id(name) || name.contains("..") => Some(format!(
                    "`{name}` is not the name of a marketplace: letters, digits, `.`, `_` and `-`"
                )),
                Some(_) => None,
            };
            if let Some(message) = message {
                let fault = Fault::new(value.span, message, help);
                report.fault(RuleId::ManifestName, fault, harm);
            }
        }
    }
    if file.entry("owner").is_none() {
        let help = "write an object with a name, as in `{\"name\": \"A. Author\"}`";
        let fault = Fault::new(Span::at(file.span.start), "it has no `owner`", help);
        report.fault(RuleId::ManifestForm, fault, harm);
    }
    for (field, form) in MARKETPLACE {
        report.field(file, field, *form, harm);
    }
    if let Some(metadata) = file.get("metadata") {
        for part in ["description", "version", "pluginRoot"] {
            report.value(
                metadata.get(part),
                &format!("metadata.{part}"),
                Form::Text,
                harm,
            );
        }
    }
}

/// Checks an entry of a marketplace, which is an object with a text `name`. `place` is the plugin's folder, if the
/// plugin is at hand.
pub(super) fn entry(
    entry: &Node,
    report: &mut Report<'_, '_>,
    paths: &Paths<'_>,
    place: Option<&str>,
) {
    let harm = Harm::Entry;
    if let Some((name, value)) = entry
        .get("name")
        .and_then(|value| Some((text(value)?, value)))
        && !name.is_empty()
        && !is_id(name)
    {
        let message = format!(
            "`{name}` is not a name that can be installed: letters, digits, `.`, `_` and `-`"
        );
        let help = "write small letters, digits and hyphens";
        let fault = Fault::new(value.span, message, help);
        report.fault(RuleId::ManifestName, fault, harm);
    }
    let of_plugin = PLUGIN.iter().map(|(field, form, _)| (field, form));
    let of_entry = ENTRY.iter().map(|(field, form)| (field, form));
    for (field, form) in of_plugin.chain(of_entry) {
        report.field(entry, field, *form, harm);
    }
    components(entry, harm, report, place.map(|folder| (paths, folder)));
    if let Some(hooks) = entry.get("hooks")
        && text(hooks)
            .is_some_and(|path| path.starts_with("./") && path.strip_suffix(".json").is_some())
    {
        let message = "`hooks` of an entry is a path, which is not read";
        let help =
            "put the hooks into the plugin's `hooks/hooks.json`, or write them here as an object";
        let help = format!("{help}; Claude Code loads the plugin without the hooks");
        report.at(
            RuleId::ManifestForm,
            hooks.span,
            message.to_owned(),
            help,
            Severity::Warning,
        );
    }
}

/// Checks the source of an entry, which is not a path.
pub(super) fn source(entry: &Node, report: &mut Report<'_, '_>) {
    let help = "write a path that begins with `./`, or an object with `source` and where it is";
    let harm = Harm::Entry;
    let mut form = |fault| report.fault(RuleId::ManifestForm, fault, harm);
    let Some((_, source)) = entry.entry("source") else {
        let message = "an entry of `plugins` has no `source`";
        return form(Fault::new(entry.span, message, help));
    };
    if !is_object(source) {
        return form(Fault::kind("source", source, "a path or an object", help));
    }
    let Some((kind, value)) = source
        .get("source")
        .and_then(|kind| Some((text(kind)?, kind)))
    else {
        let message = "the source has no text `source`, which says where the plugin is";
        return form(Fault::new(source.span, message, help));
    };
    let Some((_, wanted)) = SOURCES.iter().find(|(known, _)| *known == kind) else {
        let message = format!("the kind of source `{kind}` is unknown");
        let help = "write `github`, `url`, `git-subdir`, `npm` or `archive`";
        return form(Fault::new(value.span, message, help));
    };
    let has_path = kind == "git-subdir";
    for part in [Some(*wanted), has_path.then_some("path")]
        .into_iter()
        .flatten()
    {
        match source.get(part) {
            None => {
                let message = format!("the source has no `{part}`");
                form(Fault::new(
                    source.span,
                    message,
                    "say where the plugin is fetched from",
                ));
            }
            Some(value) if text(value) == Some("") => {
                let message = format!("`source.{part}` is empty");
                form(Fault::new(
                    value.span,
                    message,
                    "say where the plugin is fetched from",
                ));
            }
            Some(value) => {
                if let Some(fault) = Form::Text.fault(&format!("source.{part}"), value) {
                    form(fault);
                }
            }
        }
    }
    if kind == "github"
        && let Some((repo, value)) = source
            .get("repo")
            .and_then(|repo| Some((text(repo)?, repo)))
        && !repo.is_empty()
        && (repo.matches('/').count() != 1 || repo.contains([':', ' ']))
    {
        let message = format!("`{repo}` is not `owner/repo`");
        let help = "write the owner and the name of the repository, as in `acme/tools`";
        form(Fault::new(value.span, message, help));
    }
    for part in ["ref", "sha", "version"] {
        let Some(value) = source.get(part) else {
            continue;
        };
        let is_sha = |text: &str| {
            text.len() == 40 && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
        };
        if let Some(fault) = Form::Text.fault(&format!("source.{part}"), value) {
            form(fault);
        } else if part == "sha" && !text(value).is_some_and(is_sha) {
            let message = "`source.sha` is not a whole commit id";
            let help = "write the 40 digits, in small letters";
            form(Fault::new(value.span, message, help));
        }
    }
}

fn components(
    object: &Node,
    harm: Harm,
    report: &mut Report<'_, '_>,
    on_disk: Option<(&Paths<'_>, &str)>,
) {
    for component in &COMPONENTS {
        // Of an entry's files the program says nothing if these are missing.
        let is_silent = harm == Harm::Entry
            && matches!(
                component.field,
                "hooks" | "mcpServers" | "lspServers" | "workflows" | "monitors"
            );
        let on_disk = on_disk.filter(|_| !is_silent);
        of_component(component, object, harm, report, on_disk);
    }
}

fn of_component(
    component: &Component,
    object: &Node,
    harm: Harm,
    report: &mut Report<'_, '_>,
    on_disk: Option<(&Paths<'_>, &str)>,
) {
    let Some(value) = object.get(component.field) else {
        return;
    };
    let named = component.read(value);
    for fault in named.faults {
        let rule = RuleId::ManifestForm;
        report.fault(rule, fault, harm);
    }
    if component.field == "hooks" {
        hooks::inline(value, harm, report);
    }
    let Some((paths, folder)) = on_disk else {
        return;
    };
    for (path, value) in named.paths {
        // Each path is a look at the disk.
        if is_full(report.found) {
            return;
        }
        let field = component.field;
        let wrong = match paths.inside(folder, path) {
            None => Some((
                "leads out of the plugin",
                "write a path below the plugin's folder, without `..`",
            )),
            Some(_) if path.contains('\\') => {
                Some(("holds a backslash", "write `/` between the folders"))
            }
            Some(place) if !paths.exists(&place) => {
                Some(("does not exist", "write a path that exists, or remove it"))
            }
            Some(place) if field == "skills" && !paths.is_folder(&place) => {
                Some(("is a file", "name the folder of the `SKILL.md`"))
            }
            Some(_) => None,
        };
        if let Some((what, help)) = wrong {
            let message = format!("`{field}` names `{path}`, which {what}");
            let fault = Fault::new(value.span, message, help);
            report.fault(RuleId::ManifestPath, fault, Harm::Part);
        }
    }
}

/// Returns whether a name can be a part of `plugin@marketplace`.
fn is_id(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_inner)
}
