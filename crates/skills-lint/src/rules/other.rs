//! The ids that only loading and baking report. They are not rules of a check.

use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;

/// An id of findings that is not a rule of a check. Its level cannot be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Other {
    /// The id.
    pub id: RuleId,
    /// The severity of the findings.
    pub severity: Severity,
    /// The meaning, in one line.
    pub summary: &'static str,
    /// The reason of the report, and the advice.
    pub why: &'static str,
}

const fn other(id: RuleId, severity: Severity, summary: &'static str, why: &'static str) -> Other {
    Other {
        id,
        severity,
        summary,
        why,
    }
}

use Severity::{Error, Info, Warning};

/// Every id that is not a rule of a check, in the order of [`RuleId::OTHERS`].
pub const OTHERS: &[Other] = &[
    other(
        RuleId::AmbiguousName,
        Info,
        "two skills of equal rank have one name",
        "Neither of them starts by its name alone. Write the id with its source: `source:name`. \
         `skills list` shows both.",
    ),
    other(
        RuleId::ConstantName,
        Error,
        "a name of a skill cannot become a name in Rust",
        "`include_skills!` with a module makes a constant for each skill, `code-review` as `CODE_REVIEW`, and a \
         struct for typed arguments: a field for each argument, an `enum` for each argument with listed values, a \
         variant for each value. Fields have `_` for `-`, and a keyword becomes `r#match`. Types and variants have \
         each word with a capital letter and nothing between the words: `a b` is `AB`, `2x` is `_2x`, the number 2 is \
         `_2`, `match` is `Match`. Two names can give the same name in Rust, and some give none: an empty value, \
         `+`, an argument `self`, `super` or `crate`. Rename it, or use the form of the macro that gives a value, \
         which has no such names.",
    ),
    other(
        RuleId::FileName,
        Warning,
        "the file of a skill is named nearly `SKILL.md`",
        "The skill is loaded here. Other programs look for exactly `SKILL.md` and do not find it. Rename \
         the file.",
    ),
    other(
        RuleId::IgnoreForm,
        Warning,
        "a line of an ignore file cannot be read",
        "The line has no effect, so files that it should leave out can be checked or loaded. Correct the \
         pattern, or remove the line.",
    ),
    other(
        RuleId::LimitReached,
        Warning,
        "folders were left out: there are too many, or they are too deep",
        "A load reads a bounded number of folders, so that a wrong folder does not stop a program. Name a \
         folder that holds only skills, or move the skills up.",
    ),
    other(
        RuleId::LinkRepeated,
        Info,
        "a link leads to a folder that is already read",
        "The skills of that folder are listed once. Nothing is lost.",
    ),
    other(
        RuleId::McpLimits,
        Warning,
        "a skill is not served over MCP",
        "The extension of the protocol limits names, descriptions and files of skills. The message says which \
         limit the skill is over. The skill works everywhere else.",
    ),
    other(
        RuleId::NotAFile,
        Warning,
        "a path of a file is not a regular file",
        "Pipes, devices and folders are not read, so the skill or its file is missing. Put a regular file \
         there.",
    ),
    other(
        RuleId::SameName,
        Info,
        "a skill of an MCP server has the name of a skill here",
        "The name alone always means the skill here. Write the id with its source, which the message shows, to \
         start the skill of the server.",
    ),
    other(
        RuleId::Sealed,
        Warning,
        "a skill has the name of a sealed skill and is not used",
        "The program that ships the sealed skill lets no other skill take its name. Give your skill another \
         name.",
    ),
    other(
        RuleId::Shadowed,
        Warning,
        "another skill with the same name comes first",
        "The name starts the first skill. A skill of another source starts as `source:name`, and a skill of \
         the same source starts only by a link to its path. Rename one of them to start both by name. Where \
         the order is meant, as between a project and its outer folder, this is only information.",
    ),
    other(
        RuleId::SourceName,
        Warning,
        "the name of a source was changed",
        "Two sources cannot have one name, and a name of a source is written like a name of a skill. Ids \
         such as `source:name` use the new name, which the message says. Rename the folder or the source.",
    ),
    other(
        RuleId::StateDamaged,
        Error,
        "the file of disabled or trusted skills cannot be read",
        "Until it is fixed, no skill of a folder starts, or no skill of a project is trusted: a damaged file \
         must not enable what a person disabled. Correct the file, or move it away to start anew.",
    ),
    other(
        RuleId::StateNewer,
        Error,
        "the file of disabled or trusted skills is of a newer version of this program",
        "This version does not know what the file says, and does not change it. Update this program.",
    ),
    other(
        RuleId::TriggerForm,
        Error,
        "a file of triggers cannot be read",
        "`triggers.yaml` lists the texts for which a skill should be chosen (`should`) and those for which it \
         should not (`should_not`). What cannot be read is not tested.",
    ),
    other(
        RuleId::TriggerMiss,
        Error,
        "a skill does not have the words of a prompt that it is for",
        "`triggers.yaml` lists prompts for which a skill should be chosen (`should`) and prompts for which it should \
         not (`should_not`). `skills test` compares the words of each prompt with those of all skills, or asks an \
         agent. A model decides by meaning, so the words are a hint. Use the words of people in the description, and \
         say in it when the skill is not meant. `skills resolve --rank` shows which words counted.",
    ),
    other(
        RuleId::TrustChanged,
        Warning,
        "a skill has changed since you trusted it",
        "A project's skill starts only if it is unchanged since you trusted it. `skills trust` lists what has changed, \
         and its option `--diff` shows the difference of a skill. Then trust the skill again.",
    ),
    other(
        RuleId::Untrusted,
        Info,
        "skills of a project are listed and cannot be started yet",
        "Anyone can write the skills of a project, so they start only after a person trusts them. `skills trust` \
         lists them.",
    ),
];

// Every id is explained, in the same order.
const _: () = {
    assert!(OTHERS.len() == RuleId::OTHERS.len());
    let mut at = 0;
    while at < OTHERS.len() {
        assert!(OTHERS[at].id as usize == RuleId::OTHERS[at] as usize);
        at += 1;
    }
};

/// Returns the explanation of an id that is not a rule; `None` if the id is a rule or unknown.
pub fn find_other(id: &str) -> Option<&'static Other> {
    OTHERS.iter().find(|other| other.id.as_str() == id)
}
