//! The agent against a scripted server: the requests to the model, and the results of the model's calls.

mod server;

use bundled_skills::SKILLS;
use example_tool_agent::{Reply, SkillAgent, answer};
use serde_json::{Value, json};
use server::Server;
use skills_runtime::Catalog;
use skills_store::Decisions;

/// Sends each line, with the server's messages in order. Returns the replies and the requests.
fn talk(lines: &[&str], messages: Vec<Value>) -> (Vec<Reply>, Vec<Value>) {
    let server = Server::start(messages).expect("it starts");
    let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
    let mut agent = SkillAgent::new(&server.url, "key", "scripted", catalog).expect("an address");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let replies = runtime.block_on(async {
        let mut replies = Vec::new();
        for line in lines {
            replies.push(agent.say(line).await.expect("a reply"));
        }
        replies
    });
    (replies, server.requests().expect("all were answered"))
}

fn says(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn calls(tool: &str, arguments: &Value) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "call-1", "type": "function", "function": {"name": tool, "arguments": arguments.to_string()}},
    ]})
}

/// Returns the text of the only tool result in a request.
fn result(request: &Value) -> &str {
    let messages = request["messages"].as_array().expect("messages");
    let mut results = messages.iter().filter(|message| message["role"] == "tool");
    let result = results.next().expect("a result");
    assert!(results.next().is_none(), "one result");
    match &result["content"] {
        Value::String(text) => text,
        content => content[0]["text"].as_str().expect("text"),
    }
}

#[test]
fn the_catalog_and_the_tools_reach_the_server() {
    let (replies, requests) = talk(&["hello"], vec![says("hi")]);
    assert_eq!(replies[0].text, "hi");
    let system = requests[0]["messages"][0].to_string();
    assert!(system.contains("<available_skills>") && system.contains("<name>code-review</name>"));
    let tools = requests[0]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect();
    assert_eq!(names, ["skill", "list_skills", "read_skill_resource"]);
    // Any name: the framework took the tool once, and a skill can be enabled or disabled after that.
    let name = &tools[0]["function"]["parameters"]["properties"]["name"];
    assert_eq!(
        (&name["type"], &name["enum"]),
        (&Value::from("string"), &Value::Null)
    );
}

#[test]
fn a_skill_that_an_answer_names_is_in_the_next_request() {
    let (replies, requests) = talk(
        &["what next?", "go on"],
        vec![says("First I use $code-review."), says("done")],
    );
    assert_eq!(replies[0].notices, ["Using skill: code-review"]);
    let skill = result(&requests[1]);
    assert!(
        skill.contains("<skill_content name=\"code-review\""),
        "{skill}"
    );
}

#[test]
fn a_mention_leaves_the_bytes_of_the_models_own_call() {
    let arguments = json!({"name": "code-review", "arguments": "src/parser.rs"});
    let (replies, called) = talk(
        &["review src/parser.rs"],
        vec![calls("skill", &arguments), says("done")],
    );
    assert_eq!(replies[0].notices, ["Using skill: code-review"]);
    for line in ["$code-review src/parser.rs", "/code-review src/parser.rs"] {
        let (replies, typed) = talk(&[line], vec![says("done")]);
        assert_eq!(replies[0].notices, ["Using skill: code-review"]);
        assert_eq!(result(&typed[0]), result(&called[1]));
        let call = |request: &Value| {
            let call = &request["messages"][2]["tool_calls"][0]["function"];
            let arguments = call["arguments"].as_str().expect("text").to_owned();
            (
                call["name"].clone(),
                serde_json::from_str::<Value>(&arguments).expect("JSON"),
            )
        };
        assert_eq!(call(&typed[0]), call(&called[1]));
        assert_eq!(call(&typed[0]).1, arguments);
    }
    let body = SKILLS.get("code-review").expect("it ships").body();
    assert!(result(&called[1]).contains(&*body.expect("it is read")));
}

#[test]
fn a_wrong_call_is_told() {
    let (_, requests) = talk(
        &["go"],
        vec![
            calls("skill", &json!({"name": "code-reveiw"})),
            says("sorry"),
        ],
    );
    let told = result(&requests[1]);
    assert_eq!(
        told,
        "No skill is named 'code-reveiw'. The nearest is 'code-review'."
    );
}

#[test]
fn a_second_mention_is_a_reminder() {
    let lines = ["$code-review a.rs", "$code-review b.rs"];
    let (_, requests) = talk(&lines, vec![says("one"), says("two")]);
    let second = requests[1]["messages"].to_string();
    assert!(second.contains("The skill code-review is active already"));
    assert!(second.contains("ARGUMENTS: b.rs"));
}

#[test]
fn a_conversation_of_another_program_is_answered() {
    let server = Server::start(vec![says("It is fine.")]).expect("it starts");
    let call = json!([{"id": "skill-1", "type": "function",
        "function": {"name": "skill", "arguments": "{\"name\":\"lint\"}"}}]);
    let conversation = [
        json!({"role": "system", "content": "The skills: lint"}),
        json!({"role": "user", "content": "src/"}),
        json!({"role": "assistant", "tool_calls": call}),
        json!({"role": "tool", "content": "Lint it.", "tool_call_id": "skill-1"}),
    ];
    let lines: Vec<String> = conversation.iter().map(Value::to_string).collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let lines = lines.join("\n");
    let answered = answer(&server.url, "key", "scripted", lines.as_bytes());
    assert_eq!(
        runtime.block_on(answered).expect("an answer"),
        "It is fine."
    );
    let requests = server.requests().expect("all were answered");
    let roles = requests[0]["messages"].as_array().expect("messages").iter();
    let roles: Vec<&str> = roles
        .filter_map(|message| message["role"].as_str())
        .collect();
    // rig sends results of tools that the agent does not have as messages of a user.
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    let last = &requests[0]["messages"][3]["content"];
    assert!(last.to_string().contains("Lint it."), "{last}");
}

#[test]
fn a_person_disables_and_enables_a_skill() {
    let folder = tempfile::tempdir().expect("a folder");
    let decisions = Decisions::in_folder(folder.path());
    let builder = Catalog::builder().bundle("bundled", &SKILLS);
    let (catalog, _) = decisions.load(builder).expect("no files");
    let server = Server::start(Vec::new()).expect("it starts");
    let agent = SkillAgent::new(&server.url, "key", "scripted", catalog).expect("an address");
    let mut agent = agent.deciding(decisions.clone(), |_| false);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut say = |text: &str| {
        let reply = runtime.block_on(agent.say(text)).expect("a reply");
        (reply.notices, decisions.state.read().expect("a file").value)
    };
    let (told, state) = say("/skill disable code-review");
    let disabled = "Skill 'code-review' is disabled. Enable it with /skill enable code-review.";
    assert_eq!(told, [disabled]);
    let ids = |state: &skills_store::Disabled| state.ids.clone();
    assert!(ids(&state).iter().any(|id| id.ends_with("code-review")));
    let (told, state) = say("/skill enable code-review");
    assert_eq!(told, ["Enabled: code-review."]);
    assert!(ids(&state).is_empty());
    // No request reached the model.
    assert_eq!(server.requests().expect("none").len(), 0);
}
