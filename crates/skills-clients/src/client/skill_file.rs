//! The facts about the reading of a `SKILL.md`: its fields, its name, its restraints.

use crate::source::Source;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The fields of the front matter that a client knows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct FrontMatter {
    /// The source.
    pub source: Source,
    /// True if a field that is not in [`FrontMatter::fields`] makes the client refuse the skill.
    pub refuses_unknown: bool,
    /// The maximum number of characters of a description. `None`: no maximum is documented.
    pub longest_description: Option<usize>,
    /// The known fields.
    pub fields: BTreeMap<String, Field>,
}

/// The values of a field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Field {
    /// Values of a type.
    Type(FieldType),
    /// One of these words.
    Values(Vec<String>),
}

/// The type of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FieldType {
    /// Text.
    Text,
    /// A boolean.
    Boolean,
    /// A list of strings, or a text with the items.
    Items,
    /// A mapping.
    Mapping,
}

/// The rules for `name`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Name {
    /// The source.
    pub source: Source,
    /// The maximum number of characters. `None`: no maximum.
    pub longest: Option<usize>,
    /// The characters that a name may have.
    pub letters: Letters,
    /// The relation of the name to the name of the folder: it is `taken` for the name, must be the `same`, or is `any`.
    pub folder: String,
    /// Words that a name cannot contain.
    #[serde(default)]
    pub refuses: Vec<String>,
}

/// The characters of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Letters {
    /// `a` to `z`, digits and hyphens.
    Ascii,
    /// Every character.
    Any,
}

/// The ways to close a skill that a client reads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Restraints {
    /// The source.
    pub source: Source,
    /// The spellings that close a skill to the model.
    #[serde(default)]
    pub model: Vec<Spelling>,
    /// The spellings that close a skill to the person.
    #[serde(default)]
    pub person: Vec<Spelling>,
    /// The values that count as true, in every case of letters.
    #[serde(default)]
    pub truths: Vec<String>,
}

/// A spelling of a restraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Spelling {
    /// `disable-model-invocation: true`
    DisableModelInvocation,
    /// `policy.allow_implicit_invocation: false` in `agents/openai.yaml`
    OpenaiYaml,
    /// `opencode/autoinvoke: "false"` in `metadata`
    OpencodeAutoinvoke,
    /// `user-invocable: false`
    UserInvocable,
    /// `opencode/slash: "false"` in `metadata`
    OpencodeSlash,
    /// `opencode/autoinvoke: "false"` outside of `metadata`, as some authors write it
    TopLevelAutoinvoke,
    /// `opencode/slash: "false"` outside of `metadata`
    TopLevelSlash,
    /// `paths`, which closes a skill until a matching file is opened
    Paths,
}
