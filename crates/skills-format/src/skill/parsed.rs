//! Which `SKILL.md` is a valid skill: the one place that decides it.

use crate::diagnostic::rule_id::RuleId;
use crate::name::{NameError, SkillName};
use crate::skill::file::{Skill, SkillFile};
use crate::skill::restraint;
use crate::yaml::node::Node;

/// The first reason why a `SKILL.md` is not a valid skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Invalid {
    /// The rule that reports it in a check.
    pub rule: RuleId,
    /// The reason: `it has no front matter`.
    pub why: String,
}

fn invalid<T>(rule: RuleId, why: impl Into<String>) -> Result<T, Invalid> {
    let why = why.into();
    Err(Invalid { rule, why })
}

impl SkillFile<'_> {
    /// Decides whether the file is a valid skill. A restraint under a misspelt key restrains, as in
    /// [`SkillFile::lenient`].
    ///
    /// # Errors
    ///
    /// The first reason why it is not.
    pub fn parsed(&self) -> Result<Skill, Invalid> {
        if self.text.is_err() {
            return invalid(RuleId::NotUtf8, "it is not UTF-8");
        }
        let (document, front_matter) = match (&self.document, &self.front_matter) {
            (Some(Ok(document)), Some(Ok(front_matter))) => (document, front_matter),
            (_, Some(Err(error))) => return invalid(RuleId::YamlSyntax, &*error.message),
            _ => return invalid(RuleId::FrontmatterMissing, "it has no front matter"),
        };
        let name = match name(front_matter) {
            Name::Valid(_, name) => name,
            Name::Missing(_) => return invalid(RuleId::NameMissing, "it has no `name`"),
            Name::Invalid(_, name, error) => {
                let why = format!("`{name}` is not a valid name: {error}");
                return invalid(RuleId::NameForm, why);
            }
        };
        let Some((_, description)) = description(front_matter) else {
            return invalid(RuleId::DescriptionMissing, "it has no `description`");
        };
        let mut skill = Skill::new(name, description, front_matter, document);
        // The lint rules report these faults.
        restraint::restrain(front_matter, self.openai.as_ref(), &mut skill.fields);
        skill.fields.may_approve = skill.fields.may_approve && document.is_exact();
        Ok(skill)
    }

    /// Reads the skill, if the file is valid.
    pub fn strict(&self) -> Option<Skill> {
        self.parsed().ok()
    }
}

/// The `name` of a front matter.
pub(crate) enum Name<'n> {
    /// The name is missing or null (`None`), or is the node, which is not text.
    Missing(Option<&'n Node>),
    /// The text is not a name.
    Invalid(&'n Node, &'n str, NameError),
    Valid(&'n Node, SkillName),
}

/// Reads the name of a front matter.
pub(crate) fn name(front_matter: &Node) -> Name<'_> {
    let node = front_matter.get("name").filter(|node| !node.is_null());
    let Some((node, text)) = node.and_then(|node| Some((node, node.as_str()?))) else {
        return Name::Missing(node);
    };
    match SkillName::new(text) {
        Ok(name) => Name::Valid(node, name),
        Err(error) => Name::Invalid(node, text, error),
    }
}

/// Reads the description of a front matter, without white space at its ends. `None` if it is missing, empty or not
/// text.
pub(crate) fn description(front_matter: &Node) -> Option<(&Node, &str)> {
    let node = front_matter.get("description")?;
    let text = node.as_str().filter(|_| !node.is_null())?.trim();
    (!text.is_empty()).then_some((node, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &[u8]) -> RuleId {
        let file = SkillFile::read("SKILL.md", "x", text);
        file.parsed().expect_err("an invalid skill").rule
    }

    #[test]
    fn the_first_fault_is_named() {
        for (text, expected) in [
            (&b"\xFF"[..], RuleId::NotUtf8),
            (b"Hello", RuleId::FrontmatterMissing),
            (b"---\nname: [\n---\n", RuleId::YamlSyntax),
            (b"---\n---\n", RuleId::NameMissing),
            (b"---\nname: ~\n---\n", RuleId::NameMissing),
            (b"---\nname: A B\n---\n", RuleId::NameForm),
            (b"---\nname: a\n---\n", RuleId::DescriptionMissing),
            (
                b"---\nname: a\ndescription: ' '\n---\n",
                RuleId::DescriptionMissing,
            ),
            (
                b"---\nname: a\ndescription:\n---\n",
                RuleId::DescriptionMissing,
            ),
        ] {
            assert_eq!(fault(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_front_matter_that_every_reader_finds_approves() {
        for (text, may_approve) in [
            ("---\n{}---\n", true),
            ("---\r\n{}---\r\n", true),
            ("\u{feff}--- \n{}--- \n", true),
            ("\n---\n{}---\n", false),
            ("<!-- a -->\n---\n{}---\n", false),
            (" ---\n{}---\n", false),
            ("---\n{}...\n", false),
            ("---\n{} ---\n", false),
            ("---\n{}--- # end\n", false),
            ("---\nlicense: x\rx: y\n{}---\n", false),
            ("---\nlicense: x\u{2028}x\n{}---\n", false),
            ("---\nlicense: x\u{85}x\n{}---\n", false),
        ] {
            let fields = "name: a\ndescription: b\nallowed-tools: Bash\n";
            let text = text.replace("{}", fields) + "c\n";
            let file = SkillFile::read("SKILL.md", "a", text.as_bytes());
            for skill in [file.strict(), file.lenient().0] {
                let approves = skill.is_some_and(|skill| skill.fields.may_approve);
                assert_eq!(approves, may_approve, "{text:?}");
            }
        }
    }

    #[test]
    fn what_is_valid_is_the_same_in_both_readings() {
        let text = b"---\nname: a\ndescription: b\nuser_invocable: false\n---\nc\n";
        let file = SkillFile::read("SKILL.md", "a", text);
        let (lenient, _) = file.lenient();
        assert_eq!(file.parsed().ok(), lenient);
        assert_eq!(
            lenient.map(|skill| skill.fields.user_invocable),
            Some(false)
        );
    }
}
