//! Reads the front matter of a `SKILL.md`.

use crate::powers::data;
use crate::powers::reader::{Reader, excerpt};
use crate::powers::tables::has;
use crate::view::openai::codex_reads_over;
use skills_format::lenient::recover;
use skills_format::skill::file::SkillFile;
use skills_format::skill::paths;
use skills_format::text::span::Lines;
use skills_format::yaml::node::{Node, Value};
use skills_format::{FormKind, MAX_FRONT_MATTER, OpenAiFile, Spelling, ToolRule};
use skills_permit::PowerKind;
use skills_permit::power::restraint::{NOT_AS_READ, PATHS, WITHOUT};

/// Reads the front matter of a `SKILL.md`, and returns where the body begins.
pub(super) fn read(text: &str, openai: Option<&[u8]>, reader: &mut Reader) -> usize {
    let openai_text = openai.and_then(|bytes| std::str::from_utf8(bytes).ok());
    let openai = openai.map(|bytes| OpenAiFile::read(skills_format::OPENAI_FILE, bytes));
    let file = SkillFile::read("SKILL.md", "skill", text.as_bytes()).with_openai(openai);
    let fields = file.lenient().0.map(|skill| skill.fields);
    let lines = Lines::new(text.as_bytes());
    let node = file
        .front_matter
        .as_ref()
        .and_then(|node| node.as_ref().ok());
    let line = |key: &str| {
        let entry = node.and_then(|node| node.entry(key));
        entry.map_or(1, |(_, value)| lines.position(value.span.start).line)
    };
    let [is_loose, is_openai_faulty] = misread(&file, openai_text);
    let loose = format!("{NOT_AS_READ}{LOOSE}");
    // Stands after each restraint of the front matter.
    let suffix = if is_loose { loose.as_str() } else { "" };
    if let Some(fields) = &fields {
        let mut rules = |rules: &[ToolRule], key, kind, before: &str, after: &str| {
            let value = node.and_then(|node| node.get(key));
            let places = value.map_or_else(Vec::new, |value| rule_lines(value, text, &lines));
            for rule in rules {
                let rule = rule.to_string();
                let place = places.iter().find(|(known, _)| *known == rule);
                let line = place.map_or_else(|| line(key), |(_, line)| *line);
                reader.add(kind, format!("{before}{rule}{after}"), line);
            }
        };
        rules(
            &fields.allowed_tools,
            "allowed-tools",
            PowerKind::Tools,
            "",
            "",
        );
        let (key, kind) = ("disallowed-tools", PowerKind::Restraints);
        rules(&fields.disallowed_tools, key, kind, WITHOUT, suffix);
        if let Some(value) = node.and_then(|node| node.get("allowed-tools")) {
            unread_tools(
                value,
                &fields.allowed_tools,
                text,
                line("allowed-tools"),
                reader,
            );
        }
        if let Some(tool) = &fields.command_tool {
            reader.add(PowerKind::Dispatch, tool.to_string(), line("command-tool"));
        }
        // An agent of one's own has its tools: `Explore` writes nothing. The default agent has all.
        if let (Some("fork"), Some(agent)) = (fields.context.as_deref(), fields.agent.as_deref())
            && agent != "general-purpose"
        {
            let restraint = format!("run by the agent {}{suffix}", excerpt(agent));
            reader.add(PowerKind::Restraints, restraint, line("agent"));
        }
        for name in fields.requires.env.iter() {
            reader.add(PowerKind::Variables, name.to_string(), line("metadata"));
        }
    }
    for spelling in file.closed_by() {
        let only = if spelling.is_for_model() {
            "you"
        } else {
            "the model"
        };
        let mut restraint = format!("only {only} can start it: {}", spelling.as_str());
        let written = node.and_then(|node| not_as_read(spelling, node));
        let misread = match spelling {
            Spelling::OpenAiPolicy => is_openai_faulty.then_some("a file that Codex ignores"),
            _ => is_loose.then_some(LOOSE),
        };
        if let Some(written) = written.or(misread.map(ToOwned::to_owned)) {
            restraint.push_str(NOT_AS_READ);
            restraint.push_str(&written);
        }
        let line = spelling_line(spelling, node, &lines);
        reader.add(PowerKind::Restraints, restraint, line);
    }
    let recovered = match (&file.front_matter, &file.document) {
        (Some(Err(_)), Some(Ok(document))) if document.yaml.len() <= MAX_FRONT_MATTER => {
            Some(recover::front_matter(document.text, document.yaml).node)
        }
        _ => None,
    };
    let body = match &file.document {
        Some(Ok(document)) => document.body.start,
        _ => 0,
    };
    // A comment is a text too.
    let comment = |row: &'_ str| {
        let whole = row.trim_start().strip_prefix('#');
        let after = row.split_once(" # ").map(|(_, text)| text);
        whole.or(after).unwrap_or_default().to_owned()
    };
    let comments: Vec<String> = text[..body].split('\n').map(comment).collect();
    reader.markdown(comments.join("\n"), 1);
    if let Some(node) = node.or(recovered.as_ref()) {
        rest(node, text, suffix, &lines, reader);
    } else if file.front_matter.is_some() && fields.is_none() {
        reader.add(PowerKind::Unreadable, "front matter that is not YAML", 1);
    }
    body
}

/// Adds a list of tools of which an entry is none here, and can be one for a client: `Bash (rm *)`.
fn unread_tools(value: &Node, rules: &[ToolRule], text: &str, line: usize, reader: &mut Reader) {
    let mut words = Vec::new();
    texts(value, &mut words);
    let written = words.iter().filter_map(|word| word.as_str());
    let read: String = rules.iter().map(ToString::to_string).collect();
    let is_sign = |c: &char| !c.is_whitespace() && *c != ',';
    let written = written.flat_map(str::chars).filter(is_sign);
    if !written.eq(read.chars().filter(is_sign)) {
        let bytes = value.span.of(text).as_bytes();
        reader.opaque("tools in a form that is not read", bytes, line);
    }
}

/// Reads the keys that no typed field holds: lists of tools under other keys, hooks, servers. The suffix
/// stands after each restraint.
fn rest(node: &Node, text: &str, suffix: &str, lines: &Lines<'_>, reader: &mut Reader) {
    for (key, value) in node.entries() {
        let name = key.as_str().unwrap_or_default();
        let line = lines.position(value.span.start).line;
        match name {
            "paths" => {
                let globs = paths::globs(value);
                if paths::close(&globs) {
                    let globs = globs.join(", ");
                    let text = format!("{PATHS}{globs}{suffix}");
                    reader.add(PowerKind::Restraints, text, line);
                }
            }
            "hooks" => hooks(value, "", lines, reader),
            "tools" | "permissions" | "mcp-tools" => {
                for (rule, line) in rule_lines(value, text, lines) {
                    reader.add(PowerKind::Tools, rule, line);
                }
            }
            "mcp" | "mcpServers" | "mcp-servers" | "mcp_servers" => {
                let json = value.to_json();
                data::read(&json, line, reader);
            }
            // OpenClaw installs what `metadata.openclaw.install` lists.
            "metadata" => {
                let mut words = Vec::new();
                for (_, of_client) in value.entries() {
                    of_client
                        .get("install")
                        .into_iter()
                        .for_each(|it| texts(it, &mut words));
                }
                let words: Vec<&str> = words.iter().filter_map(|word| word.as_str()).collect();
                if !words.is_empty() {
                    let text = format!("installs {}", words.join(" "));
                    reader.add(PowerKind::Packages, text, line);
                }
            }
            _ => {}
        }
        // A model reads the texts.
        if !matches!(
            name,
            "hooks" | "allowed-tools" | "disallowed-tools" | "paths"
        ) {
            let mut values = Vec::new();
            texts(value, &mut values);
            for value in values {
                let text = value.as_str().unwrap_or_default();
                reader.markdown(text.to_owned(), lines.line(value.span.start));
            }
        }
    }
}

/// Returns the rules for tools of a value, each with its line: a list has each rule on a line of its own, and so can a
/// text of several lines.
fn rule_lines(node: &Node, text: &str, lines: &Lines<'_>) -> Vec<(String, usize)> {
    let mut scalars = Vec::new();
    texts(node, &mut scalars);
    let mut found = Vec::new();
    for node in scalars {
        let mut at = node.span.start;
        // Other programs may read an entry that does not parse here.
        for rule in ToolRule::entries(node.as_str().unwrap_or_default()) {
            let rest = text.get(at..node.span.end).unwrap_or_default();
            if let Some(start) = rest.find(rule) {
                at += start;
            }
            found.push((rule.to_owned(), lines.position(at).line));
        }
    }
    found
}

fn texts<'n>(node: &'n Node, list: &mut Vec<&'n Node>) {
    match &node.value {
        Value::Scalar(_) => list.push(node),
        Value::Sequence(items) => items.iter().for_each(|item| texts(item, list)),
        Value::Mapping(entries) => entries.iter().for_each(|(key, value)| {
            list.push(key);
            texts(value, list);
        }),
    }
}

/// Returns whether there are clients that do not read the front matter, and Codex its own file, although they are read here.
fn misread(file: &SkillFile<'_>, openai: Option<&str>) -> [bool; 2] {
    const ODD: [FormKind; 2] = [FormKind::TextBefore, FormKind::Dots];
    let document = file.document.as_ref().and_then(|it| it.as_ref().ok());
    let mut forms = document.into_iter().flat_map(|document| &document.forms);
    let fault = file
        .openai
        .as_ref()
        .and_then(|openai| openai.fault.as_ref());
    [
        forms.any(|form| ODD.contains(&form.kind)),
        fault.is_some() || openai.is_some_and(codex_reads_over),
    ]
}

const LOOSE: &str = "a loose front matter";

/// Returns what is written in place of a restraint that every client reads: another key, or a word that is read as a truth
/// value here.
fn not_as_read(spelling: Spelling, node: &Node) -> Option<String> {
    let (key, meant, opposed) = match spelling {
        Spelling::DisableModelInvocation => {
            ("disable-model-invocation", true, "opencode/autoinvoke")
        }
        Spelling::UserInvocable => ("user-invocable", false, "opencode/slash"),
        _ => return None,
    };
    let metadata = node.get("metadata");
    let opposed = metadata.and_then(|metadata| metadata.get(opposed));
    match node.entry(key) {
        // OpenCode 2 reads its own key first.
        Some((_, value)) if value.as_bool() == Some(meant) => opposed
            .filter(|value| value.as_str() == Some("true"))
            .map(|_| "open in OpenCode".to_owned()),
        Some((_, value)) => Some(excerpt(value.as_str().unwrap_or(value.kind()))),
        None => Some("another key".to_owned()),
    }
}

/// Returns the line of the key that closes a skill; 1 if another file has the key.
fn spelling_line(spelling: Spelling, node: Option<&Node>, lines: &Lines<'_>) -> usize {
    let text = spelling.as_str();
    let keys = text.rsplit(", ").next().unwrap_or(text);
    let key = keys.split(": ").next().unwrap_or(keys);
    let metadata = node.and_then(|node| node.get("metadata"));
    let mut places = [node, metadata].into_iter().flatten();
    let place = places.find_map(|node| node.entry(key));
    place.map_or(1, |(_, value)| lines.position(value.span.start).line)
}

/// Adds the commands of hooks, each with the event.
fn hooks(node: &Node, event: &str, lines: &Lines<'_>, reader: &mut Reader) {
    let line = lines.position(node.span.start).line;
    match &node.value {
        Value::Scalar(scalar) => hook(&scalar.text, true, event, line, reader),
        Value::Sequence(items) => {
            for item in items {
                hooks(item, event, lines, reader);
            }
        }
        Value::Mapping(entries) => {
            // The words of `args` are those of the command, and no shell reads them.
            let args = node.get("args");
            if let Some(args) = args {
                let mut words = Vec::new();
                node.get("command")
                    .into_iter()
                    .for_each(|it| texts(it, &mut words));
                texts(args, &mut words);
                let words = words.iter().map(|word| {
                    let word = word.as_str().unwrap_or_default();
                    format!("'{}'", word.replace('\'', "'\\''"))
                });
                let all = words.collect::<Vec<_>>().join(" ");
                hook(&all, true, event, line, reader);
            }
            for (key, value) in entries {
                let key = key.as_str().unwrap_or_default();
                match (key, value.as_str()) {
                    ("command" | "args", _) if args.is_some() => {}
                    ("prompt", Some(text)) => hook(text, false, event, line, reader),
                    ("hooks" | "command" | "url", _) => hooks(value, event, lines, reader),
                    _ if event.is_empty() => hooks(value, key, lines, reader),
                    // No program runs other fields.
                    _ if has(FIELDS, key) => {}
                    _ => hooks(value, event, lines, reader),
                }
            }
        }
    }
}

/// Adds what one hook runs or asks, and reads it.
fn hook(text: &str, is_shell: bool, event: &str, line: usize, reader: &mut Reader) {
    let power = format!("{event}: {}", excerpt(text));
    reader.add(PowerKind::Hooks, power, line);
    if is_shell {
        reader.shell(text.to_owned(), line);
    } else {
        reader.markdown(text.to_owned(), line);
    }
}

/// The fields of a hook and of a group of hooks that no program runs.
const FIELDS: &str = "allowedEnvVars async asyncRewake cloud continueOnBlock description env headers holdsTools if matcher model \
                      name onFailure once rewakeMessage rewakeSummary shell statusMessage timeout type";
