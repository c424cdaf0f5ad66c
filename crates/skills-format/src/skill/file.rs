//! One `SKILL.md`: as far as it can be read, and as the skill that it makes.

use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::name::SkillName;
use crate::skill::document::{Document, NoFrontMatter};
use crate::skill::fields::Fields;
use crate::skill::front_matter::FrontMatter;
use crate::skill::limits::MAX_FRONT_MATTER;
use crate::skill::restraint;
use crate::text::prose::Prose;
use crate::text::span::Span;
use crate::yaml::node::Node;
use crate::yaml::{self, YamlError};

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
    /// The file as text; else the offset of the first byte that is not UTF-8.
    pub text: Result<&'t str, usize>,
    /// The parts of the file. `None` if the file is not text.
    pub document: Option<Result<Document<'t>, NoFrontMatter>>,
    /// The parsed front matter. `None` if the file has no front matter. Empty front matter is an
    /// empty mapping.
    pub front_matter: Option<Result<Node, YamlError>>,
}

/// A skill that can be used: it has a valid name and a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The name that it answers to.
    pub name: SkillName,
    /// Says what it does and when to use it.
    pub description: String,
    /// The other fields of the front matter, typed.
    pub fields: Fields,
    /// The whole front matter as JSON, keys in the order written.
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
        Self {
            name,
            description: description.trim().to_owned(),
            fields: Fields::read(front_matter),
            front_matter: FrontMatter::new(front_matter.to_written()),
            body: document.body().into_owned(),
        }
    }
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

    /// The skill, when name and description are right. What is wrong otherwise, the rules say. A
    /// restraint under a misspelt key restrains, as in [`SkillFile::lenient`].
    pub fn strict(&self) -> Option<Skill> {
        let front_matter = self.front_matter.as_ref()?.as_ref().ok()?;
        let name = SkillName::new(front_matter.get("name")?.as_str()?).ok()?;
        let description = front_matter.get("description")?.as_str()?;
        let document = self.document.as_ref()?.as_ref().ok()?;
        let mut skill = Skill::new(name, description, front_matter, document);
        // The rules report the faults.
        restraint::restrain(front_matter, &mut skill.fields);
        Some(skill)
    }

    /// A finding about `span` of this file.
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
