//! The front matter: what strict reading refuses, and what the specification does not allow.

use crate::check::skill::Fault;
use crate::check::value::{value_edit, without_line_end};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::lenient::recover::{self, Recovered};
use skills_format::name::{SkillName, in_yaml, nfc};
use skills_format::skill::allowed_tools::ToolRule;
use skills_format::skill::document::{Document, NoFrontMatter};
use skills_format::skill::fields::read::as_mapping;
use skills_format::skill::file::SkillFile;
use skills_format::skill::known_fields::{FIELDS, FieldKind, begins_field, disguised, meant};
use skills_format::skill::limits::{
    MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_FRONT_MATTER, MAX_SKILL_FILE,
};
use skills_format::text::lines::{line_after, line_at};
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Value};
use std::collections::BTreeSet;

/// Front matter as a mapping. Of front matter that does not parse, what could be recovered.
struct FrontMatterView<'f, 't> {
    file: &'f SkillFile<'t>,
    document: &'f Document<'t>,
    node: Option<&'f Node>,
    recovered: Option<Recovered>,
}

/// Returns the faults of a `SKILL.md`, without those of its links.
pub fn faults(file: &SkillFile<'_>) -> Vec<Fault> {
    let mut found = text(file);
    if let Some(view) = FrontMatterView::of(file) {
        found.extend(view.syntax());
        found.extend(fields(&view));
    }
    found
}

/// Returns the faults of the text, before its front matter is read.
fn text(file: &SkillFile<'_>) -> Vec<Fault> {
    let size = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
    if size > MAX_SKILL_FILE {
        let message = format!("`SKILL.md` has {size} bytes; the maximum is {MAX_SKILL_FILE}");
        let help = "move most of it to separate files, and link them";
        return vec![Fault::new(RuleId::TooLarge, Span::at(0), message, help)];
    }
    if let Err(at) = file.text {
        let byte = file.bytes.get(at).copied().unwrap_or_default();
        let message = format!("the byte {byte:#04X} is not UTF-8");
        let span = Span::new(at, at + 1);
        return vec![Fault::new(
            RuleId::NotUtf8,
            span,
            message,
            "save the file as UTF-8",
        )];
    }
    match &file.document {
        Some(Err(NoFrontMatter::Missing(span))) => {
            let text = file.text.unwrap_or_default();
            let (message, help) = instead_of_front_matter(text, *span);
            let mut fault = Fault::new(RuleId::FrontmatterMissing, *span, message, help);
            if help == MOVE_BELOW {
                fault.fix = moved_below(text, *span);
            }
            vec![fault]
        }
        Some(Err(NoFrontMatter::Unterminated(span))) => vec![Fault::new(
            RuleId::FrontmatterUnterminated,
            *span,
            "no line `---` closes the front matter that begins here",
            "write `---` on a line of its own after the last field",
        )],
        _ => Vec::new(),
    }
}

/// The maximum number of lines above front matter that was written too low.
const MAX_ABOVE: usize = 20;

/// Says what a file begins with in the place of front matter. `span` is its first line.
fn instead_of_front_matter(text: &str, span: Span) -> (String, &'static str) {
    let line = span.of(text);
    if line.starts_with("```") || line.starts_with("~~~") {
        return (
            "the file begins with a code fence".into(),
            "remove the fence around the file",
        );
    }
    if line.starts_with("<<<<<<< ") {
        return (
            "the file has conflict markers of git".into(),
            "resolve the conflict",
        );
    }
    if line.contains('\r') {
        return ("lines end with CR alone".into(), "write LF line ends");
    }
    if line.trim_end() == "+++" {
        let message = "the front matter is TOML (`+++`), and clients read YAML";
        return (
            message.into(),
            "write `---` in place of `+++`, and `key: value` in place of `key = value`",
        );
    }
    if line.trim_end() == "---" {
        let message = "there are two lines `---` above the fields";
        return (message.into(), "remove one of them");
    }
    if line.starts_with("---") {
        return (
            "other text is on the line of `---`".into(),
            "write `---` on a line of its own",
        );
    }
    if line.starts_with("name:") || line.starts_with("description:") {
        let message = "the file begins with fields, without `---` above them";
        return (message.into(), "write `---` above and below the fields");
    }
    let mut below = text
        .get(span.end..)
        .unwrap_or_default()
        .lines()
        .take(MAX_ABOVE);
    if below.any(|line| line.trim_end() == "---") && has_fields(text) {
        return ("there is text before the front matter".into(), MOVE_BELOW);
    }
    let help = "write `---`, `name: …`, `description: …` and `---` above it";
    ("the file does not begin with front matter".into(), help)
}

const MOVE_BELOW: &str = "move it below the front matter";

/// Moves the text before the front matter below the line that closes it. A guess, since it changes the body.
fn moved_below(text: &str, first: Span) -> Option<Fix> {
    let mut rules = Vec::new();
    let mut at = first.start;
    while at < text.len() && rules.len() < 2 {
        let line = line_at(text, at);
        at = line_after(text, line);
        if line.of(text).trim_end() == "---" {
            rules.push(line);
        }
    }
    let [open, close] = rules[..] else {
        return None;
    };
    let above = Span::new(first.start, open.start);
    let kept = format!("\n{}\n", above.of(text).trim());
    let below = Span::at(line_after(text, close));
    Some(Fix::guess(vec![
        Edit::replace(above, ""),
        Edit::replace(below, kept),
    ]))
}

/// Returns whether a text has a name or a description directly below a line `---`.
fn has_fields(text: &str) -> bool {
    let mut lines = text
        .lines()
        .skip_while(|line| line.trim_end() != "---")
        .skip(1);
    lines
        .next()
        .is_some_and(|line| line.contains(": ") || line.trim_end().ends_with(':'))
}

impl<'f, 't> FrontMatterView<'f, 't> {
    /// Returns the front matter of a file; `None` if the file has none.
    fn of(file: &'f SkillFile<'t>) -> Option<Self> {
        let document = file.document.as_ref()?.as_ref().ok()?;
        let (node, recovered) = match file.front_matter.as_ref()? {
            Ok(node) => (Some(node), None),
            Err(_) if document.yaml.len() > MAX_FRONT_MATTER => (None, None),
            Err(_) => (
                None,
                Some(recover::front_matter(document.text, document.yaml)),
            ),
        };
        Some(Self {
            file,
            document,
            node,
            recovered,
        })
    }

    /// Returns the faults of the YAML.
    fn syntax(&self) -> Vec<Fault> {
        let length = self.document.yaml.len();
        if length > MAX_FRONT_MATTER {
            let message =
                format!("the front matter has {length} bytes; the maximum is {MAX_FRONT_MATTER}");
            let help = "move what is not a field to the body";
            return vec![Fault::new(RuleId::TooLarge, self.opening(), message, help)];
        }
        let faults = |recovered: &Recovered| {
            let faults = recovered.faults.iter();
            faults
                .map(|fault| of_syntax(fault, self.document.text))
                .collect()
        };
        if let Some(recovered) = &self.recovered {
            return self
                .unclosed()
                .map_or_else(|| faults(recovered), |fault| vec![fault]);
        }
        let Some(node) = self
            .node
            .filter(|node| !matches!(node.value, Value::Mapping(_)))
        else {
            return Vec::new();
        };
        if let Some(recovered) = recover::joined(self.document, node) {
            return faults(&recovered);
        }
        let message = format!(
            "the front matter is {}, not `key: value` lines",
            node.kind()
        );
        let help = "write `name: …` and `description: …`";
        vec![Fault::new(RuleId::YamlSyntax, node.span, message, help)]
    }

    /// Returns the fault of YAML that does not parse since the body is a part of it: a line `---` of the body closes it. After
    /// an empty line, a heading or a sentence begins, and no known field follows.
    fn unclosed(&self) -> Option<Fault> {
        let yaml = self.document.yaml.of(self.document.text);
        let is_text = |line: &str| {
            let word = line.split(':').next().unwrap_or_default();
            let is_key =
                line.contains(':') && !word.contains(' ') || line.starts_with([' ', '\t', '#']);
            line.starts_with("# ") || line.starts_with("## ") || !is_key
        };
        let lines: Vec<&str> = yaml.lines().collect();
        let last_field = lines.iter().rposition(|line| begins_field(line));
        let first = last_field.map_or(1, |at| at + 1).max(1);
        // The indices are below the number of lines, and above 0.
        let at = (first..lines.len())
            .find(|&at| lines[at - 1].is_empty() && !lines[at].is_empty() && is_text(lines[at]))?;
        let above = &self.document.text[..self.document.yaml.start];
        let line = above.matches('\n').count() + at + 1;
        let message = format!(
            "no line `---` closes the front matter before line {line}, where the text begins"
        );
        let help = "write `---` on a line of its own after the last field";
        Some(Fault::new(
            RuleId::FrontmatterUnterminated,
            self.opening(),
            message,
            help,
        ))
    }

    /// Returns the mapping.
    fn mapping(&self) -> Option<&Node> {
        let node = self.node.or(self.recovered.as_ref().map(|it| &it.node))?;
        matches!(node.value, Value::Mapping(_)).then_some(node)
    }

    /// Returns a key and its value, if recovery left the key as written.
    fn field(&self, key: &str) -> Option<(&Node, &Node)> {
        let (key, value) = self.mapping()?.entry(key)?;
        self.is_sound(key.span).then_some((key, value))
    }

    fn is_sound(&self, span: Span) -> bool {
        let broken = self.recovered.iter().flat_map(|it| &it.broken);
        !broken
            .into_iter()
            .any(|it| it.start <= span.start && span.start < it.end)
    }

    /// Returns whether a line can be added: the mapping is not in braces.
    fn is_block(&self) -> bool {
        let start = self.mapping().map_or(0, |mapping| mapping.span.start);
        !self
            .document
            .text
            .get(start..)
            .unwrap_or_default()
            .starts_with('{')
    }

    /// Returns the line that opens the front matter.
    fn opening(&self) -> Span {
        let text = self.document.text;
        let before = text
            .get(..self.document.yaml.start.saturating_sub(1))
            .unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = line_at(text, start);
        Span::new(line.start, line.start + line.of(text).trim_end().len())
    }

    /// Returns the place of a value, without the line ends behind it.
    fn place(&self, value: &Node) -> Span {
        without_line_end(self.document.text, value.span)
    }

    /// Returns the edit that writes another value of a field.
    fn edit(&self, field: &str, new: &str) -> Option<Edit> {
        let (key, value) = self.field(field)?;
        value_edit(self.document.text, key, value, new)
    }
}

/// Returns the fault of a line, with a guess. The linter says which guesses are safe.
fn of_syntax(fault: &recover::Fault, text: &str) -> Fault {
    // Read as a text, a mapping is not lost; written as one, it would be.
    let is_mapping = |edit: &Edit| {
        let replaced = Span::new(edit.start, edit.end).of(text);
        replaced.starts_with('{') && replaced.ends_with('}')
    };
    let edit = fault.edit.clone().filter(|edit| !is_mapping(edit));
    Fault {
        fix: edit.map(|edit| Fix::guess(vec![edit])),
        ..Fault::new(RuleId::YamlSyntax, fault.span, &*fault.message, fault.help)
    }
}

/// Returns the faults of the fields.
fn fields(view: &FrontMatterView<'_, '_>) -> Vec<Fault> {
    let mut found = Vec::new();
    let Some(mapping) = view.mapping() else {
        return found;
    };
    repeated(mapping, &mut found);
    types(view, mapping, &mut found);
    name(view, &mut found);
    description(view, &mut found);
    if let Some((_, value)) = view.field("compatibility") {
        let length = value.as_str().unwrap_or_default().chars().count();
        if length > MAX_COMPATIBILITY {
            found.push(too_long(
                RuleId::CompatibilityLength,
                value.span,
                "`compatibility`",
                length,
                MAX_COMPATIBILITY,
            ));
        }
    }
    for key in ["allowed-tools", "disallowed-tools"] {
        let field = view.field(key);
        found.extend(field.and_then(|(_, value)| tools(value, view.document.text)));
    }
    found
}

fn repeated(node: &Node, found: &mut Vec<Fault>) {
    match &node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter().for_each(|item| repeated(item, found)),
        Value::Mapping(entries) => {
            let mut seen = BTreeSet::new();
            for (key, value) in entries {
                if let Some(text) = key.as_str()
                    && !seen.insert(text)
                {
                    let message = format!("the key `{text}` is repeated here");
                    found.push(Fault::new(
                        RuleId::DuplicateKey,
                        key.span,
                        message,
                        "keep one of them",
                    ));
                }
                repeated(value, found);
            }
        }
    }
}

fn types(view: &FrontMatterView<'_, '_>, mapping: &Node, found: &mut Vec<Fault>) {
    for known in FIELDS {
        let Some((key, value)) = mapping.entry(known.key) else {
            continue;
        };
        if value.is_null() || !view.is_sound(key.span) {
            continue;
        }
        let is_word = matches!(known.kind, FieldKind::Bool) && in_words(value).is_some();
        if let Some((expected, help)) = known.kind.mismatch(value).filter(|_| !is_word) {
            let message = format!("`{}` is {}, not {expected}", known.key, value.kind());
            found.push(Fault::new(RuleId::FieldType, value.span, message, help));
        }
    }
    // Requirements that cannot be read would let the skill start on any host.
    let openclaw = view
        .field("metadata")
        .and_then(|(_, metadata)| metadata.get("openclaw"));
    if let Some(needs) = openclaw
        && !needs.is_null()
        && !matches!(as_mapping(needs).value, Value::Mapping(_))
    {
        let message = format!(
            "`metadata.openclaw` is {}, not a mapping: its requirements are ignored",
            needs.kind()
        );
        let help = "write a mapping, or a JSON object in one text";
        found.push(Fault::new(RuleId::FieldType, needs.span, message, help));
    }
}

/// Returns the boolean that a word means to some readers: `yes`, `on` and `1`, their opposites, and booleans in
/// quotes.
pub fn in_words(value: &Node) -> Option<bool> {
    match value.as_str()?.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

fn name(view: &FrontMatterView<'_, '_>, found: &mut Vec<Fault>) {
    let folder = SkillName::make(&view.file.folder);
    let help = match &folder {
        Some(name) => format!("write `name: {}`", in_yaml(name.as_str())),
        None => "write `name: ` and the folder's name".to_owned(),
    };
    let written = folder.map(|name| in_yaml(name.as_str()).into_owned());
    let Some((key, value)) = view.field("name") else {
        let line = written
            .filter(|_| view.is_block())
            .map(|name| format!("name: {name}\n"));
        let line = line.map(|line| Edit::replace(Span::at(view.document.yaml.start), line));
        let fault = missing(view, RuleId::NameMissing, "name", help);
        found.extend(fault.map(|fault| match fault.fix {
            None => fault.guess(line),
            Some(_) => fault,
        }));
        return;
    };
    let Some(text) = text_of(value) else {
        if is_empty(value) {
            let span = Span::new(key.span.start, view.place(value).end.max(key.span.end));
            let edit = written.and_then(|name| view.edit("name", &name));
            found.push(Fault::new(RuleId::NameMissing, span, "`name` is empty", help).guess(edit));
        }
        return;
    };
    match SkillName::new(text) {
        Ok(name) => found.extend(mismatch(view, value, name.as_str())),
        Err(error) => found.push(invalid_name(view, value, text, &error)),
    }
}

/// Reports a missing field; at the misspelt key that stands in its place, if there is one alone.
fn missing(
    view: &FrontMatterView<'_, '_>,
    rule: RuleId,
    field: &str,
    help: String,
) -> Option<Fault> {
    let mapping = view.mapping().filter(|it| it.get(field).is_none())?;
    let is_meant = |key: &&Node| {
        let written = key.as_str().unwrap_or_default();
        meant(written) == Some(field) && disguised(written).is_none() && view.is_sound(key.span)
    };
    let mut keys = mapping
        .entries()
        .iter()
        .map(|(key, _)| key)
        .filter(is_meant);
    let message = format!("the front matter has no `{field}`");
    Some(match (keys.next(), keys.next()) {
        (Some(key), None) => {
            let written = key.as_str().unwrap_or_default();
            let message = format!("{message}: `{written}` is not a known field");
            let fault = Fault::new(rule, key.span, message, format!("write `{field}`"));
            fault.guess(Some(Edit::replace(key.span, field)))
        }
        _ => Fault::new(rule, view.opening(), message, help),
    })
}

fn text_of(value: &Node) -> Option<&str> {
    let text = value.as_str().filter(|text| !text.trim().is_empty())?;
    (!value.is_null()).then_some(text)
}

fn is_empty(value: &Node) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn invalid_name(
    view: &FrontMatterView<'_, '_>,
    value: &Node,
    name: &str,
    error: &skills_format::name::NameError,
) -> Fault {
    let span = view.place(value);
    if let Ok(composed) = SkillName::new(&nfc(name)) {
        let message = format!("`{composed}` is written with decomposed characters");
        let help = "write it with composed characters";
        let edit = view.edit("name", &in_yaml(composed.as_str()));
        return Fault {
            fix: edit.map(|edit| Fix::safe(vec![edit])),
            ..Fault::new(RuleId::NameForm, span, message, help)
        };
    }
    let message = format!("`{name}` is not a valid skill name: {error}");
    let fault = |help: String| Fault::new(RuleId::NameForm, span, message.clone(), help);
    let made = SkillName::make(name);
    let folder = nfc(&view.file.folder);
    let is_elsewhere = !matches!(folder.as_ref(), "" | "." | "..")
        && made.as_ref().is_none_or(|made| made.as_str() != folder);
    // `name-mismatch` is not reported for an invalid name, so the name of the folder is offered here.
    if is_elsewhere
        && SkillName::new(&folder).is_ok()
        && !is_more_exact(made.as_ref().map_or(name, SkillName::as_str), &folder)
    {
        let folder = in_yaml(&folder);
        let edit = view.edit("name", &folder);
        return fault(format!("write `{folder}`, the name of the folder")).guess(edit);
    }
    let Some(made) = made else {
        return fault("write lowercase letters, digits and single hyphens".to_owned());
    };
    let made = in_yaml(made.as_str());
    let rename = if is_elsewhere {
        ", and rename the folder to it"
    } else {
        ""
    };
    // Written alone, the name would not be that of the folder.
    let edit = view.edit("name", &made).filter(|_| !is_elsewhere);
    fault(format!("write `{made}`{rename}")).guess(edit)
}

fn mismatch(view: &FrontMatterView<'_, '_>, value: &Node, name: &str) -> Option<Fault> {
    let folder = nfc(&view.file.folder);
    // The name of a folder that is given as `.` is unknown here.
    if nfc(name) == folder || matches!(folder.as_ref(), "" | "." | "..") {
        return None;
    }
    let message = format!("the skill is named `{name}`, its folder `{folder}`");
    let fault = |help: String| Fault::new(RuleId::NameMismatch, view.place(value), message, help);
    if SkillName::new(&folder).is_err() {
        return Some(fault(
            "rename the folder: its name is not a valid skill name".to_owned(),
        ));
    }
    let written = in_yaml(&folder);
    Some(if is_more_exact(name, &folder) {
        fault(format!(
            "rename the folder to `{name}`, or write `{written}`"
        ))
    } else {
        fault(format!("write `{written}`, or rename the folder")).guess(view.edit("name", &written))
    })
}

/// Names of folders that say nothing about a skill.
const GENERIC: [&str; 20] = [
    "skill", "skills", "my-skill", "src", "main", "app", "agent", "plugin", "default", "new",
    "temp", "tmp", "untitled", "test", "example", "sample", "dist", "build", "output", "root",
];

/// Returns whether the name says more than the folder: `cloud-setup` says more than `setup` and `skill`. The
/// name of the folder would then be a bad fix.
fn is_more_exact(name: &str, folder: &str) -> bool {
    let mut words = folder.split('-');
    GENERIC.contains(&folder)
        || name.len() > folder.len() && words.all(|word| name.split('-').any(|it| it == word))
}

fn description(view: &FrontMatterView<'_, '_>, found: &mut Vec<Fault>) {
    const RULE: RuleId = RuleId::DescriptionMissing;
    const HELP: &str = "write what the skill does and when to use it";
    let Some((key, value)) = view.field("description") else {
        found.extend(missing(view, RULE, "description", HELP.to_owned()));
        return;
    };
    if is_empty(value) {
        let span = Span::new(key.span.start, value.span.end.max(key.span.end));
        found.push(Fault::new(RULE, span, "`description` is empty", HELP));
    }
    let length = text_of(value).unwrap_or_default().trim().chars().count();
    if length > MAX_DESCRIPTION {
        found.push(too_long(
            RuleId::DescriptionLength,
            value.span,
            "the description",
            length,
            MAX_DESCRIPTION,
        ));
    }
}

fn too_long(rule: RuleId, span: Span, what: &str, length: usize, most: usize) -> Fault {
    let message = format!("{what} has {length} characters; the maximum is {most}");
    let help = format!(
        "shorten it by {}; details belong in the body",
        length - most
    );
    Fault::new(rule, span, message, help)
}

/// Reports the first rule of a list of tools that does not parse: it approves nothing.
fn tools(value: &Node, source: &str) -> Option<Fault> {
    let items = match &value.value {
        Value::Sequence(items) => items.as_slice(),
        _ => std::slice::from_ref(value),
    };
    items.iter().find_map(|node| {
        let text = node.as_str()?;
        let faults = ToolRule::faults(text);
        let fault = faults.first()?;
        let entry = fault.span.of(text);
        let message = format!("`{entry}` {}", fault.message);
        // Quotes and folded lines move the entry; where it stands as it is read, it is marked alone.
        let at = node.span.of(source).find(entry);
        let span = at.map_or(node.span, |at| {
            let start = node.span.start + at;
            Span::new(start, start + entry.len())
        });
        Some(Fault::new(
            RuleId::AllowedToolsForm,
            span,
            message,
            fault.help,
        ))
    })
}
