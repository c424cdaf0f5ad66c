//! A host: skills of a project, of a person and of the program, in a conversation with a model.
//! `echo '$code-review src/parser.rs' | cargo run -p example-minimal-agent -- main replies.txt`
#![expect(clippy::print_stdout, reason = "the example talks on standard output")]
mod model;
use model::{Model, Reply};
use serde_json::{Value, json};
use skills_runtime::Catalog;
use skills_session::options::ToolKind::{Read, Shell, Write};
use skills_session::{options::Options, session::Message};
use skills_store::{Conversation, News, Person, Question};
use std::{env, error::Error, fs, io, process::Command};

struct Terminal;

impl Person for Terminal {
    fn tell(&mut self, news: &News<'_>) {
        println!("! {news}");
    }

    fn agrees(&mut self, question: &Question<'_>) -> bool {
        println!("{question} (yes, no)");
        line().is_some_and(|line| line == "yes")
    }
}

/// Reads a line that the person types. Returns `None` at the end of the input.
fn line() -> Option<String> {
    io::stdin().lines().next()?.ok()
}

fn run(tool: &str, arguments: &Value) -> String {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    let done = match tool {
        "read" => fs::read_to_string(text("path")),
        "write" => fs::write(text("path"), text("content")).map(|()| "written".to_owned()),
        _ => {
            let output = Command::new("sh").args(["-c", text("command")]).output();
            output.map(|out| String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into())
        }
    };
    done.unwrap_or_else(|error| error.to_string())
}

/// Returns the name of the argument that the gate checks: what the call acts on.
fn input_of(tool: &str) -> &'static str {
    if tool == "shell" { "command" } else { "path" }
}

/// Converts a message to the form in which the model gets it, and in which it is stored.
fn to_json(message: &Message) -> Value {
    let is_system = matches!(message, Message::System { .. });
    json!({ "role": if is_system { "system" } else { "user" }, "content": message.text() })
}

fn main() -> Result<(), Box<dyn Error>> {
    // Outside of every project: a trust.json that comes with a project would trust the project's skills.
    let home = env::home_dir().ok_or("no home folder")?;
    let folder = home.join(".minimal-agent");
    let name = env::args().nth(1).unwrap_or_else(|| "main".to_owned());
    let sources = Catalog::builder()
        .untrusted("project", "project-skills")
        .directory("user", folder.join("skills"))
        .bundle("bundled", &bundled_skills::SKILLS);
    let options = Options {
        reserved: vec!["quit".into()],
        ..Options::DEFAULT
    };
    let mut talk = Conversation::open(&folder, &name, sources, options, Terminal)?;
    let tools = [("read", Read), ("write", Write), ("shell", Shell)];
    talk.session.set_tools(tools);
    for id in talk.untrusted() {
        talk.trust(&id);
    }
    let mut model = Model::open()?;
    while let Some(line) = line().filter(|line| line != "/quit") {
        let turn = talk.turn(&line);
        if let Some(call) = turn.call {
            let arguments = json!({ input_of(&call.tool): call.arguments });
            println!("{}", run(&call.tool, &arguments));
        }
        talk.messages.extend(turn.messages.iter().map(to_json));
        let mut asks_model = turn.asks_model;
        while asks_model {
            // Both change when a skill is added, enabled or trusted, or takes tools away.
            let dialect = talk.session.dialect();
            let (list, tools) = (dialect.list(&talk.catalog), dialect.tools(&talk.catalog));
            let own = talk.session.tools();
            let after = match model.answer(&list.text, &tools, own.names(), &talk.messages) {
                Reply::Call { tool, arguments } => {
                    let call = json!({ "role": "assistant", "call": [tool, arguments] });
                    talk.messages.push(call);
                    let read: Value = serde_json::from_str(&arguments).unwrap_or_default();
                    let input = read[input_of(&tool)].as_str().unwrap_or_default();
                    let called = talk.call(&tool, &arguments, input);
                    let result = called.result.unwrap_or_else(|| run(&tool, &read));
                    let result = json!({ "role": "tool", "content": result });
                    talk.messages.push(result);
                    called.messages
                }
                Reply::Text(text) => {
                    println!("{text}");
                    asks_model = false;
                    let answer = json!({ "role": "assistant", "content": text });
                    talk.messages.push(answer);
                    talk.answered(&text)
                }
            };
            talk.messages.extend(after.iter().map(to_json));
        }
        talk.save()?;
    }
    Ok(())
}
