//! Front matter to a type, and an error to a place.

use serde::de::DeserializeOwned;
use skills_format::{Diagnostic, Document, RuleId, Severity, SkillFile, Span};
use std::fmt;

/// The reason why front matter is not a `T`.
#[derive(Clone, Debug)]
pub struct Error(Box<Diagnostic>);

impl Error {
    pub(crate) fn new(rule: RuleId, path: &str, message: impl Into<String>) -> Self {
        let message: String = message.into();
        Self(Box::new(Diagnostic::new(
            rule,
            Severity::Error,
            path,
            message,
        )))
    }

    fn at(mut self, text: &str, span: Span) -> Self {
        *self.0 = self.0.at(text.as_bytes(), span);
        self
    }

    /// Returns the error as a finding, with its place in the `SKILL.md`. The rule is `field-type`, `yaml-syntax`,
    /// `frontmatter-missing`, or `unreadable` for a file that cannot be read.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.0
    }

    /// Converts the error into a finding.
    pub fn into_diagnostic(self) -> Diagnostic {
        *self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {}

/// Reads the front matter of a `SKILL.md` as a `T`. `path` is the path for the error.
///
/// # Errors
///
/// The text has no front matter, or front matter that is not YAML or not a `T`.
///
/// # Cost
///
/// Parses the front matter once. Text that is not YAML is parsed three times.
pub fn read<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, Error> {
    let error = match strict(path, text) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    if !error.0.is(RuleId::YamlSyntax) {
        return Err(error);
    }
    match quoted(text, error.0.start.offset).map(|text| strict(path, &text)) {
        Some(Ok(read)) => Ok(read),
        // The quotes made it YAML: what is left is the type.
        Some(Err(unfit)) if unfit.0.is(RuleId::FieldType) => Err(unfit),
        _ => Err(error),
    }
}

fn strict<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, Error> {
    let Ok(document) = Document::split(text) else {
        let rule = RuleId::FrontmatterMissing;
        return Err(Error::new(rule, path, "the file has no front matter"));
    };
    let mut yaml = document.yaml.of(text);
    // Front matter without a field is a mapping without keys, and no document in YAML.
    let is_field = |line: &str| !matches!(line.trim_start().chars().next(), None | Some('#'));
    if !yaml.lines().any(is_field) {
        yaml = "{}";
    }
    serde_yaml::from_str(yaml).map_err(|error| {
        match SkillFile::read(path, "", text.as_bytes()).front_matter {
            Some(Err(fault)) => Error::new(RuleId::YamlSyntax, path, fault.message)
                .at(text, Span::new(fault.offset, fault.offset)),
            _ => unfit(path, text, &document, &error),
        }
    })
}

/// Makes the error of a value that is not of its type, at the place that serde gives.
fn unfit(path: &str, text: &str, document: &Document<'_>, error: &serde_yaml::Error) -> Error {
    let mut message = error.to_string();
    let mut start = document.yaml.start;
    if let Some(place) = error.location() {
        let (line, column) = (place.line(), place.column());
        let suffix = format!(" at line {line} column {column}");
        if let Some(cut) = message.strip_suffix(&suffix) {
            message.truncate(cut.len());
        }
        let yaml = document.yaml.of(text);
        let lines = yaml.split_inclusive('\n').take(line.saturating_sub(1));
        start += lines.map(str::len).sum::<usize>();
        let rest = text[start..document.yaml.end].chars();
        start += rest
            .take(column.saturating_sub(1))
            .take_while(|c| *c != '\n')
            .map(char::len_utf8)
            .sum::<usize>();
    }
    let line = text[start..document.yaml.end].lines().next();
    let end = start + line.map_or(0, |line| line.trim_end().len());
    Error::new(RuleId::FieldType, path, message).at(text, Span::new(start, end))
}

/// Puts the value of the line at an offset in quotes. `None` if the line is not `key: value`, or its value is in quotes.
fn quoted(text: &str, offset: usize) -> Option<String> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next()?;
    let (key, value) = line.split_once(": ")?;
    let value = value.trim();
    if value.is_empty() || value.starts_with(['"', '\'', '|', '>']) {
        return None;
    }
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let (before, after) = (&text[..start], &text[start + line.len()..]);
    Some(format!("{before}{key}: \"{value}\"{after}"))
}
