//! The fields that are known by name.

/// What the value of a known field must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One text.
    Text,
    /// `true` or `false`.
    Bool,
    /// Words in one text, or a list of texts.
    Words,
    /// A mapping of keys.
    Mapping,
    /// Whatever it is, it is kept.
    Any,
}

/// A known field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) key: &'static str,
    pub(crate) kind: Kind,
    /// What it says, in one line.
    pub(crate) about: &'static str,
}

const fn known(key: &'static str, kind: Kind, about: &'static str) -> Known {
    Known { key, kind, about }
}

/// The fields of the specification first, then those that are widely used beyond it.
pub(crate) const FIELDS: &[Known] = &[
    known(
        "name",
        Kind::Text,
        "What the skill answers to: the name of its folder.",
    ),
    known(
        "description",
        Kind::Text,
        "What the skill does and when to use it.",
    ),
    known(
        "license",
        Kind::Text,
        "The licence's name, or the file that holds it.",
    ),
    known(
        "compatibility",
        Kind::Text,
        "What the skill needs of its environment.",
    ),
    known("metadata", Kind::Mapping, "Further texts by key."),
    known(
        "allowed-tools",
        Kind::Words,
        "The tools that the skill may use, separated by blanks.",
    ),
    known(
        "user-invocable",
        Kind::Bool,
        "Whether a person may start it; true where it is not said.",
    ),
    known(
        "disable-model-invocation",
        Kind::Bool,
        "Whether the model may not start it; false where it is not said.",
    ),
    known(
        "argument-hint",
        Kind::Any,
        "What to type after the slash command.",
    ),
    known(
        "arguments",
        Kind::Words,
        "The host variables that the body may hold.",
    ),
    known(
        "command-dispatch",
        Kind::Text,
        "`tool`: the slash command calls a tool, with no model turn.",
    ),
    known(
        "command-tool",
        Kind::Text,
        "The tool that the slash command calls.",
    ),
    known(
        "command-arg-mode",
        Kind::Text,
        "`raw`: the tool gets the arguments as they were typed.",
    ),
    known("version", Kind::Any, "The skill's version."),
    known("model", Kind::Any, "The model that it is for."),
    known("context", Kind::Any, "Where it runs."),
    known("agent", Kind::Any, "The agent that runs it."),
    known("hooks", Kind::Any, "What the host runs on events."),
    known("paths", Kind::Any, "The files that it is about, as globs."),
    known("when-to-use", Kind::Any, "When to use it."),
    known("when_to_use", Kind::Any, "When to use it."),
    known("homepage", Kind::Any, "An address with more about it."),
    known("author", Kind::Any, "Who wrote it."),
    known("tags", Kind::Any, "Words to find it by."),
    known("origin", Kind::Any, "Where it is from."),
    known("triggers", Kind::Any, "Words that call for it."),
    known("category", Kind::Any, "What it belongs to."),
    known("globs", Kind::Any, "The files that it is about."),
    known("requires", Kind::Any, "What it needs."),
    known("dependencies", Kind::Any, "What it needs."),
    known("emoji", Kind::Any, "Its picture."),
];
