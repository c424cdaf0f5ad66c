//! One `SKILL.md`: as far as it can be read, and as the skill that it makes.

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Document, NoFrontMatter};
use crate::fields::Fields;
use crate::name::SkillName;
use crate::recover;
use crate::span::Span;
use crate::yaml::{self, Node, YamlError};

/// Longest description, in characters (Agent Skills specification).
pub const MAX_DESCRIPTION: usize = 1024;
/// Longest `compatibility`, in characters (Agent Skills specification).
pub const MAX_COMPATIBILITY: usize = 500;
/// Largest front matter that is read, in bytes.
pub const MAX_FRONT_MATTER: usize = 64 * 1024;
/// Largest `SKILL.md` that is read, in bytes.
pub const MAX_SKILL_FILE: u64 = 1024 * 1024;

/// A `SKILL.md` as far as it can be read. Rules look at this; [`SkillFile::strict`] and
/// [`SkillFile::lenient`] make a [`Skill`] of it.
#[derive(Clone, Debug)]
pub struct SkillFile<'t> {
    /// The path that is shown: relative, with `/`.
    pub path: String,
    /// The name of the folder that holds it.
    pub folder: String,
    /// The file.
    pub bytes: &'t [u8],
    /// The file as text; else the first byte that is no UTF-8.
    pub text: Result<&'t str, usize>,
    /// Where front matter and body stand. `None` when the file is no text.
    pub document: Option<Result<Document<'t>, NoFrontMatter>>,
    /// The front matter. `None` when there is none; an empty one is an empty mapping.
    pub front_matter: Option<Result<Node, YamlError>>,
}

/// A skill that can be used: it has a valid name and a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// What it answers to.
    pub name: SkillName,
    /// What it does and when to use it.
    pub description: String,
    /// What else its front matter says, typed.
    pub fields: Fields,
    /// The whole front matter as JSON, keys in the order written.
    pub front_matter: String,
    /// The instructions, with LF line ends.
    pub body: String,
}

impl<'t> SkillFile<'t> {
    /// Cuts and parses the file. `path` is the path that is shown; the folder's name is taken from
    /// it where `folder` is not given otherwise.
    pub fn read(path: impl Into<String>, folder: impl Into<String>, bytes: &'t [u8]) -> Self {
        let text = std::str::from_utf8(bytes).map_err(|e| e.valid_up_to());
        let document = text.ok().map(Document::split);
        let front_matter = document
            .as_ref()
            .and_then(|d| d.as_ref().ok())
            .map(|document| {
                if document.yaml.len() > MAX_FRONT_MATTER {
                    let message =
                        format!("the front matter is larger than {MAX_FRONT_MATTER} bytes");
                    return Err(YamlError {
                        offset: document.yaml.start,
                        message,
                    });
                }
                let node = yaml::parse_at(document.yaml.of(document.text), document.yaml.start)?;
                Ok(node.unwrap_or_else(|| Node::empty_mapping(document.yaml.start)))
            });
        Self {
            path: path.into(),
            folder: folder.into(),
            bytes,
            text,
            document,
            front_matter,
        }
    }

    /// The skill, when name and description are right. What is wrong otherwise, the rules say.
    pub fn strict(&self) -> Option<Skill> {
        let front_matter = self.front_matter.as_ref()?.as_ref().ok()?;
        let name = SkillName::new(front_matter.get("name")?.as_str()?).ok()?;
        let description = front_matter.get("description")?.as_str()?;
        self.skill(name, description, front_matter)
    }

    /// The skill, when a name and a description can be had at all; and what was wrong on the way.
    ///
    /// A name that is none is made valid, a missing one is the folder's, a missing description is
    /// the body's first paragraph, YAML that does not parse is read line by line.
    pub fn lenient(&self) -> (Option<Skill>, Vec<Diagnostic>) {
        let mut report = Lenient {
            file: self,
            diagnostics: Vec::new(),
        };
        let skill = report.skill();
        (skill, report.diagnostics)
    }

    fn skill(&self, name: SkillName, description: &str, front_matter: &Node) -> Option<Skill> {
        let document = self.document.as_ref()?.as_ref().ok()?;
        Some(Skill {
            name,
            description: description.trim().to_owned(),
            fields: Fields::read(front_matter),
            front_matter: front_matter.to_json(),
            body: document.body().into_owned(),
        })
    }

    /// A finding about `span` of this file.
    pub fn diagnostic(
        &self,
        rule: &'static str,
        severity: Severity,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, severity, &self.path, message).at(self.bytes, span)
    }
}

struct Lenient<'a, 't> {
    file: &'a SkillFile<'t>,
    diagnostics: Vec<Diagnostic>,
}

impl Lenient<'_, '_> {
    fn skill(&mut self) -> Option<Skill> {
        let file = self.file;
        let text = match file.text {
            Ok(text) => text,
            Err(at) => {
                self.tell(
                    "not-utf8",
                    Severity::Error,
                    Span::at(at),
                    "the file is not UTF-8",
                );
                return None;
            }
        };
        match file.document.as_ref()? {
            Err(NoFrontMatter::Missing(span)) => {
                self.tell(
                    "frontmatter-missing",
                    Severity::Error,
                    *span,
                    "no front matter begins here",
                );
                None
            }
            Err(NoFrontMatter::Unterminated(span)) => {
                self.tell(
                    "frontmatter-unterminated",
                    Severity::Error,
                    *span,
                    "no line `---` closes the front matter",
                );
                None
            }
            Ok(document) => {
                let front_matter = match file.front_matter.as_ref()? {
                    Ok(node) => node.clone(),
                    Err(error) => {
                        let message = format!("{error}; read line by line");
                        self.tell(
                            "yaml-syntax",
                            Severity::Warning,
                            Span::at(error.offset),
                            &message,
                        );
                        recover::front_matter(text, document.yaml).node
                    }
                };
                let (name, display_name) = self.name(&front_matter)?;
                let description = self.description(&front_matter, document)?;
                let mut skill = file.skill(name, &description, &front_matter)?;
                skill.fields.display_name = display_name.map(Into::into);
                Some(skill)
            }
        }
    }

    fn name(&mut self, front_matter: &Node) -> Option<(SkillName, Option<String>)> {
        let folder = &self.file.folder;
        let written = front_matter.get("name").filter(|node| !node.is_null());
        let Some((node, text)) = written.and_then(|node| Some((node, node.as_str()?))) else {
            let name = SkillName::make(folder);
            let place = written.map_or(Span::at(front_matter.span.start), |node| node.span);
            match &name {
                Some(name) => self.tell(
                    "name-missing",
                    Severity::Warning,
                    place,
                    &format!("no name; taken from the folder: `{name}`"),
                ),
                None => self.tell(
                    "name-missing",
                    Severity::Error,
                    place,
                    "no name, and the folder's is no name either",
                ),
            }
            return name.map(|name| (name, None));
        };
        match SkillName::new(text) {
            Ok(name) => {
                if name.as_str() != folder.as_str() {
                    let message = format!("the skill is named `{name}`, its folder `{folder}`");
                    self.tell("name-mismatch", Severity::Warning, node.span, &message);
                }
                Some((name, None))
            }
            Err(error) => {
                let Some(name) = SkillName::make(text).or_else(|| SkillName::make(folder)) else {
                    self.tell(
                        "name-form",
                        Severity::Error,
                        node.span,
                        &format!("`{text}` is no name: {error}"),
                    );
                    return None;
                };
                let message = format!("`{text}` is no name: {error}; it answers to `{name}`");
                self.tell("name-form", Severity::Warning, node.span, &message);
                Some((name, Some(text.to_owned())))
            }
        }
    }

    fn description(&mut self, front_matter: &Node, document: &Document) -> Option<String> {
        let node = front_matter.get("description");
        if let Some(text) = node
            .and_then(Node::as_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
        {
            return Some(text.to_owned());
        }
        let place = node.map_or(Span::at(front_matter.span.start), |node| node.span);
        let body = document.body();
        let paragraph = first_paragraph(&body);
        match &paragraph {
            Some(_) => self.tell(
                "description-missing",
                Severity::Warning,
                place,
                "no description; taken from the body's first paragraph",
            ),
            None => self.tell(
                "description-missing",
                Severity::Error,
                place,
                "no description, and no paragraph in the body",
            ),
        }
        paragraph
    }

    fn tell(&mut self, rule: &'static str, severity: Severity, span: Span, message: &str) {
        self.diagnostics
            .push(self.file.diagnostic(rule, severity, span, message));
    }
}

/// The first paragraph of a Markdown text as one line: no heading, no code, no list.
fn first_paragraph(body: &str) -> Option<String> {
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};
    let mut text: Option<String> = None;
    for event in Parser::new(body) {
        match (event, &mut text) {
            (Event::Start(Tag::Paragraph), None) => text = Some(String::new()),
            (Event::End(TagEnd::Paragraph), Some(text)) if !text.trim().is_empty() => break,
            (Event::End(TagEnd::Paragraph), _) => text = None,
            (Event::Text(part) | Event::Code(part), Some(text)) => text.push_str(&part),
            (Event::SoftBreak | Event::HardBreak, Some(text)) => text.push(' '),
            _ => {}
        }
    }
    let text = text?.trim().to_owned();
    (!text.is_empty()).then(|| text.chars().take(MAX_DESCRIPTION).collect())
}
