//! Writes the spellings that close a skill to the model or to a person.

use crate::client::{Behaviour, Condition};
use crate::view::skill::SkillView;
use skills_format::OPENAI_FILE;
use skills_format::skill::spelling::Spelling;
use skills_format::text::span::Span;
use skills_format::tree::join;
use skills_format::yaml::node::Node;

pub(in crate::rules) const MODEL: &str = "disable-model-invocation";
pub(in crate::rules) const PERSON: &str = "user-invocable";
const AUTOINVOKE: &str = "opencode/autoinvoke";
const SLASH: &str = "opencode/slash";

/// Returns whether a client reads a spelling.
pub(in crate::rules) fn reads(one: &Behaviour<'_>, spelling: Spelling) -> bool {
    one.fact.values.contains(&id(spelling))
}

/// Returns whether a client sees a spelling where this skill has it. The keys of `OpenCode` are read outside of
/// `metadata` here, and in no other client.
pub(in crate::rules) fn sees(
    view: &SkillView<'_>,
    one: &Behaviour<'_>,
    spelling: Spelling,
) -> bool {
    let is_exact = || {
        let fields = view.fields();
        fields.is_some_and(|fields| spelling.is_exact_in(fields))
    };
    let (is_in_metadata, outside) = match spelling {
        Spelling::MetadataAutoinvoke => (is_exact(), "top-level-autoinvoke"),
        Spelling::MetadataSlash => (is_exact(), "top-level-slash"),
        _ => (true, ""),
    };
    reads(one, spelling) && (is_in_metadata || one.fact.values.contains(&outside))
}

/// Returns the id of a spelling in the facts.
fn id(spelling: Spelling) -> &'static str {
    match spelling {
        Spelling::DisableModelInvocation => "disable-model-invocation",
        Spelling::OpenAiPolicy => "openai-yaml",
        Spelling::MetadataAutoinvoke => "opencode-autoinvoke",
        Spelling::UserInvocable => "user-invocable",
        Spelling::MetadataSlash => "opencode-slash",
        _ => "",
    }
}

/// Returns the spellings to write besides those that are read, so that every asked client reads one: one spelling for
/// each client is enough. `blind` are further clients.
pub(in crate::rules) fn wanted(
    view: &SkillView<'_>,
    read: &[Spelling],
    blind: &[Behaviour<'_>],
) -> Vec<Spelling> {
    let all = [
        Spelling::DisableModelInvocation,
        Spelling::OpenAiPolicy,
        Spelling::MetadataAutoinvoke,
    ];
    // A copy of the skill can lie in a folder that other clients read. The fix of both must be the same.
    let everywhere = view.tree.scope.clients.about("").on(Condition::Closed);
    let is_blind = |one: &&Behaviour<'_>| !read.iter().any(|spelling| reads(one, *spelling));
    let mut missing: Vec<Spelling> = Vec::new();
    for one in everywhere.iter().filter(is_blind).chain(blind) {
        let known = missing.iter().any(|spelling| reads(one, *spelling));
        let first = all.iter().find(|spelling| reads(one, **spelling));
        missing.extend(first.filter(|_| !known));
    }
    missing
}

/// Returns a spelling as code, with the place where it stands if that is not a field of the front matter.
pub(in crate::rules) fn code(spelling: Spelling) -> &'static str {
    match spelling {
        Spelling::DisableModelInvocation => "`disable-model-invocation: true`",
        Spelling::OpenAiPolicy => {
            "`policy.allow_implicit_invocation: false` in `agents/openai.yaml`"
        }
        Spelling::MetadataAutoinvoke => "`opencode/autoinvoke: \"false\"` in `metadata`",
        Spelling::UserInvocable => "`user-invocable: false`",
        Spelling::MetadataSlash => "`opencode/slash: \"false\"` in `metadata`",
        other => other.as_str(),
    }
}

/// Returns the value in the `SKILL.md` that closes the skill.
pub(in crate::rules) fn place(view: &SkillView<'_>, closed: &[Spelling]) -> Option<Span> {
    closed.iter().find_map(|spelling| match spelling {
        Spelling::DisableModelInvocation => Some(view.field(MODEL)?.1.span),
        Spelling::MetadataAutoinvoke => Some(autoinvoke(view)?.span),
        Spelling::UserInvocable => Some(view.field(PERSON)?.1.span),
        Spelling::MetadataSlash => Some(slash(view)?.span),
        _ => None,
    })
}

/// Returns the value of the key of `OpenCode` in `metadata`.
pub(in crate::rules) fn autoinvoke<'v>(view: &'v SkillView<'_>) -> Option<&'v Node> {
    view.field("metadata")?.1.get(AUTOINVOKE)
}

/// Returns the value of the key of `OpenCode` for persons.
pub(in crate::rules) fn slash<'v>(view: &'v SkillView<'_>) -> Option<&'v Node> {
    view.field("metadata")?.1.get(SLASH)
}

/// Returns whether an `agents/openai.yaml` speaks of the policy that closes a skill, in whatever form.
pub(in crate::rules) fn is_policy_meant(view: &SkillView<'_>) -> bool {
    openai_text(view).is_some_and(|text| text.to_ascii_lowercase().contains("implicit"))
}

/// Returns the text of `agents/openai.yaml`: empty if there is no file, `None` if it is not UTF-8 or was not read.
pub(in crate::rules) fn openai_text<'a>(view: &SkillView<'a>) -> Option<&'a str> {
    let path = join(view.skill.dir, OPENAI_FILE);
    match view.skill.files.iter().find(|file| file.path == path) {
        None => Some(""),
        Some(file) => std::str::from_utf8(file.bytes.as_deref()?).ok(),
    }
}

/// The paths of an `openai.yaml` that Codex does not read, in any case. Codex asks for [`OPENAI_FILE`] alone.
const ELSEWHERE: [&str; 4] = [
    "openai.yaml",
    "openai.yml",
    "agents/openai.yml",
    OPENAI_FILE,
];

/// Returns the files that Codex would read at [`OPENAI_FILE`], with the path of each in the skill.
pub(in crate::rules) fn elsewhere<'v>(
    view: &'v SkillView<'_>,
) -> impl Iterator<Item = (&'v str, &'v [u8])> {
    view.skill.files.iter().filter_map(move |file| {
        let path = view.relative(&file.path)?;
        let is_one = ELSEWHERE.iter().any(|one| path.eq_ignore_ascii_case(one));
        (is_one && path != OPENAI_FILE).then_some((path, file.bytes.as_deref()?))
    })
}
