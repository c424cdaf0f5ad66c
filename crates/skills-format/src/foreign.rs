//! The keys, variables and files that other programs gave to skills, as they stand in files on disk. No other file of the
//! packages that an author's program links names another program.

/// The variable of the skill's folder, in braces.
pub const SKILL_DIR: &str = "SKILL_DIR";

/// The variable of the skill's folder in skills that were written for Claude Code.
pub const CLIENT_SKILL_DIR: &str = "CLAUDE_SKILL_DIR";

/// The variables in braces that skills of Claude Code and of plugins hold, beside [`SKILL_DIR`].
/// <https://code.claude.com/docs/en/skills>
pub const BRACED: [&str; 8] = [
    CLIENT_SKILL_DIR,
    "CLAUDE_EFFORT",
    "CLAUDE_PLUGIN_DATA",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_SESSION_ID",
    "PLUGIN_DATA",
    "PLUGIN_ROOT",
];

/// The key in `metadata` of what `OpenClaw` checks before it lists a skill.
pub const NEEDS: &str = "openclaw";

/// The key in `metadata` that closes a skill to the model in `OpenCode`, and the id of this spelling.
pub const AUTOINVOKE: &str = "opencode/autoinvoke";
pub(crate) const AUTOINVOKE_ID: &str = "opencode-autoinvoke";
pub(crate) const AUTOINVOKE_OFF: &str = "metadata, opencode/autoinvoke: \"false\"";

/// The key in `metadata` that closes a skill to a person in `OpenCode`, and the id of this spelling.
pub const SLASH: &str = "opencode/slash";
pub(crate) const SLASH_ID: &str = "opencode-slash";
pub(crate) const SLASH_OFF: &str = "metadata, opencode/slash: \"false\"";
