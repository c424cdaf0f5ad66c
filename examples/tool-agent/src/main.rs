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
use std::error::Error;
use std::io::{self, BufRead as _, Write as _};

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
    let catalog = Catalog::builder()
        .directory("user", "skills")
        .bundle("bundled", &SKILLS)
        .load()
        .catalog;
    let mut agent = SkillAgent::new(&url, &key, &model, catalog)?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let reply = agent.say(&line?).await?;
        for notice in reply.notices {
            writeln!(out, "! {notice}")?;
        }
        writeln!(out, "{}", reply.text)?;
    }
    Ok(())
}
