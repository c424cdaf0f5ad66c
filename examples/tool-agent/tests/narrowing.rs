//! Active skills narrow the tools of the host, and skills that change are met in the next turn.

mod server;

use example_tool_agent::{RULES, Reply, SkillAgent};
use rig::message::ToolName;
use rig::tool::{DynamicTool, ToolOutput};
use serde_json::{Value, json};
use server::Server;
use skills_runtime::Catalog;
use skills_session::options::ToolKind;
use std::error::Error;
use std::fs;
use std::path::Path;

fn says(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn calls(tool: &str, arguments: &Value) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "call-1", "type": "function", "function": {"name": tool, "arguments": arguments.to_string()}},
    ]})
}

fn write(skills: &Path, name: &str, more: &str, body: &str) {
    let folder = skills.join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let text =
        format!("---\nname: {name}\ndescription: Does it. Use when asked to.\n{more}---\n{body}\n");
    fs::write(folder.join("SKILL.md"), text).expect("a file");
}

/// Builds a tool of the host that has one text.
fn tool(name: &str, argument: &str) -> DynamicTool {
    let parameters = json!({"type": "object", "properties": {argument: {"type": "string"}}});
    DynamicTool::new(
        ToolName::new(name).expect("a name"),
        "Does it.",
        parameters,
        |arguments| Box::pin(async move { Ok(ToolOutput::text(format!("ran {arguments}"))) }),
    )
}

/// An agent with a shell and a tool that reads, over the skills of a folder.
fn agent(skills: &Path, server: &Server) -> SkillAgent {
    let catalog = Catalog::builder().directory("user", skills).reloadable();
    let tools = vec![
        (tool("read_file", "path"), ToolKind::Read),
        (tool("shell", "command"), ToolKind::Shell),
    ];
    let catalog = catalog.load();
    SkillAgent::with_tools(&server.url, "key", "scripted", catalog, tools).expect("an agent")
}

fn say(agent: &mut SkillAgent, text: &str) -> Result<Reply, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(agent.say(text))
}

/// Returns the names of the tools that a request offers.
fn offered(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().into_iter().flatten();
    tools
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect()
}

const SKILL_TOOLS: [&str; 3] = ["skill", "list_skills", "read_skill_resource"];

#[test]
fn an_active_skill_takes_tools_away() {
    let skills = tempfile::tempdir().expect("a folder");
    let more = "allowed-tools: Read Bash(git:*)\n";
    write(skills.path(), "look", "allowed-tools: Read\n", "Look.");
    write(skills.path(), "history", more, "Read the history.");
    let server = Server::start(vec![
        says("hi"),
        // The model starts the skill itself: the next request of the same turn is narrowed.
        calls("skill", &json!({"name": "history"})),
        calls("shell", &json!({"command": "git log"})),
        calls("shell", &json!({"command": "rm -rf ."})),
        says("done"),
        says("looked"),
        says("bye"),
    ]);
    let server = server.expect("it starts");
    let mut agent = agent(skills.path(), &server);
    for line in [
        "hello",
        "what happened?",
        "/skill stop",
        "$look",
        "/skill stop",
        "again",
    ] {
        say(&mut agent, line).expect("a reply");
    }
    let requests = server.requests().expect("all were answered");
    let all = [&SKILL_TOOLS[..], &["read_file", "shell"]].concat();
    let result = |request: &Value| {
        let messages = request["messages"].as_array().expect("messages");
        let last = messages.iter().rfind(|message| message["role"] == "tool");
        last.expect("a result")["content"].to_string()
    };
    assert_eq!(offered(&requests[0]), all);
    assert_eq!(
        offered(&requests[2]),
        all,
        "some calls of the shell are left"
    );
    assert!(result(&requests[3]).contains("git log"));
    assert!(
        result(&requests[4]).contains("an active skill does not allow this call of shell"),
        "{}",
        result(&requests[4])
    );
    let narrowed = [&SKILL_TOOLS[..], &["read_file"]].concat();
    assert_eq!(offered(&requests[5]), narrowed);
    assert_eq!(offered(&requests[6]), all, "no skill is active");
}

#[test]
fn the_rules_of_a_called_skill_reach_the_system_text_once() {
    let skills = tempfile::tempdir().expect("a folder");
    write(skills.path(), "look", "", "Look.");
    write(skills.path(), "leap", "", "Leap.");
    let server = Server::start(vec![
        calls("skill", &json!({"name": "look"})),
        calls("skill", &json!({"name": "leap"})),
        says("done"),
        says("again"),
    ]);
    let server = server.expect("it starts");
    let mut agent = agent(skills.path(), &server);
    for line in ["go", "$leap"] {
        say(&mut agent, line).expect("a reply");
    }
    let requests = server.requests().expect("all were answered");
    let counts = requests.iter().map(|request| {
        let text = request.to_string();
        let system = request["messages"][0].to_string();
        assert_eq!(system.matches(RULES).count(), text.matches(RULES).count());
        text.matches(RULES).count()
    });
    assert_eq!(counts.collect::<Vec<_>>(), [0, 1, 1, 1]);
}

#[test]
fn skills_that_change_are_met_in_the_next_turn() {
    let skills = tempfile::tempdir().expect("a folder");
    write(skills.path(), "look", "", "Look left.");
    let messages = ["one", "two", "three", "four"].map(says);
    let server = Server::start(messages.to_vec()).expect("it starts");
    let mut agent = agent(skills.path(), &server);
    say(&mut agent, "$look").expect("a reply");
    write(
        skills.path(),
        "look",
        "",
        "Look right, and then left again.",
    );
    write(skills.path(), "leap", "", "Leap.");
    let reply = say(&mut agent, "$look and $leap").expect("a reply");
    assert_eq!(reply.notices, ["Using skill: look", "Using skill: leap"]);
    fs::write(
        skills.path().join("leap/SKILL.md"),
        "Leap without a head.\n",
    )
    .expect("a file");
    let reply = say(&mut agent, "go on").expect("a reply");
    assert!(
        reply.notices.iter().any(|told| told.contains("leap")),
        "{:?}",
        reply.notices
    );
    fs::remove_dir_all(skills.path().join("look")).expect("removed");
    say(&mut agent, "go on").expect("a reply");
    let requests = server.requests().expect("all were answered");
    let system = |at: usize| requests[at]["messages"][0].to_string();
    assert!(system(0).contains("<name>look</name>") && !system(0).contains("<name>leap</name>"));
    assert!(system(1).contains("<name>leap</name>"));
    assert!(
        requests[1]
            .to_string()
            .contains("Look right, and then left again.")
    );
    assert!(!system(3).contains("<name>look</name>"));
}
