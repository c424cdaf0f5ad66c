//! Typed arguments: a person, a model, a client of the Model Context Protocol and a schedule start a skill with the
//! same values, and the skill's text is the same.

use crate::folder::Folder;
use crate::program::{program, run};
use serde_json::{Value, json};
use std::fs;

const BODY: &str = "Deploy to $environment, $count at a time. Dry run: $dry-run.";
const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "environment": {"enum": ["staging", "production"], "default": "staging"},
    "count": {"type": "integer", "default": 3},
    "dry-run": {"type": "boolean", "default": false},
    "tags": {"type": "array", "items": {"type": "string"}}
  }
}"#;

/// Values, as each way writes them.
struct Values {
    /// As a person types them, in more than one form.
    typed: &'static [&'static str],
    /// As a model or a program sends them.
    json: fn() -> Value,
    /// As a form of a client sends them: texts, the items of a list with commas or as JSON.
    form: fn() -> Value,
    /// A schedule gives no values.
    is_default: bool,
}

const VALUES: &[Values] = &[
    Values {
        typed: &["", "staging", "--count 3 staging", "environment=staging"],
        json: || json!({}),
        form: || json!({}),
        is_default: true,
    },
    Values {
        typed: &[
            "production 5 --dry-run --tags a --tags 'b c'",
            "--tags=a --tags='b c' dry_run=true --count=5 --environment production",
        ],
        json: || json!({"environment": "production", "count": 5, "dry-run": true, "tags": ["a", "b c"]}),
        form: || json!({"environment": "production", "count": "5", "dry-run": "true", "tags": "a, b c"}),
        is_default: false,
    },
    Values {
        typed: &["staging --tags='a, b' --tags=c"],
        json: || json!({"environment": "staging", "tags": ["a, b", "c"]}),
        form: || json!({"environment": "staging", "tags": r#"["a, b", "c"]"#}),
        is_default: false,
    },
];

pub(crate) fn give_the_same_text() -> Result<(), String> {
    let ways = Ways::new()?;
    for values in VALUES {
        let mut texts = Vec::new();
        for typed in values.typed {
            for sign in ["$", "/"] {
                let message = format!("{sign}{} {typed}", ways.name);
                texts.push((message.clone(), ways.print(&["resolve", &message])?));
            }
            let call = ways.call(&json!(typed))?;
            texts.push((format!("a call with '{typed}'"), call));
        }
        texts.push(("a call".to_owned(), ways.call(&(values.json)())?));
        texts.push(("a prompt".to_owned(), ways.prompt(&(values.form)())?));
        if values.is_default {
            let run = ways.print(&["schedule", "run", &ways.name, "--agent", "cat"])?;
            texts.push(("a schedule".to_owned(), run));
        }
        let contents = texts.iter().map(|(way, text)| Ok((way, content(text)?)));
        let contents = contents.collect::<Result<Vec<_>, String>>()?;
        if contents.len() < values.typed.len() * 3 + 2 || !contents[0].1.contains("Deploy to ") {
            return Err(format!("too little is compared: {contents:?}"));
        }
        for (way, found) in &contents {
            if *found != contents[0].1 {
                return Err(format!("{way}: {found}\ninstead of {}", contents[0].1));
            }
        }
    }
    Ok(())
}

/// A scheduled skill with typed arguments. Its folder is also a layer of the other ways.
struct Ways {
    folder: Folder,
    name: String,
    layer: String,
}

impl Ways {
    fn new() -> Result<Self, String> {
        let folder = Folder::new(&[])?;
        let mut add = program(&folder)?;
        add.args([
            "schedule",
            "deploy",
            "--cron",
            "0 9 * * *",
            "--task",
            "Deploy.",
        ]);
        run(&mut add, b"")?;
        let skills = folder.home().join(".config/skills/scheduler");
        let name = fs::read_dir(&skills)
            .map_err(|error| format!("no schedule was added: {error}"))?
            .filter_map(|item| item.ok()?.file_name().into_string().ok())
            .find(|name| name.starts_with("deploy-"))
            .ok_or("no schedule was added")?;
        let text = format!(
            "---\nname: {name}\ndescription: Deploys. Use when asked.\narguments: [environment, count, dry-run, tags]\n\
             ---\n{BODY}\n"
        );
        for (file, text) in [("SKILL.md", &*text), ("arguments.schema.json", SCHEMA)] {
            let written = fs::write(skills.join(&name).join(file), text);
            written.map_err(|error| error.to_string())?;
        }
        let layer = format!("scheduler={}", skills.display());
        let settings = folder.home().join(".config/skills/config.toml");
        let written = fs::write(settings, "agent_input = \"text\"\n");
        written.map_err(|error| error.to_string())?;
        Ok(Self {
            folder,
            name,
            layer,
        })
    }

    fn print(&self, arguments: &[&str]) -> Result<String, String> {
        let mut command = program(&self.folder)?;
        command.args(arguments);
        if arguments[0] != "schedule" {
            command.args(["--layer", &self.layer]);
        }
        let output = run(&mut command, b"")?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn call(&self, arguments: &Value) -> Result<String, String> {
        let call = json!({"name": self.name, "arguments": arguments}).to_string();
        self.print(&["inspect", "tools", "skill", &call])
    }

    fn prompt(&self, arguments: &Value) -> Result<String, String> {
        let about = json!({"name": "me", "version": "1"});
        let hello =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about});
        let get = json!({"name": self.name, "arguments": arguments});
        let lines = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "prompts/get", "params": get}),
        ];
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        let input = lines.join("\n") + "\n";
        let mut server = program(&self.folder)?;
        server.args(["mcp", "--layer", &self.layer]);
        let output = run(&mut server, input.as_bytes())?;
        let output = String::from_utf8_lossy(&output.stdout);
        let answers = output
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let answer = answers.into_iter().find(|answer: &Value| answer["id"] == 2);
        let answer = answer.ok_or_else(|| format!("no answer: {output}"))?;
        let text = answer["result"]["messages"][0]["content"]["text"].as_str();
        Ok(text.ok_or_else(|| answer.to_string())?.to_owned())
    }
}

/// Returns the skill's text, without what a way says around it.
fn content(text: &str) -> Result<&str, String> {
    const END: &str = "</skill_content>";
    let start = text.find("<skill_content ");
    let content = start.and_then(|start| Some(&text[start..text.find(END)? + END.len()]));
    content.ok_or_else(|| format!("no skill is in: {text}"))
}
