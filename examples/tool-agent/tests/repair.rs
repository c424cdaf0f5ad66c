//! The whole loop: a skill names a tool that does not exist, a run fails, a model repairs the skill, and
//! the next run succeeds.

mod server;

use bundled_skills::SKILLS;
use example_tool_agent::{ModelImprover, Reply, SkillAgent, failed_step};
use rig::message::ToolName;
use rig::tool::{DynamicTool, ToolOutput};
use serde_json::{Value, json};
use server::Server;
use skills_agent::improve::{AttemptOutcome, Site, Trace, after, rollback, versions};
use skills_host::files::data::DataFolder;
use skills_host::git::{Git, Quiet};
use skills_host::install::Host;
use skills_runtime::Catalog;
use skills_session::options::{ToolKind, ToolNames};
use std::error::Error;
use std::fs;
use std::path::Path;

const TEXT: &str = "---\nname: find\ndescription: Finds code. Use when asked where something is.\n---\nCall FileSearch with the words.\n";

fn says(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn calls(tool: &str, arguments: &Value) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "call-1", "type": "function", "function": {"name": tool, "arguments": arguments.to_string()}},
    ]})
}

fn catalog(skills: &Path) -> Catalog {
    let catalog = Catalog::builder().directory("user", skills);
    catalog.bundle("bundled", &SKILLS).load()
}

/// Builds the only tool of the host.
fn search_files() -> DynamicTool {
    let parameters = json!({"type": "object", "properties": {"words": {"type": "string"}}});
    DynamicTool::new(
        ToolName::new("search_files").expect("a name"),
        "Searches files.",
        parameters,
        |arguments| {
            let found = format!("src/parser.rs holds {}", arguments["words"]);
            Box::pin(async move { Ok(ToolOutput::text(found)) })
        },
    )
}

/// The answer, the skills that are then active, and the requests to the model.
type Run = (Result<Reply, Box<dyn Error>>, Vec<String>, Vec<Value>);

/// Sends a line to an agent whose model calls `tool`.
fn run(skills: &Path, tool: &str) -> Run {
    let messages = if tool == "search_files" {
        vec![
            calls(tool, &json!({"words": "the parser"})),
            says("src/parser.rs"),
        ]
    } else {
        vec![calls(tool, &json!({"words": "the parser"}))]
    };
    let server = Server::start(messages).expect("it starts");
    let tools = vec![(search_files(), ToolKind::Read)];
    let agent = SkillAgent::with_tools(&server.url, "key", "scripted", catalog(skills), tools);
    let mut agent = agent.expect("an agent");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let reply = runtime.block_on(agent.say("$find the parser"));
    (
        reply,
        agent.active(),
        server.requests().expect("all were answered"),
    )
}

/// Returns the tool that the text of the skill in a request names.
fn named(request: &Value) -> String {
    let text = request.to_string();
    let (_, rest) = text.split_once("Call ").expect("the skill");
    rest.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn a_skill_with_a_wrong_tool_name_fails_is_improved_and_runs() {
    let home = tempfile::tempdir().expect("a folder");
    let skills = home.path().join("skills");
    fs::create_dir_all(skills.join("find")).expect("a folder");
    fs::write(skills.join("find/SKILL.md"), TEXT).expect("a file");

    // The run fails: the model calls the tool that the skill names.
    let (reply, active, requests) = run(&skills, "FileSearch");
    assert_eq!(named(&requests[0]), "FileSearch");
    let error = reply.expect_err("there is no such tool");
    let step = failed_step(error.as_ref()).expect("the step that failed");
    assert_eq!(active, ["find"]);

    // A model repairs the skill.
    let repaired = TEXT.replace("FileSearch", "search_files");
    let server = Server::start(vec![
        calls("read_file", &json!({"path": "SKILL.md"})),
        calls("write_file", &json!({"path": "SKILL.md", "text": repaired})),
        says("changed: name the tool that exists"),
    ]);
    let server = server.expect("it starts");
    let improver = ModelImprover {
        url: server.url.clone(),
        key: "key".to_owned(),
        model: "scripted".to_owned(),
    };
    // A change is committed where the folder of skills is the person's own.
    let git = Git::default().own([skills.clone()]);
    let data = DataFolder::new(home.path().join("data"));
    let host = Host {
        data: &data,
        git: &git,
        clock: &jiff::Timestamp::UNIX_EPOCH,
        observer: &Quiet,
    };
    let catalog = catalog(&skills);
    let instructions = SKILLS.get("improve-skill").expect("it ships").body();
    let instructions = &*instructions.expect("it is read");
    let site = Site {
        host,
        catalog: &catalog,
        tool_names: &ToolNames::NONE,
        user: &skills,
        automatic: true,
        instructions,
    };
    let attempts = after(&site, &Trace::new(active, vec![step]), &improver);
    let attempts = attempts.expect("an attempt");
    assert_eq!(
        attempts[0].record.outcome,
        AttemptOutcome::Taken,
        "{attempts:?}"
    );
    assert_eq!(attempts[0].record.summary, "name the tool that exists");
    let requests = server.requests().expect("all were answered");
    let asked = &requests[0]["messages"];
    assert_eq!(asked.as_array().map(Vec::len), Some(1), "no history");
    let prompt = asked.to_string();
    assert!(prompt.contains("# Improve a skill") && prompt.contains("unknown tool: FileSearch"));
    let tools = requests[0]["tools"].to_string();
    assert!(tools.contains("read_file") && tools.contains("write_file"));
    assert!(!tools.contains("search_files"), "only reading and writing");

    // The next run succeeds.
    let (reply, _, requests) = run(&skills, "search_files");
    assert_eq!(named(&requests[0]), "search_files");
    assert_eq!(reply.expect("an answer").text, "src/parser.rs");

    // The repair is rolled back.
    let all = versions(&skills, Some("find"), host).expect("versions");
    let subjects: Vec<&str> = all.iter().map(|version| version.subject.as_str()).collect();
    assert_eq!(
        subjects,
        ["improve(find): name the tool that exists", "by hand: find"]
    );
    rollback(&skills, "find", None, host).expect("a rollback");
    let text = fs::read_to_string(skills.join("find/SKILL.md")).expect("a file");
    assert_eq!(text, TEXT);
}
