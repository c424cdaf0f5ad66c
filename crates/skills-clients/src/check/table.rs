//! The facts about clients for the rules of the group *portability*: one line a fact.
//!
//! Generated from crates/skills-clients/clients. `UPDATE_DOCS=1 cargo test -p skills-clients` writes the file again.

use crate::check::line::{fact, read};
use crate::reading::Reader;
use skills_lint::{Client, Condition, Loss, Reads};

#[rustfmt::skip]
pub(super) static CLIENTS: &[Client] = &[
    Client { name: "default", title: "the default profile", names: &["agents", "cline", "warp"], common: false, folders: &[".agents/skills"], reads: None, facts: &[
        fact(Condition::Closed, "", &["disable-model-invocation", "openai-yaml", "opencode-autoinvoke", "top-level-autoinvoke"], 0, Loss::Restraint, "the model may start the skill", "this project", "2026-11-23"),
        fact(Condition::LooseBoolean, "disable-model-invocation", &["true", "yes", "on", "1"], 0, Loss::Restraint, "the model may start the skill", "this project", "2026-11-23"),
        fact(Condition::ClosedToPerson, "", &["user-invocable", "opencode-slash", "top-level-slash"], 0, Loss::Nothing, "a person can start the skill", "this project", "2026-11-23"),
    ] },
    Client { name: "claude-code", title: "Claude Code", names: &[], common: true, folders: &[".claude/skills"], reads: Some(Reads { read: |file| read(Reader::ClaudeCode, file), closes: true, dropped: fact(Condition::Never, "", &[], 0, Loss::Skill, "the skill is not listed", "Claude Code 2.1.332", "2026-12-01"), misread: fact(Condition::Never, "", &[], 0, Loss::Skill, "another text is its description", "Claude Code 2.1.332", "2026-12-01") }), facts: &[
        fact(Condition::SpaceBefore, "", &[], 0, Loss::Skill, "the front matter counts as text and the description is lost", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::TextBefore, "", &[], 0, Loss::Skill, "the front matter counts as text and the description is lost", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::Dots, "", &[], 0, Loss::Skill, "the front matter counts as text and the description is lost", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::DashesInside, "", &[], 0, Loss::Skill, "the front matter ends there", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::DashesInBlock, "", &[], 0, Loss::Skill, "the front matter ends there", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::OwnCommand, "", &["add-dir", "agents", "branch", "btw", "clear", "code-review", "compact", "config", "context", "copy", "cost", "diff", "doctor", "exit", "export", "fast", "fork", "help", "hooks", "ide", "init", "login", "logout", "mcp", "memory", "model", "permissions", "plan", "plugin", "rename", "resume", "review", "rewind", "security-review", "skills", "stats", "status", "statusline", "theme", "usage"], 0, Loss::Nothing, "the skill takes its place", "https://github.com/anthropics/claude-code/issues/82397, and the commands of 2.1.332", "2026-11-30"),
        fact(Condition::Depth, "", &[], 1, Loss::Skill, "the skill is not listed", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::ReservedFolder, "", &["synced"], 0, Loss::Skill, "the skill is not listed", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::Closed, "", &["disable-model-invocation"], 0, Loss::Restraint, "the model may start the skill", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::LooseBoolean, "disable-model-invocation", &["true", "yes", "on", "1"], 0, Loss::Restraint, "the model may start the skill", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::ClosedToPerson, "", &["user-invocable"], 0, Loss::Nothing, "a person can start the skill", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::Positional, "", &[], 0, Loss::Nothing, "it is replaced by a word of the arguments (if there are enough)", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::Injection, "", &[], 0, Loss::Nothing, "the argument becomes a part of a command that runs at once", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::PlaceholderKept, "", &["arguments", "names", "commands", "${CLAUDE_SKILL_DIR}", "${CLAUDE_PROJECT_DIR}", "${CLAUDE_SESSION_ID}", "${CLAUDE_EFFORT}", "${CLAUDE_PLUGIN_ROOT}", "${CLAUDE_PLUGIN_DATA}"], 0, Loss::Nothing, "it stays as it is", "Claude Code 2.1.332", "2026-11-30"),
        fact(Condition::FieldIgnored, "", &["agent", "allowed-tools", "argument-hint", "arguments", "background", "compatibility", "context", "description", "disable-model-invocation", "disallowed-tools", "effort", "hooks", "license", "metadata", "model", "name", "paths", "shell", "user-invocable", "when_to_use"], 0, Loss::Nothing, "it has no effect", "https://code.claude.com/docs/en/skills", "2026-11-23"),
        fact(Condition::OtherValue, "background", &["true", "false"], 0, Loss::Nothing, "the value has no effect", "https://code.claude.com/docs/en/skills", "2026-11-23"),
        fact(Condition::OtherValue, "context", &["fork"], 0, Loss::Nothing, "the value has no effect", "https://code.claude.com/docs/en/skills", "2026-11-23"),
        fact(Condition::OtherValue, "effort", &["low", "medium", "high", "xhigh", "max"], 0, Loss::Nothing, "the value has no effect", "https://code.claude.com/docs/en/skills", "2026-11-23"),
        fact(Condition::OtherValue, "shell", &["bash", "powershell"], 0, Loss::Nothing, "the value has no effect", "https://code.claude.com/docs/en/skills", "2026-11-23"),
    ] },
    Client { name: "claude-ai", title: "claude.ai", names: &[], common: false, folders: &[], reads: None, facts: &[
        fact(Condition::UnknownField, "", &["allowed-tools", "compatibility", "description", "license", "metadata", "name"], 0, Loss::Skill, "the upload is refused", "https://github.com/anthropics/skills, skills/skill-creator/scripts/quick_validate.py", "2026-11-23"),
        fact(Condition::NameBeyondAscii, "", &[], 0, Loss::Skill, "the name is not valid", "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview", "2026-11-23"),
        fact(Condition::WordInName, "", &["anthropic", "claude"], 0, Loss::Skill, "the upload is refused", "https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview", "2026-11-23"),
    ] },
    Client { name: "codex", title: "Codex", names: &[], common: true, folders: &[".agents/skills", ".codex/skills"], reads: Some(Reads { read: |file| read(Reader::Codex, file), closes: true, dropped: fact(Condition::Never, "", &[], 0, Loss::Skill, "the skill is not listed", "Codex 0.171.0", "2026-12-01"), misread: fact(Condition::Never, "", &[], 0, Loss::Skill, "another text is its description", "Codex 0.171.0", "2026-12-01") }), facts: &[
        fact(Condition::ByteOrderMark, "", &[], 0, Loss::Skill, "the skill is not listed", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::TextBefore, "", &[], 0, Loss::Skill, "the skill is not listed", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::Dots, "", &[], 0, Loss::Skill, "the skill is not listed", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::DashesInBlock, "", &[], 0, Loss::Skill, "the front matter ends there", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::OpenAiFile, "", &[], 0, Loss::Restraint, "the whole file has no effect and the model may start the skill", "https://github.com/openai/codex, codex-rs/core-skills/src/loader.rs", "2026-11-24"),
        fact(Condition::Depth, "", &[], 6, Loss::Skill, "the skill is not listed", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::HiddenFolder, "", &[], 0, Loss::Skill, "the skill is not listed", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::Closed, "", &["openai-yaml"], 0, Loss::Restraint, "the model may start the skill", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::ClosedToPerson, "", &[], 0, Loss::Nothing, "there is no field for this, so a person can start the skill", "Codex 0.171.0", "2026-11-30"),
        fact(Condition::PositionalKept, "", &[], 0, Loss::Nothing, "it stays as it is", "https://developers.openai.com/codex/skills", "2026-11-23"),
        fact(Condition::PlaceholderKept, "", &[], 0, Loss::Nothing, "it stays as it is", "https://developers.openai.com/codex/skills", "2026-11-23"),
        fact(Condition::FieldIgnored, "", &["description", "metadata", "name"], 0, Loss::Nothing, "it has no effect", "https://github.com/openai/codex, codex-rs/core-skills/src/loader.rs", "2026-11-24"),
    ] },
    Client { name: "gemini-cli", title: "Gemini CLI", names: &["gemini"], common: true, folders: &[".agents/skills", ".gemini/skills"], reads: Some(Reads { read: |file| read(Reader::GeminiCli, file), closes: false, dropped: fact(Condition::Never, "", &[], 0, Loss::Skill, "the skill is not listed", "Gemini CLI 0.61.0", "2026-11-23"), misread: fact(Condition::Never, "", &[], 0, Loss::Skill, "another text is its description", "Gemini CLI 0.61.0", "2026-11-23") }), facts: &[
        fact(Condition::SpaceBefore, "", &[], 0, Loss::Skill, "the skill is not listed", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::ByteOrderMark, "", &[], 0, Loss::Skill, "the skill is not listed", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::TextBefore, "", &[], 0, Loss::Skill, "the skill is not listed", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::Dots, "", &[], 0, Loss::Skill, "the skill is not listed", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::Depth, "", &[], 1, Loss::Skill, "the skill is not listed", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::HiddenFolder, "", &[], 0, Loss::Skill, "the skill is not listed", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::Closed, "", &[], 0, Loss::Nothing, "there is no field for this, so the model may start the skill", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::ClosedToPerson, "", &[], 0, Loss::Nothing, "there is no field for this, so a person can start the skill", "Gemini CLI 0.61.0", "2026-11-23"),
        fact(Condition::PositionalKept, "", &[], 0, Loss::Nothing, "it stays as it is", "https://github.com/google-gemini/gemini-cli, packages/core/src/skills", "2026-11-23"),
        fact(Condition::PlaceholderKept, "", &[], 0, Loss::Nothing, "it stays as it is", "https://github.com/google-gemini/gemini-cli, packages/core/src/skills", "2026-11-23"),
        fact(Condition::FieldIgnored, "", &["description", "name"], 0, Loss::Nothing, "it has no effect", "https://github.com/google-gemini/gemini-cli, packages/core/src/skills/skillLoader.ts", "2026-11-24"),
    ] },
    Client { name: "opencode", title: "OpenCode", names: &[], common: true, folders: &[".opencode/skills", ".claude/skills", ".agents/skills"], reads: Some(Reads { read: |file| read(Reader::Opencode, file), closes: false, dropped: fact(Condition::Never, "", &[], 0, Loss::Skill, "the skill is not listed", "OpenCode 1.18.33", "2026-11-23"), misread: fact(Condition::Never, "", &[], 0, Loss::Skill, "another text is its description", "OpenCode 1.18.33", "2026-11-23") }), facts: &[
        fact(Condition::SpaceBefore, "", &[], 0, Loss::Skill, "the skill is not listed", "OpenCode 1.18.33", "2026-11-23"),
        fact(Condition::TextBefore, "", &[], 0, Loss::Skill, "the skill is not listed", "OpenCode 1.18.33", "2026-11-23"),
        fact(Condition::Dots, "", &[], 0, Loss::Skill, "the skill is not listed", "OpenCode 1.18.33", "2026-11-23"),
        fact(Condition::PlainName, "", &[], 0, Loss::Skill, "the skill is not listed", "OpenCode 1.18.33", "2026-11-23"),
        fact(Condition::PlainDescription, "", &[], 0, Loss::Skill, "the skill is not listed", "OpenCode 1.18.33", "2026-11-23"),
        fact(Condition::Closed, "", &["opencode-autoinvoke"], 0, Loss::Restraint, "the model may start the skill", "https://opencode.ai/v2/docs/skills", "2026-11-24"),
        fact(Condition::ClosedToPerson, "", &["opencode-slash"], 0, Loss::Nothing, "a person can start the skill", "https://opencode.ai/v2/docs/skills", "2026-11-24"),
        fact(Condition::Positional, "", &[], 1, Loss::Nothing, "it is replaced by a word of the arguments (if there are enough)", "OpenCode 1.18.33", "2026-11-24"),
        fact(Condition::Injection, "", &["no-names"], 0, Loss::Nothing, "the argument becomes a part of a command that runs at once", "OpenCode 1.18.33", "2026-11-24"),
        fact(Condition::PlaceholderKept, "", &["arguments", "commands"], 0, Loss::Nothing, "it stays as it is", "OpenCode 1.18.33", "2026-11-24"),
        fact(Condition::FieldIgnored, "", &["compatibility", "description", "license", "metadata", "name"], 0, Loss::Nothing, "it has no effect", "https://opencode.ai/v1/docs/skills", "2026-11-24"),
    ] },
    Client { name: "copilot", title: "GitHub Copilot", names: &["vscode"], common: true, folders: &[".github/skills", ".claude/skills", ".agents/skills"], reads: None, facts: &[
        fact(Condition::Depth, "", &[], 1, Loss::Skill, "the skill is not listed", "https://github.com/microsoft/vscode/issues/324646", "2026-11-29"),
        fact(Condition::Closed, "", &["disable-model-invocation"], 0, Loss::Restraint, "the model may start the skill", "https://code.visualstudio.com/docs/agent-customization/agent-skills", "2026-11-24"),
        fact(Condition::LooseBoolean, "disable-model-invocation", &["true"], 0, Loss::Restraint, "the model may start the skill", "https://code.visualstudio.com/docs/agent-customization/agent-skills", "2026-11-24"),
        fact(Condition::ClosedToPerson, "", &["user-invocable"], 0, Loss::Nothing, "a person can start the skill", "https://code.visualstudio.com/docs/agent-customization/agent-skills", "2026-11-24"),
        fact(Condition::FieldIgnored, "", &["allowed-tools", "argument-hint", "compatibility", "context", "description", "disable-model-invocation", "license", "metadata", "name", "user-invocable"], 0, Loss::Nothing, "it has no effect", "https://github.com/microsoft/vscode, extensions/copilot/assets/prompts/skills/agent-customization/references/skills.md, and https://code.visualstudio.com/docs/agent-customization/agent-skills; https://docs.github.com/en/copilot/how-tos/copilot-on-github/customize-copilot/customize-cloud-agent/add-skills names `allowed-tools`", "2026-11-24"),
        fact(Condition::OtherValue, "context", &["fork"], 0, Loss::Nothing, "the value has no effect", "https://github.com/microsoft/vscode, extensions/copilot/assets/prompts/skills/agent-customization/references/skills.md, and https://code.visualstudio.com/docs/agent-customization/agent-skills; https://docs.github.com/en/copilot/how-tos/copilot-on-github/customize-copilot/customize-cloud-agent/add-skills names `allowed-tools`", "2026-11-24"),
        fact(Condition::NameBeyondAscii, "", &[], 0, Loss::Skill, "the name is not valid", "https://github.com/microsoft/vscode, extensions/copilot/assets/prompts/skills/agent-customization/references/skills.md, and https://code.visualstudio.com/docs/agent-customization/agent-skills", "2026-11-24"),
    ] },
    Client { name: "cursor", title: "Cursor", names: &[], common: true, folders: &[".cursor/skills", ".codex/skills", ".claude/skills", ".agents/skills"], reads: None, facts: &[
        fact(Condition::Closed, "", &["disable-model-invocation"], 0, Loss::Restraint, "the model may start the skill", "https://cursor.com/docs/context/skills", "2026-11-24"),
        fact(Condition::LooseBoolean, "disable-model-invocation", &["true"], 0, Loss::Restraint, "the model may start the skill", "https://cursor.com/docs/context/skills", "2026-11-24"),
        fact(Condition::ClosedToPerson, "", &[], 0, Loss::Nothing, "there is no field for this, so a person can start the skill", "https://cursor.com/docs/context/skills", "2026-11-24"),
        fact(Condition::FieldIgnored, "", &["compatibility", "description", "disable-model-invocation", "license", "metadata", "name", "paths"], 0, Loss::Nothing, "it has no effect", "https://cursor.com/docs/context/skills; also https://syllago.dev/using-syllago/providers/cursor/skills/ and, about `paths`, https://goldziher.github.io/ai-rulez/skills/", "2026-11-24"),
        fact(Condition::NameBeyondAscii, "", &[], 0, Loss::Skill, "the name is not valid", "https://cursor.com/docs/context/skills; also https://syllago.dev/using-syllago/providers/cursor/skills/", "2026-11-24"),
    ] },
    Client { name: "goose", title: "goose", names: &[], common: false, folders: &[".goose/skills", ".claude/skills", ".agents/skills"], reads: None, facts: &[
    ] },
    Client { name: "zed", title: "Zed", names: &[], common: false, folders: &[".agents/skills"], reads: None, facts: &[
        fact(Condition::Closed, "", &["disable-model-invocation"], 0, Loss::Restraint, "the model may start the skill", "https://zed.dev/docs/ai/skills", "2026-11-24"),
        fact(Condition::LooseBoolean, "disable-model-invocation", &["true"], 0, Loss::Restraint, "the model may start the skill", "https://zed.dev/docs/ai/skills", "2026-11-24"),
        fact(Condition::ClosedToPerson, "", &[], 0, Loss::Nothing, "there is no field for this, so a person can start the skill", "https://zed.dev/docs/ai/skills", "2026-11-24"),
    ] },
    Client { name: "windsurf", title: "Windsurf", names: &[], common: false, folders: &[".windsurf/skills", ".agents/skills"], reads: None, facts: &[
    ] },
    Client { name: "antigravity", title: "Antigravity", names: &[], common: false, folders: &[".agent/skills", ".agents/skills"], reads: None, facts: &[
    ] },
    Client { name: "amp", title: "Amp", names: &[], common: false, folders: &[".agents/skills", ".claude/skills"], reads: None, facts: &[
    ] },
    Client { name: "openclaw", title: "OpenClaw", names: &[], common: false, folders: &[".agents/skills"], reads: None, facts: &[
    ] },
    Client { name: "hermes", title: "Hermes", names: &[], common: false, folders: &[], reads: None, facts: &[
    ] },
    Client { name: "codewhale", title: "CodeWhale", names: &[], common: false, folders: &[".codewhale/skills"], reads: None, facts: &[
    ] },
    Client { name: "caliban", title: "caliban", names: &[], common: false, folders: &[".caliban/skills"], reads: None, facts: &[
        fact(Condition::PositionalKept, "", &[], 0, Loss::Nothing, "it stays as it is", "https://github.com/caliban-ai/caliban, ADR 0019", "2026-11-23"),
        fact(Condition::PlaceholderKept, "", &[], 0, Loss::Nothing, "it stays as it is", "https://github.com/caliban-ai/caliban, ADR 0019", "2026-11-23"),
    ] },
    Client { name: "ouro", title: "ouro", names: &[], common: false, folders: &[], reads: None, facts: &[
    ] },
    Client { name: "agenvoy", title: "Agenvoy", names: &[], common: false, folders: &[], reads: None, facts: &[
    ] },
];
