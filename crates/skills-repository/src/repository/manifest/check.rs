//! Checks a plugin's manifest, and a marketplace.

use super::form::{
    CLAUDE_ENTRY, CLAUDE_MARKETPLACE, CLAUDE_PLUGIN, CODEX_PLUGIN, Fields, Form, GEMINI_EXTENSION,
    Harm, OTHER, SOURCES, is_object, kind, text,
};
use super::{Manifest, Paths, Program, Report, agent};
use skills_format::yaml::Node;
use skills_format::{Diagnostic, RuleId, Severity, Span};
use std::collections::BTreeSet;

const NAME_CHARS: &str = "letters, digits, `.`, `_` and `-`";

/// The files of a marketplace's entry that Claude Code does not miss.
const UNMISSED: [&str; 5] = ["hooks", "mcpServers", "lspServers", "workflows", "monitors"];

/// Checks a plugin's manifest. `folder` is the plugin's folder.
pub(crate) fn plugin(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let file = &manifest.file;
    let mut report = Report::new(manifest);
    if !is_object(file) {
        let message = format!("it is {}, not a JSON object", kind(file));
        let help = "write an object with a `name`";
        report.form(Span::at(file.span.start), message, help, Harm::Plugin);
        return report.end();
    }
    if manifest.is_agent_plugin() {
        return agent::check(manifest, paths, folder);
    }
    let place = Some((paths, folder));
    match manifest.program {
        Program::ClaudeCode => {
            let harm = Harm::Plugin;
            name(file, NAME_CHARS, is_claude_name, harm, &mut report);
            fields(file, CLAUDE_PLUGIN, None, &mut report, place);
        }
        Program::Codex => {
            // In place of an empty name Codex takes that of the marketplace.
            let is_name = |name: &str| name.chars().all(is_of_id);
            name(file, NAME_CHARS, is_name, Harm::Plugin, &mut report);
            fields(file, CODEX_PLUGIN, None, &mut report, place);
        }
        Program::GeminiCli => {
            let is_right = |c: char| c.is_ascii_alphanumeric() || c == '-';
            let is_name = |name: &str| !name.is_empty() && name.chars().all(is_right);
            let chars = "letters, digits and `-`";
            name(file, chars, is_name, Harm::Plugin, &mut report);
            let version = file.get("version");
            if version.is_none_or(|it| it.is_null() || text(it) == Some("")) {
                let span = version.map_or(Span::at(file.span.start), |it| it.span);
                let help = "write one, as in `\"version\": \"1.0.0\"`";
                report.form(span, "it has no `version`".to_owned(), help, Harm::Plugin);
            }
            fields(file, GEMINI_EXTENSION, None, &mut report, place);
        }
        Program::Other => fields(file, OTHER, None, &mut report, place),
    }
    report.end()
}

/// Checks a marketplace. `folder` is the folder that its sources are relative to.
pub(crate) fn marketplace(manifest: &Manifest, paths: &Paths<'_>, folder: &str) -> Vec<Diagnostic> {
    let file = &manifest.file;
    let is_claude = manifest.program == Program::ClaudeCode;
    let mut report = Report::new(manifest);
    let plugins = file.get("plugins").and_then(Node::items);
    if plugins.is_none() {
        let message = "it has no list `plugins`".to_owned();
        let help = "list the plugins, each with a `name` and a `source`";
        report.form(Span::at(file.span.start), message, help, Harm::Marketplace);
    }
    if is_claude && is_object(file) {
        name(file, NAME_CHARS, is_id, Harm::Marketplace, &mut report);
        if file.get("owner").is_none() {
            let message = "it has no `owner`".to_owned();
            let help = "write an object with a name, as in `{\"name\": \"A. Author\"}`";
            report.form(Span::at(file.span.start), message, help, Harm::Marketplace);
        }
        fields(file, CLAUDE_MARKETPLACE, None, &mut report, None);
    }
    let root = file
        .get("metadata")
        .and_then(|metadata| metadata.get("pluginRoot"));
    let root = root.and_then(text).unwrap_or_default();
    let mut names = BTreeSet::new();
    for entry in plugins.unwrap_or_default() {
        if report.is_full() {
            break;
        }
        let value = entry.get("name");
        let known = value.and_then(text).unwrap_or_default();
        if known.is_empty() {
            let message = "an entry of `plugins` has no text `name`".to_owned();
            report.form(entry.span, message, "give the plugin a name", Harm::Entry);
        } else if let Some(value) = value {
            if !names.insert(known) {
                let message = format!("two plugins are named `{known}`");
                report.name(value.span, message, Harm::Entry);
            }
            if is_claude {
                name(entry, NAME_CHARS, is_id, Harm::Entry, &mut report);
            }
        }
        if !is_object(entry) {
            continue;
        }
        let place = source(entry, root, &mut report, paths, folder);
        let place = place.as_deref().map(|place| (paths, place));
        if is_claude {
            fields(entry, CLAUDE_PLUGIN, Some(Harm::Entry), &mut report, place);
            fields(entry, CLAUDE_ENTRY, None, &mut report, None);
        } else if place.is_some() {
            fields(entry, OTHER, None, &mut report, place);
        }
    }
    report.end()
}

/// Checks the fields of an object, and the paths in them if the folder is known. `harm` replaces that of the table.
fn fields(
    object: &Node,
    table: Fields,
    harm: Option<Harm>,
    report: &mut Report<'_>,
    place: Option<(&Paths<'_>, &str)>,
) {
    for (field, form, own_harm) in table {
        let Some(value) = object.get(field) else {
            continue;
        };
        let harm = harm.unwrap_or(*own_harm);
        if let Some((span, message, help)) = form.fault(field, value) {
            report.form(span, message, help, harm);
        }
        if !matches!(form, Form::Paths | Form::Component) {
            continue;
        }
        for item in value.items().unwrap_or(std::slice::from_ref(value)) {
            if let Some(path) = text(item)
                && !report.is_full()
            {
                self::path(field, path, item, harm, report, place);
            }
        }
    }
}

/// Checks one path of a field.
fn path(
    field: &str,
    path: &str,
    value: &Node,
    harm: Harm,
    report: &mut Report<'_>,
    place: Option<(&Paths<'_>, &str)>,
) {
    // A packed server that is fetched.
    if path.starts_with("https://") || path.starts_with("http://") {
        return;
    }
    let program = report.manifest.program;
    let is_claude = report.is_claude();
    if is_claude && !path.starts_with("./") && !(field == "skills" && path == ".") {
        let message = format!("`{field}` names `{path}`, which does not begin with `./`");
        let help = "write the path from the plugin's folder, with `./` before it";
        return report.form(value.span, message, help, harm);
    }
    let Some((paths, folder)) = place else {
        return;
    };
    let (what, help) = match paths.inside(folder, path) {
        None => (
            "leads out of the plugin",
            "write a path below the folder, without `..`",
        ),
        Some(_) if is_claude && path.contains('\\') => {
            ("holds a backslash", "write `/` between the folders")
        }
        Some(_) if is_claude && harm == Harm::Entry && UNMISSED.contains(&field) => return,
        Some(place) if !paths.exists(&place) => {
            ("does not exist", "write a path that exists, or remove it")
        }
        Some(place) if is_claude && field == "skills" && !paths.is_folder(&place) => {
            ("is a file", "name the folder of the `SKILL.md`")
        }
        Some(_) => return,
    };
    let message = format!("`{field}` names `{path}`, which {what}");
    let help = match program {
        Program::Other | Program::GeminiCli => format!("{help}; clients cannot install the plugin"),
        _ => Harm::Part.help(help, program.name()),
    };
    // `codex plugin add` says that the plugin is added, and `codex plugin list` that it is enabled.
    let severity = match (program, what) {
        (Program::Codex, "does not exist") => Severity::Warning,
        _ => Severity::Error,
    };
    report.at(RuleId::ManifestPath, severity, value.span, message, help);
}

/// Checks the source of an entry. Returns the folder, if the source is one in the repository.
fn source(
    entry: &Node,
    root: &str,
    report: &mut Report<'_>,
    paths: &Paths<'_>,
    folder: &str,
) -> Option<String> {
    let value = entry.get("source");
    if let Some((value, path)) = value.and_then(|value| Some((value, text(value)?))) {
        let wrong = match folder_of(path, root, report.is_claude(), paths, folder) {
            Ok(place) => return Some(place),
            Err(wrong) => wrong,
        };
        let message = format!("`source` names `{path}`, which {}", wrong.0);
        let help = Harm::Entry.help(wrong.1, report.manifest.program.name());
        report.path_error(value.span, message, help);
    } else if report.is_claude() {
        let kind_of = value.and_then(|value| value.get("source")).and_then(text);
        let part = SOURCES.iter().find(|(known, _)| Some(*known) == kind_of);
        let message = match (value, part) {
            (None, _) => "an entry of `plugins` has no `source`".to_owned(),
            (Some(value), _) if !is_object(value) => {
                format!("`source` is {}, not a path or an object", kind(value))
            }
            (Some(_), None) => {
                "the kind of the `source` is missing or unknown: write `github`, `url`, \
                                `git-subdir`, `npm` or `archive`"
                    .to_owned()
            }
            (Some(value), Some((_, part))) => match value.get(part).and_then(text) {
                None | Some("") => format!("the source has no text `{part}`"),
                Some(_) => return None,
            },
        };
        let help = "write a path that begins with `./`, or an object with `source` and where it is";
        let span = value.map_or(entry.span, |value| value.span);
        report.form(span, message, help, Harm::Entry);
    }
    None
}

/// Returns the folder of a source that is a path, or what is wrong with the path, and what to write instead.
///
/// Claude Code adds the root only to a name alone, and other paths must begin with `./`. Of the other programs this
/// is not known, so either place is right.
fn folder_of(
    source: &str,
    root: &str,
    is_claude: bool,
    paths: &Paths<'_>,
    folder: &str,
) -> Result<String, (&'static str, &'static str)> {
    let below_root = || paths.inside(&paths.inside(folder, root)?, source);
    let here = paths.inside(folder, source);
    let is_here = source.starts_with("./") || source == ".";
    let is_name = !root.is_empty() && !source.is_empty() && !source.contains(['/', '\\', ' ']);
    let candidates = if !is_claude {
        [below_root(), here.filter(|_| is_here)]
    } else if is_name && !is_here {
        [below_root(), None]
    } else {
        [here, None]
    };
    let mut known = candidates.into_iter().flatten().peekable();
    if known.peek().is_none() {
        return Err((
            "leads out of the plugin",
            "write a path below the folder, without `..`",
        ));
    }
    match known.find(|place| paths.is_folder(place)) {
        None => Err(("does not exist", "write a path that exists, or remove it")),
        Some(_) if is_claude && !is_here && !is_name => Err((
            "does not begin with `./`",
            "write `./` before the path; a name alone needs `metadata.pluginRoot`",
        )),
        Some(place) => Ok(place),
    }
}

/// Returns whether Claude Code takes the name of a plugin: it has no sign of an id (`plugin@marketplace`) or of a path.
fn is_claude_name(name: &str) -> bool {
    let is_refused = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '@' | ':' | '/' | '\\' | '\u{ad}' | '\u{200b}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    !name.is_empty() && !name.contains(is_refused)
}

/// Checks that an object has a text `name` that is right.
fn name(
    object: &Node,
    chars: &str,
    is_right: impl Fn(&str) -> bool,
    harm: Harm,
    report: &mut Report<'_>,
) {
    let Some(value) = object.get("name") else {
        let start = Span::at(object.span.start);
        return report.name(start, "it has no `name`".to_owned(), harm);
    };
    let message = match text(value) {
        None => format!("`name` is {}, not a text", kind(value)),
        Some(name) if is_right(name) => return,
        Some("") => "`name` is empty".to_owned(),
        Some(name) => format!("the name `{name}` may hold only {chars}"),
    };
    report.name(value.span, message, harm);
}

/// Returns whether a name can be a part of `plugin@marketplace`.
fn is_id(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_of_id)
}

fn is_of_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}
