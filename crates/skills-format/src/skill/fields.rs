//! The typed fields of a skill beyond its name and description.

use crate::skill::allowed_tools::ToolRule;
use crate::skill::spelling::Spelling;
use std::borrow::Cow;

/// A text that a bundled skill borrows, and a skill of a folder owns.
pub type Text = Cow<'static, str>;

/// The typed fields of a skill beyond its name and description. Other keys, `metadata` among them, are only in the front
/// matter's JSON: see `front_matter` of a bundled skill and of an entry.
///
/// `license`, `compatibility` and `allowed-tools` are fields of the specification. The other fields are in wide use beyond
/// the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of its own")]
pub struct Fields {
    /// A person may start the skill: no spelling of [`Fields::closed_by`] closes it to a person.
    pub user_invocable: bool,
    /// The model may not start the skill: a spelling of [`Fields::closed_by`] closes it to the model.
    pub disable_model_invocation: bool,
    /// The spellings that close the skill to the model or to a person, in the order of [`Spelling`].
    pub closed_by: Cow<'static, [Spelling]>,
    /// The name as it was written, if that name is not valid.
    pub display_name: Option<Text>,
    /// `license`
    pub license: Option<Text>,
    /// `compatibility`
    pub compatibility: Option<Text>,
    /// `allowed-tools`, in the order written.
    pub allowed_tools: Cow<'static, [ToolRule]>,
    /// A host may take `allowed_tools` for an approval: every reader finds the same front matter, the key is spelt
    /// exactly and stands once, and each of its entries parses. A list that had to be interpreted limits a skill, and
    /// approves nothing.
    pub may_approve: bool,
    /// `disallowed-tools`, in the order written. An entry that cannot be read is `*`: every tool.
    pub disallowed_tools: Cow<'static, [ToolRule]>,
    /// `metadata.aliases`: other names that the skill answers to.
    pub aliases: Cow<'static, [Text]>,
    /// `argument-hint`: what to type after the slash command's name.
    pub argument_hint: Option<Text>,
    /// `arguments`: the names of the arguments, in order. `$NAME` in the body stands for the host's variable of
    /// that name, else for the argument at the name's position.
    pub arguments: Cow<'static, [Text]>,
    /// `command-dispatch: tool` and `command-tool`: the tool that the slash command calls without a model turn.
    pub command_tool: Option<Text>,
    /// `version`
    pub version: Option<Text>,
    /// `model`
    pub model: Option<Text>,
    /// `context`
    pub context: Option<Text>,
    /// `agent`
    pub agent: Option<Text>,
    /// `paths`: globs of the files that the skill is about, as Claude Code reads them.
    pub paths: Cow<'static, [Text]>,
    /// `when-to-use` or `when_to_use`
    pub when_to_use: Option<Text>,
    /// `homepage`
    pub homepage: Option<Text>,
    /// `author`
    pub author: Option<Text>,
    /// `tags`
    pub tags: Cow<'static, [Text]>,
    /// `metadata.openclaw`: what the host must provide.
    pub requires: Requires,
    /// `sealed` of the bundle's `skills.toml`, not of the file: no skill of a folder may shadow the skill.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub sealed: bool,
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub __more_to_come: (),
}

/// The requirements of a skill: `metadata.requires.skills`, `metadata.openclaw.os`, and `metadata.openclaw.requires`
/// unless `metadata.openclaw.always` is true.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Requires {
    /// Programs that must all be found.
    pub bins: Cow<'static, [Text]>,
    /// Programs of which at least one must be found.
    pub any_bins: Cow<'static, [Text]>,
    /// Environment variables that must be set.
    pub env: Cow<'static, [Text]>,
    /// Operating systems of which the host must be one.
    pub os: Cow<'static, [Text]>,
    /// `metadata.requires.skills`: the skills that this skill sends the model to.
    pub skills: Cow<'static, [Text]>,
    #[doc(hidden)]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub __more_to_come: (),
}

impl Requires {
    /// No requirements.
    pub const NONE: Self = Self {
        bins: Cow::Borrowed(&[]),
        any_bins: Cow::Borrowed(&[]),
        env: Cow::Borrowed(&[]),
        os: Cow::Borrowed(&[]),
        skills: Cow::Borrowed(&[]),
        __more_to_come: (),
    };

    /// Returns the names of [`Requires::skills`] that are looked up: each lookup takes time, and a list has no limit.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub fn needed(&self) -> impl Iterator<Item = &str> {
        const MOST: usize = 100;
        self.skills.iter().take(MOST).map(|name| &**name)
    }
}

impl Fields {
    /// The fields of a skill that has only a name and a description.
    pub const NONE: Self = Self {
        user_invocable: true,
        disable_model_invocation: false,
        closed_by: Cow::Borrowed(&[]),
        display_name: None,
        license: None,
        compatibility: None,
        allowed_tools: Cow::Borrowed(&[]),
        may_approve: false,
        disallowed_tools: Cow::Borrowed(&[]),
        aliases: Cow::Borrowed(&[]),
        argument_hint: None,
        arguments: Cow::Borrowed(&[]),
        command_tool: None,
        version: None,
        model: None,
        context: None,
        agent: None,
        paths: Cow::Borrowed(&[]),
        when_to_use: None,
        homepage: None,
        author: None,
        tags: Cow::Borrowed(&[]),
        requires: Requires::NONE,
        sealed: false,
        __more_to_come: (),
    };
}

impl Fields {
    /// Closes the skill by one more spelling.
    pub fn close(&mut self, spelling: Spelling) {
        if self.closed_by.contains(&spelling) {
            return;
        }
        let closed_by = self.closed_by.to_mut();
        closed_by.push(spelling);
        closed_by.sort_unstable();
        if spelling.is_for_model() {
            self.disable_model_invocation = true;
        } else {
            self.user_invocable = false;
        }
    }
}

impl Default for Fields {
    fn default() -> Self {
        Self::NONE
    }
}

/// Reads the fields of the front matter from its YAML.
pub mod read {
    use super::{Cow, Fields, Requires, Text, ToolRule};
    use crate::foreign::NEEDS;
    use crate::skill::known_fields::value;
    use crate::skill::paths;
    use crate::yaml;
    use crate::yaml::node::{Node, Value};

    impl Fields {
        /// Reads the fields. A value of the wrong type is left out here, and reported by
        /// the rule `field-type`.
        pub fn read(front_matter: &Node) -> Self {
            let text = |key: &str| front_matter.get(key).and_then(text_of);
            let word = |key: &str| value(front_matter, key).and_then(word_of);
            let list = |key: &str| front_matter.get(key).map(list_of).unwrap_or_default();
            let metadata = front_matter.get("metadata").map(as_mapping);
            let metadata = metadata.as_deref();
            let aliases = metadata.and_then(|metadata| metadata.get("aliases"));
            let tools = front_matter.get("allowed-tools");
            let needs = metadata.and_then(|metadata| metadata.get(NEEDS));
            let requires = needs.map_or(Requires::NONE, |needs| requires_of(&as_mapping(needs)));
            Self {
                license: text("license"),
                compatibility: text("compatibility"),
                allowed_tools: tools.map(tools_of).unwrap_or_default(),
                aliases: aliases.map(list_of).unwrap_or_default(),
                argument_hint: value(front_matter, "argument-hint").and_then(hint_of),
                arguments: list("arguments"),
                command_tool: word("command-dispatch")
                    .filter(|mode| mode.eq_ignore_ascii_case("tool"))
                    .and_then(|_| word("command-tool")),
                version: text("version"),
                model: text("model"),
                context: text("context"),
                agent: text("agent"),
                paths: front_matter.get("paths").map(globs_of).unwrap_or_default(),
                when_to_use: text("when-to-use").or_else(|| text("when_to_use")),
                homepage: text("homepage"),
                author: text("author"),
                tags: list("tags"),
                requires: Requires {
                    skills: metadata.map(skills_of).unwrap_or_default(),
                    ..requires
                },
                // `restraint` reads who may start the skill, and which tools are taken away.
                ..Self::NONE
            }
        }
    }

    /// Returns a node as a mapping. A text that holds a JSON object is parsed: `metadata: '{"openclaw": {…}}'`.
    /// Any other node is returned unchanged.
    pub fn as_mapping(node: &Node) -> Cow<'_, Node> {
        let text = node
            .as_str()
            .filter(|text| text.trim_start().starts_with('{'));
        match text.map(yaml::parse) {
            Some(Ok(Some(mapping))) => Cow::Owned(mapping),
            _ => Cow::Borrowed(node),
        }
    }

    fn text_of(node: &Node) -> Option<Text> {
        node.as_str()
            .filter(|_| !node.is_null())
            .map(|text| Cow::Owned(text.to_owned()))
    }

    /// Reads a trimmed text. Returns `None` if nothing is left.
    fn word_of(node: &Node) -> Option<Text> {
        let text = node.as_str().filter(|_| !node.is_null())?.trim();
        (!text.is_empty()).then(|| Cow::Owned(text.to_owned()))
    }

    /// Reads a hint. People write `[file]` without quotes, which is a YAML list, so a list is read as the text
    /// in brackets.
    fn hint_of(node: &Node) -> Option<Text> {
        let Value::Sequence(items) = &node.value else {
            return text_of(node);
        };
        let words: Option<Vec<&str>> = items.iter().map(Node::as_str).collect();
        Some(Cow::Owned(format!("[{}]", words?.join(", "))))
    }

    /// Reads a YAML list, or a text of words separated by white space or commas.
    fn list_of(node: &Node) -> Cow<'static, [Text]> {
        let words: Vec<Text> = match &node.value {
            Value::Sequence(items) => items.iter().filter_map(text_of).collect(),
            Value::Scalar(_) if node.is_null() => Vec::new(),
            Value::Scalar(scalar) => scalar
                .text
                .split(|c: char| c.is_whitespace() || c == ',')
                .filter(|word| !word.is_empty())
                .map(|word| Cow::Owned(word.to_owned()))
                .collect(),
            Value::Mapping(_) => Vec::new(),
        };
        Cow::Owned(words)
    }

    fn globs_of(node: &Node) -> Cow<'static, [Text]> {
        let globs = paths::globs(node).into_iter();
        Cow::Owned(globs.map(|glob| Cow::Owned(glob.to_owned())).collect())
    }

    fn tools_of(node: &Node) -> Cow<'static, [ToolRule]> {
        Cow::Owned(match &node.value {
            Value::Sequence(items) => items
                .iter()
                .filter_map(Node::as_str)
                .flat_map(ToolRule::parse_list)
                .collect(),
            _ if node.is_null() => Vec::new(),
            _ => node.as_str().map(ToolRule::parse_list).unwrap_or_default(),
        })
    }

    /// Reads the names of the skills that a skill needs: below `requires`, which can be JSON in a text.
    fn skills_of(metadata: &Node) -> Cow<'static, [Text]> {
        let requires = metadata.get("requires").map(as_mapping);
        let skills = requires.as_deref().and_then(|node| node.get("skills"));
        skills.map(list_of).unwrap_or_default()
    }

    /// Reads the requirements. `os` stands beside `requires`, but some authors write it inside.
    fn requires_of(needs: &Node) -> Requires {
        let always = needs.get("always").and_then(Node::as_bool);
        let requires = needs.get("requires").map(as_mapping);
        let os = needs.get("os");
        let needs = requires.as_deref().filter(|_| always != Some(true));
        let list = |node: Option<&Node>| node.map(list_of).unwrap_or_default();
        let needed = |key: &str| list(needs.and_then(|node| node.get(key)));
        Requires {
            bins: needed("bins"),
            any_bins: needed("anyBins"),
            env: needed("env"),
            os: list(os.or_else(|| requires.as_deref()?.get("os"))),
            ..Requires::NONE
        }
    }
}
