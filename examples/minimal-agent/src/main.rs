//! A host: skills of a project, of a person and of the program, in a conversation with a model.
//! `echo '$code-review src/parser.rs' | cargo run -p example-minimal-agent -- replies.txt`
#![expect(clippy::print_stdout, reason = "the example talks on standard output")]
mod model;
use model::{Model, Reply};
use skills_runtime::options::ToolKind;
use skills_runtime::session::ToolErrorKind;
use skills_runtime::{Catalog, Profile, Session, Surface};
use skills_store::Decisions;
use std::io::{self, Lines, StdinLock};
use std::{error::Error, fs};
/// The session beside the conversation. This host keeps both in the working folder.
const SESSION: &str = "session.json";

fn main() -> Result<(), Box<dyn Error>> {
    let decisions = Decisions::in_folder(".");
    let sources = Catalog::builder().untrusted("project", "project-skills");
    let sources = sources.directory("user", "user-skills");
    let sources = sources.bundle("bundled", &bundled_skills::SKILLS);
    let loaded = decisions.load(sources.reloadable())?;
    let (mut catalog, mut known) = (loaded.catalog, loaded.diagnostics);
    let mut session = match fs::read(SESSION) {
        Ok(json) => Session::restore(serde_json::from_slice(&json)?, Profile::DEFAULT),
        Err(_) => Session::new(Profile::DEFAULT),
    };
    session.set_tools([("read_file", ToolKind::Read), ("shell", ToolKind::Shell)]);
    let prompt = catalog.prompt(session.profile()).text;
    let mut model = Model::open(&prompt, &catalog.tools(session.profile()))?;
    let mut lines = io::stdin().lines();
    while let Some(line) = lines.next() {
        let read = catalog.reload();
        for found in read.diagnostics.iter().filter(|it| !known.contains(it)) {
            println!("{found:#}");
        }
        (catalog, known) = (read.catalog, read.diagnostics);
        let turn = session.turn(&catalog, &line?, Surface::User);
        turn.notices.iter().for_each(|told| println!("! {told}"));
        if let Some(dispatch) = turn.dispatch {
            let gate = |tool: &str, input: &str| may_run(&session, tool, input, &mut lines);
            match dispatch.ask(&catalog, gate) {
                Ok(call) => println!("{} runs '{}'", call.tool, call.arguments),
                Err(refused) => println!("! {refused}"),
            }
        }
        if let Some(request) = turn.request {
            let told = decisions.carry_out(request, &mut catalog, |question| {
                asked(&format!("{question}\nTrust it?"), &mut lines)
            })?;
            for told in told {
                println!("! {told}");
            }
        }
        let mut reply = model.send(&turn.messages, &turn.tools);
        while let Reply::Call { tool, arguments } = reply {
            reply = match session.call(&catalog, &tool, &arguments) {
                Err(error) if error.kind() == ToolErrorKind::UnknownTool => {
                    // Here the arguments are the input: a path, or a command line.
                    let may_run = may_run(&session, &tool, &arguments, &mut lines);
                    model.own(&tool, &arguments, may_run)
                }
                called => model.result(called),
            };
        }
        if let Reply::Text(text) = reply {
            Model::goes_on(&session.answered(&catalog, &text));
        }
        fs::write(SESSION, serde_json::to_vec(&session.save())?)?;
    }
    Ok(())
}

/// The gate: what skills took away is refused, and what they approve needs no question.
fn may_run(session: &Session, tool: &str, input: &str, lines: &mut Lines<StdinLock>) -> bool {
    session.tools().allows(tool, input)
        && (session.approved().admits(tool, input) || asked(&format!("{tool} {input}?"), lines))
}

fn asked(question: &str, lines: &mut Lines<StdinLock>) -> bool {
    println!("{question} (yes, no)");
    matches!(lines.next(), Some(Ok(line)) if line == "yes")
}
