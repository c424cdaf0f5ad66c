//! The spellings of one intent: this skill is closed to the model, or to a person.

use crate::foreign::{AUTOINVOKE, AUTOINVOKE_ID, AUTOINVOKE_OFF, SLASH, SLASH_ID, SLASH_OFF};
use crate::yaml::node::Node;

/// The spelling in which an author closes a skill to the model or to a person. Every client reads some of them.
/// Here each of them closes the skill, in every profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Spelling {
    /// `disable-model-invocation: true` in the front matter.
    DisableModelInvocation,
    /// `policy.allow_implicit_invocation: false` in `agents/openai.yaml`, or an `agents/openai.yaml` that cannot be
    /// read. Read by Codex.
    OpenAiPolicy,
    /// `opencode/autoinvoke: "false"` in the front matter's `metadata`. Read by `OpenCode`.
    MetadataAutoinvoke,
    /// `policy.allow_implicit_invocation: false` in the front matter, where no client reads it: Codex reads it in
    /// `agents/openai.yaml`.
    PolicyInFrontMatter,
    /// `user-invocable: false` in the front matter.
    UserInvocable,
    /// `opencode/slash: "false"` in the front matter's `metadata`. Read by `OpenCode`.
    MetadataSlash,
}

impl Spelling {
    /// Returns whether the front matter holds the key of the spelling as clients read it. A misspelt key closes a skill
    /// here, and in no client. `agents/openai.yaml` is a file of its own: its spelling is never in the front matter.
    pub fn is_exact_in(self, front_matter: &Node) -> bool {
        let metadata = |key: &str| {
            let metadata = front_matter.get("metadata");
            metadata.is_some_and(|metadata| metadata.get(key).is_some())
        };
        match self {
            Self::DisableModelInvocation => front_matter.get("disable-model-invocation").is_some(),
            Self::UserInvocable => front_matter.get("user-invocable").is_some(),
            Self::MetadataAutoinvoke => metadata(AUTOINVOKE),
            Self::MetadataSlash => metadata(SLASH),
            Self::OpenAiPolicy | Self::PolicyInFrontMatter => false,
        }
    }

    /// Returns the name of the spelling in JSON.
    pub const fn id(self) -> &'static str {
        self.texts().0
    }

    /// Returns whether the spelling closes the skill to the model. The other spellings close it to a person.
    pub const fn is_for_model(self) -> bool {
        !matches!(self, Self::UserInvocable | Self::MetadataSlash)
    }

    /// Returns the spelling as an author writes it, with its file if that is not `SKILL.md`.
    pub const fn as_str(self) -> &'static str {
        self.texts().1
    }

    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::DisableModelInvocation => {
                ("disable-model-invocation", "disable-model-invocation: true")
            }
            Self::OpenAiPolicy => (
                "openai-policy",
                "agents/openai.yaml, policy.allow_implicit_invocation: false",
            ),
            Self::MetadataAutoinvoke => (AUTOINVOKE_ID, AUTOINVOKE_OFF),
            Self::PolicyInFrontMatter => (
                "policy-in-front-matter",
                "front matter, allow_implicit_invocation: false",
            ),
            Self::UserInvocable => ("user-invocable", "user-invocable: false"),
            Self::MetadataSlash => (SLASH_ID, SLASH_OFF),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Spelling {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    #[test]
    fn a_key_counts_where_clients_read_it() {
        let is_exact = |text: &str, spelling: Spelling| {
            let node = yaml::parse(text).expect(text).expect(text);
            spelling.is_exact_in(&node)
        };
        for (text, spelling) in [
            (
                "disable-model-invocation: true",
                Spelling::DisableModelInvocation,
            ),
            ("user-invocable: false", Spelling::UserInvocable),
            (
                "metadata: {opencode/autoinvoke: 'false'}",
                Spelling::MetadataAutoinvoke,
            ),
            (
                "metadata: {opencode/slash: 'false'}",
                Spelling::MetadataSlash,
            ),
        ] {
            assert!(is_exact(text, spelling), "{text}");
            assert!(!is_exact(&text.to_uppercase(), spelling), "{text}");
            assert!(!is_exact("other: true", spelling), "{text}");
        }
        let outside = "opencode/slash: 'false'\nallow_implicit_invocation: false";
        for spelling in [
            Spelling::MetadataSlash,
            Spelling::OpenAiPolicy,
            Spelling::PolicyInFrontMatter,
        ] {
            assert!(!is_exact(outside, spelling), "{spelling:?}");
        }
    }

    #[test]
    fn a_spelling_closes_a_skill_to_the_model_or_to_a_person() {
        let all = [
            (Spelling::DisableModelInvocation, true),
            (Spelling::OpenAiPolicy, true),
            (Spelling::MetadataAutoinvoke, true),
            (Spelling::PolicyInFrontMatter, true),
            (Spelling::UserInvocable, false),
            (Spelling::MetadataSlash, false),
        ];
        for (spelling, is_for_model) in all {
            assert_eq!(spelling.is_for_model(), is_for_model, "{spelling:?}");
        }
    }
}
