//! Profiles that read project folders without asking for trust.

use crate::attack::Outcome;
use crate::case::Case;
use std::os::unix::fs::symlink;

attacks![
    openclaw_stays_in_the_project,
    caliban_stays_in_the_project,
    agenvoy_stays_in_the_project,
    codewhale_stays_in_the_project,
];

/// Under the profile `openclaw` no link leads out of a project's folder of skills.
fn openclaw_stays_in_the_project() -> Outcome {
    stays("openclaw", "skills")
}

/// Under the profile `caliban` no link leads out of a project's folder of skills.
fn caliban_stays_in_the_project() -> Outcome {
    stays("caliban", ".caliban/skills")
}

/// Under the profile `agenvoy` no link leads out of a project's folder of skills.
fn agenvoy_stays_in_the_project() -> Outcome {
    stays("agenvoy", "extensions/skills")
}

/// Under the profile `codewhale` no link leads out of a project's folder of skills.
fn codewhale_stays_in_the_project() -> Outcome {
    stays("codewhale", ".codewhale/skills")
}

fn stays(profile: &str, folder: &str) -> Outcome {
    let case = Case::new()?;
    let skills = format!("project/{folder}");
    case.skill(&format!("{skills}/good"), "", "Good.")?;
    case.skill("outside/evil", "", "Evil.")?;
    case.skill("outside/tree/worse", "", "Evil.")?;
    symlink(case.path("outside/evil"), case.path(&skills).join("evil"))?;
    symlink(case.path("outside/tree"), case.path(&skills).join("tree"))?;
    let list = case.json(&["list", "--profile", profile])?;
    let mut names = list["skills"].as_array().into_iter().flatten();
    let names: Vec<&str> = names
        .by_ref()
        .filter_map(|skill| skill["name"].as_str())
        .collect();
    ensure!(
        names.contains(&"good"),
        "the project's own skill is missing: {names:?}"
    );
    for evil in ["evil", "worse"] {
        ensure!(
            !names.contains(&evil),
            "`{evil}` was loaded through a link that leads out"
        );
        case.run(&["inspect", "activate", evil, "--profile", profile])?
            .expect(1)?;
    }
    Ok(())
}
