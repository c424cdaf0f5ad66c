//! The answer to a model that lists the skills.

use crate::attack::Outcome;
use crate::case::Case;

attacks![
    a_page_is_short,
    a_page_of_long_descriptions_is_small,
    a_query_is_not_sent_back,
];

/// Maximum number of skills, and of bytes, in one answer.
const MOST_SKILLS: usize = 50;
const MOST_BYTES: usize = 16 * 1024;

/// `list_skills` answers with at most 50 skills.
fn a_page_is_short() -> Outcome {
    let answer = answer(300, "")?;
    let listed = (0..300)
        .filter(|n| answer.contains(&format!("skill-{n:03}")))
        .count();
    ensure!(listed > 0, "no skill is listed: {answer}");
    ensure!(listed <= MOST_SKILLS, "{listed} skills in one answer");
    Ok(())
}

/// `list_skills` answers with at most 16 KB, however long descriptions are.
fn a_page_of_long_descriptions_is_small() -> Outcome {
    let answer = answer(300, &"with care ".repeat(100))?;
    ensure!(
        answer.len() <= MOST_BYTES,
        "{} bytes in one answer",
        answer.len()
    );
    Ok(())
}

/// `list_skills` answers a query that finds nothing with at most 16 KB, however long the query is.
fn a_query_is_not_sent_back() -> Outcome {
    let case = Case::new()?;
    case.skill("home/.agents/skills/a", "", "Do it.")?;
    let query = serde_json::json!({ "query": "x".repeat(100_000) }).to_string();
    let called = case.json(&["inspect", "tools", "list_skills", &query])?;
    let answer = called["result"].as_str().ok_or("no result")?;
    ensure!(
        answer.len() <= MOST_BYTES,
        "{} bytes in one answer",
        answer.len()
    );
    Ok(())
}

fn answer(skills: usize, more: &str) -> Outcome<String> {
    let case = Case::new()?;
    for n in 0..skills {
        let text = format!(
            "---\nname: skill-{n:03}\ndescription: Does it. Use when asked for it. {more}\n---\nDo it.\n"
        );
        case.write(format!("home/.agents/skills/skill-{n:03}/SKILL.md"), text)?;
    }
    let called = case.json(&["inspect", "tools", "list_skills", "{}"])?;
    Ok(called["result"].as_str().ok_or("no result")?.to_owned())
}
