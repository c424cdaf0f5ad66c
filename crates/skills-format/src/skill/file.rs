//! One `SKILL.md`, as far as it can be read, and the skill that is read from it.

use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::name::SkillName;
use crate::skill::document::{Document, NoFrontMatter};
use crate::skill::fields::Fields;
use crate::skill::front_matter::FrontMatter;
use crate::skill::limits::MAX_FRONT_MATTER;
use crate::skill::openai::OpenAiFile;
use crate::skill::restraint;
use crate::skill::spelling::Spelling;
use crate::text::prose::Prose;
use crate::text::span::Span;
use crate::yaml::node::Node;
use crate::yaml::node::merged;
use crate::yaml::{self, YamlError};

/// A `SKILL.md`, as far as it can be read. The lint rules check this type; [`SkillFile::strict`] and
/// [`SkillFile::lenient`] read a [`Skill`] from it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SkillFile<'t> {
    /// The path for display: relative, with `/`.
    pub path: String,
    /// The name of the folder that contains the file.
    pub folder: String,
    /// The bytes of the file.
    pub bytes: &'t [u8],
    /// The text of the file, or the offset of the first byte that is not UTF-8.
    pub text: Result<&'t str, usize>,
    /// The parts of the file. `None` if the file is not UTF-8.
    pub document: Option<Result<Document<'t>, NoFrontMatter>>,
    /// The parsed front matter. `None` if the file has no front matter. Empty front matter is an
    /// empty mapping.
    pub front_matter: Option<Result<Node, YamlError>>,
    /// The skill's `agents/openai.yaml`. `None` if the skill has no such file.
    pub openai: Option<OpenAiFile>,
    /// The skill that lenient reading makes has no body.
    pub(crate) is_listed: bool,
}

/// A skill that can be used, with a valid name and a description.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skill {
    /// The name that the skill answers to.
    pub name: SkillName,
    /// The text that says what the skill does and when to use the skill.
    pub description: String,
    /// The other fields of the front matter, typed.
    pub fields: Fields,
    /// The whole front matter, keys in the order written.
    pub front_matter: FrontMatter,
    /// The instructions, with LF line ends.
    pub body: String,
}

impl Skill {
    pub(crate) fn new(
        name: SkillName,
        description: &str,
        front_matter: &Node,
        document: &Document<'_>,
    ) -> Self {
        let description = description.trim();
        Self {
            front_matter: FrontMatter::new(front_matter, name.as_str(), description),
            name,
            description: description.to_owned(),
            fields: Fields::read(front_matter),
            body: document.body().into_owned(),
        }
    }

    /// Returns the front matter as JSON, with numbers and dates as written texts: [`FrontMatter::texts`].
    pub fn front_matter_texts(&self) -> String {
        let name = self.name.as_str();
        self.front_matter.texts(name, &self.description)
    }

    /// Returns the front matter as JSON, with the values of numbers: [`FrontMatter::values`].
    pub fn front_matter_values(&self) -> String {
        let name = self.name.as_str();
        self.front_matter.values(name, &self.description)
    }
}

impl<'t> SkillFile<'t> {
    /// Cuts and parses the file. `path` is the path for display, and `folder` the name of the file's folder.
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
                let node = node.unwrap_or_else(|| Node::empty_mapping(document.yaml.start));
                Ok(merged(node))
            });
        Self {
            path: path.into(),
            folder: folder.into(),
            bytes,
            text,
            document,
            front_matter,
            openai: None,
            is_listed: false,
        }
    }

    /// Leaves the body out of the skill that lenient reading makes: a list needs none, and a copy costs time.
    #[must_use]
    pub fn listed(mut self) -> Self {
        self.is_listed = true;
        self
    }

    /// Adds the skill's `agents/openai.yaml`, which can close the skill to the model.
    #[must_use]
    pub fn with_openai(mut self, file: Option<OpenAiFile>) -> Self {
        self.openai = file;
        self
    }

    /// Returns the spellings that close the skill to the model or to a person. Without front matter that parses, only
    /// `agents/openai.yaml` counts.
    pub fn closed_by(&self) -> Vec<Spelling> {
        if let Some(Ok(front_matter)) = &self.front_matter {
            return restraint::closed_by(front_matter, self.openai.as_ref());
        }
        let file = self.openai.as_ref().filter(|file| file.is_closed);
        file.map(|_| Spelling::OpenAiPolicy).into_iter().collect()
    }

    /// Creates a finding about `span` of this file.
    pub fn diagnostic(
        &self,
        rule: RuleId,
        severity: Severity,
        span: Span,
        message: impl Into<Prose>,
    ) -> Diagnostic {
        Diagnostic::new(rule, severity, &self.path, message).at(self.bytes, span)
    }
}
