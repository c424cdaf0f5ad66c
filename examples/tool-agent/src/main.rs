//! Talks to a server of chat completions, with skills.
//!
//! In this folder: `OPENAI_API_KEY=… cargo run -- http://localhost:8080/v1 some-model`
//!
//! With `--answer` the program reads a conversation, a JSON object on each line, and prints one answer.
//! The skills are then the skills of another program:
//! `skills chat --agent 'example-tool-agent --answer URL MODEL'`.

use bundled_skills::SKILLS;
use example_tool_agent::{SkillAgent, answer};
use skills_runtime::Catalog;
use skills_store::{Decisions, TrustQuestion};
use std::error::Error;
use std::io::{self, Write as _};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let answers = arguments.next_if(|word| word == "--answer").is_some();
    let (Some(url), Some(model)) = (arguments.next(), arguments.next()) else {
        return Err("usage: example-tool-agent [--answer] URL MODEL".into());
    };
    let key = std::env::var("OPENAI_API_KEY").unwrap_or_default();
    if answers {
        let text = answer(&url, &key, &model, io::stdin().lock()).await?;
        writeln!(io::stdout(), "{text}")?;
        return Ok(());
    }
    // Outside of every project: a trust.json that comes with a project would trust the project's skills.
    let home = std::env::home_dir().ok_or("no home folder")?;
    let folder = home.join(".tool-agent");
    std::fs::create_dir_all(&folder)?;
    let decisions = Decisions::in_folder(&folder);
    let sources = Catalog::builder().untrusted("project", ".agents/skills");
    let sources = sources.directory("user", folder.join("skills"));
    let (catalog, _) = decisions.load(sources.bundle("bundled", &SKILLS).reloadable())?;
    let agent = SkillAgent::new(&url, &key, &model, catalog)?;
    let mut agent = agent.deciding(decisions, trusts);
    while let Some(line) = line()? {
        let reply = agent.say(&line).await?;
        for notice in reply.notices {
            writeln!(io::stdout(), "! {notice}")?;
        }
        writeln!(io::stdout(), "{}", reply.text)?;
    }
    Ok(())
}

/// Reads a line of standard input. Returns `None` at its end.
fn line() -> io::Result<Option<String>> {
    let mut line = String::new();
    let is_there = io::stdin().read_line(&mut line)? > 0;
    Ok(is_there.then(|| line.trim_end().to_owned()))
}

/// Asks whether the person trusts a skill.
fn trusts(question: &TrustQuestion) -> bool {
    let asked = writeln!(io::stdout(), "{question}\nTrust it? (yes, no)");
    asked.is_ok() && line().is_ok_and(|line| line.as_deref() == Some("yes"))
}
