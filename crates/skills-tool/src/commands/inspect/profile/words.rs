//! The fields of a profile in plain words.

/// Returns the characteristics of a system, by the name of its profile.
pub(super) fn known_for(profile: &str) -> &'static str {
    match profile {
        "agenvoy" => "slash commands that do what its tool run_skill does; repairs made at once",
        "caliban" => "a tool Skill that lists the skills in its description; no $name",
        "claude-code" => "slash commands, and a tool Skill; $1 is replaced everywhere",
        "codewhale" => "skills that $name starts for one turn",
        "codex" => "$name in a message, and the whole file of the skill after it",
        "default" => "the specification, and what most of its clients do",
        "gemini-cli" => "a tool activate_skill, which slash commands call too",
        "openclaw" => "a model that reads the skills' files; commands that call tools",
        "opencode" => "slash commands, and a tool skill; $1 is the first word",
        "ouro" => "rules in the system prompt, skills in the user's message",
        _ => "",
    }
}

/// A heading, and the fields below it: the JSON pointer and the label of each field.
pub(super) type Section = (&'static str, &'static [(&'static str, &'static str)]);

/// The fields after the name and the reference.
pub(super) const SECTIONS: &[Section] = &[
    (
        "Folders of skills",
        &[
            ("/folders/places", "folders"),
            ("/folders/bundled", "bundled skills"),
            ("/folders/missing_name", "missing names"),
            ("/folders/faults", "files with faults"),
            ("/folders/scheduled", "scheduled skills"),
        ],
    ),
    (
        "Mentions in messages",
        &[
            ("/mentions/mentions", "$name"),
            ("/mentions/answers", "in answers"),
            ("/mentions/compose", "several skills"),
            ("/mentions/notices", "notices"),
            ("/mentions/plugins", "plugin skills"),
            ("/mentions/arguments", "arguments"),
            ("/mentions/limit", "skill limit"),
        ],
    ),
    (
        "Slash commands",
        &[
            ("/commands/names", "names"),
            ("/commands/reserved", "reserved names"),
            ("/commands/scheduled", "scheduled prefix"),
            ("/commands/listing", "/skill lists"),
        ],
    ),
    (
        "Active skills",
        &[
            ("/lifetime", "stay active"),
            ("/allowed_tools", "allowed-tools"),
            ("/repeat", "started again"),
            ("/delivery", "put into"),
            ("/task", "the message"),
            ("/envelope", "written as"),
            ("/preamble", "line before"),
            ("/placeholders", "placeholders"),
            ("/rules", "rules, once"),
            ("/tool_names/names", "names of tools"),
            ("/tool_names/place", "names are listed"),
        ],
    ),
    (
        "List of skills for the model",
        &[
            ("/catalog/place", "put into"),
            ("/catalog/format", "written as"),
            ("/catalog/budget", "at most"),
            ("/catalog/heading", "heading"),
            ("/catalog/intro", "introduction"),
        ],
    ),
    (
        "Tool that starts a skill",
        &[
            ("/tool/name", "name"),
            ("/tool/parameter", "parameter"),
            ("/tool/lists_ids", "ids"),
            ("/tool/arguments", "arguments"),
        ],
    ),
    ("Repairs of skills", &[("/improvement", "made")]),
];

/// Returns the words for the base of a folder.
pub(super) fn base(name: &str) -> &str {
    match name {
        "project" => "in the working folder and the folders above it in the repository",
        "root" => "in the root of the repository",
        "home" => "in the home folder",
        "config" => "in the folder of settings",
        "data" => "in the folder of data",
        other => other,
    }
}

/// Returns the words for the value of a field, if the field has a fixed set of values.
pub(super) fn value(field: &str, value: &str) -> Option<&'static str> {
    Some(match (field, value) {
        ("/folders/bundled", "included") => "included",
        ("/folders/bundled", "when-asked") => "only when a person asks for them",
        ("/folders/faults", "counted") => "counted in one line",
        ("/folders/faults", "each") => "a line for each",
        ("/folders/missing_name", "folder") => "the name of the folder",
        ("/folders/missing_name", "heading") => {
            "the first heading of the file, else the name of the folder"
        }
        ("/mentions/answers", "true") => "read, for the next turn",
        ("/mentions/compose", "choose-one") => "a person chooses one",
        ("/mentions/compose", "all") => "all are started",
        ("/mentions/notices", "leading") => {
            "for each problem; for an unknown name only at the start of the message"
        }
        ("/mentions/notices", "always") => "for each problem",
        ("/mentions/notices", "silent-unknown") => "for each problem but unknown names",
        ("/mentions/plugins", "merged") => "answer to their own names",
        ("/mentions/plugins", "namespaces") => "answer only to plugin:name",
        ("/mentions/arguments", "task") => "the message after a $name that it begins with",
        ("/mentions/arguments" | "/placeholders", "none") => "none",
        ("/commands/names", "own") => "the ids of the skills",
        ("/commands/names", "sanitised") => "the ids in a-z, 0-9 and _, at most 32 characters",
        ("/commands/names", "none") => "none; only /skill and /skills",
        ("/commands/listing", "skills") => "the skills, each with its state",
        ("/commands/listing", "commands") => "the slash commands",
        ("/lifetime", "turn") => "for the turn that starts them",
        ("/lifetime", "conversation") => "for the conversation",
        ("/allowed_tools", "approves") => "approves calls; all tools stay",
        ("/allowed_tools", "narrows") => "only the named tools stay",
        ("/allowed_tools", "ignored") => "shown, without effect",
        ("/repeat", "reminder") => "a line that reminds the model",
        ("/repeat", "body") => "the whole text again",
        ("/delivery", "tool-result") => {
            "the result of the model's call, or the message of the user"
        }
        ("/delivery", "system-message") => "guidance beside the message of the user",
        ("/delivery", "user-message") => "the message of the user",
        ("/delivery", "tool-call") => {
            "a call of the tool and its result, made by the host if need be"
        }
        ("/delivery", "skill-file") => "nothing: the model reads the file of the skill",
        ("/task", "after") => "after the skills, without their names",
        ("/task", "typed-first") => "before the skills, as typed",
        ("/task", "in-skill") => "in the skill, as its arguments",
        ("/envelope", "tagged") => "the instructions between tags, with the list of files",
        ("/envelope", "body") => "the instructions alone",
        ("/envelope", "pointer") => "a line that names the file of the skill",
        ("/placeholders", "guarded") => {
            "$ARGUMENTS, declared names and folders; $1 only where the skill means it"
        }
        ("/placeholders", "everywhere") => "as Claude Code: $1 also in code and prices",
        ("/placeholders", "numbered") => "$ARGUMENTS, and $1 for the first word",
        ("/tool_names/place", "activation") => "after the instructions of each skill",
        ("/tool_names/place", "rules") => "in the rules",
        ("/catalog/place", "system-prompt") => "the system prompt",
        ("/catalog/place", "first-message") => "a message before the first one of the user",
        ("/catalog/place", "tool-description") => "the description of the tool",
        ("/catalog/format", "xml") => "XML",
        ("/catalog/format", "bullets") => "a list, one line a skill",
        ("/catalog/format", "files") => "a list, one line a skill, with the path of its file",
        ("/catalog/format", "section") => "a section with rules, two lines a skill",
        ("/catalog/budget", "unlimited") => "no limit",
        ("/tool/lists_ids", "true") => "listed in the schema of the tool",
        ("/tool/lists_ids", "false") => "any text",
        ("/improvement", "propose") => "after a person agrees",
        ("/improvement", "automatic") => "at once, for the person's own skills",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use skills_runtime::Profile;

    /// Fields with any text.
    const TEXTS: &[&str] = &[
        "/name",
        "/reference",
        "/preamble",
        "/rules",
        "/commands/scheduled",
        "/catalog/heading",
        "/catalog/intro",
        "/tool/name",
        "/tool/parameter",
        "/tool/arguments",
    ];

    /// Fields that are described as a whole.
    const WHOLE: &[&str] = &[
        "/folders/places",
        "/folders/scheduled",
        "/catalog/budget",
        "/envelope",
    ];

    fn leaves(at: String, value: &Value, found: &mut Vec<(String, Value)>) {
        match value {
            Value::Object(fields) if !WHOLE.contains(&&*at) => {
                for (name, value) in fields {
                    leaves(format!("{at}/{name}"), value, found);
                }
            }
            value => found.push((at, value.clone())),
        }
    }

    #[test]
    fn every_field_has_a_label_and_words() {
        for profile in Profile::ALL {
            assert_ne!(known_for(&profile.name), "", "{}", profile.name);
            let mut found = Vec::new();
            let document = serde_json::to_value(profile).expect("a document");
            leaves(String::new(), &document, &mut found);
            for (at, said) in found {
                let mut fields = SECTIONS.iter().flat_map(|(_, fields)| *fields);
                let is_shown = fields.any(|(field, _)| *field == at);
                let is_absent = at == "/tool" && said.is_null();
                assert!(
                    is_shown || is_absent || ["/name", "/reference"].contains(&&*at),
                    "{at} has no label"
                );
                if let Value::String(text) = said {
                    let is_text = TEXTS.contains(&&*at);
                    assert!(is_text || value(&at, &text).is_some(), "{at}: {text}");
                }
            }
        }
    }
}
