//! State files that are damaged, or that a newer program wrote.

use crate::attack::Outcome;
use crate::case::{Case, trusting};
use std::fs;

attacks![
    a_damaged_state_starts_nothing,
    a_newer_state_starts_nothing,
    a_damaged_state_stays_where_it_is,
    a_newer_state_stays_where_it_is,
    damaged_trust_starts_nothing,
    newer_trust_starts_nothing,
    damaged_trust_stays_where_it_is,
];

const STATE: &str = "home/.config/skills/skills.json";
const TRUST: &str = "home/.config/skills/trust.json";
/// Contents that no program can read.
const DAMAGED: &[&str] = &[
    "",
    "x",
    "[]",
    "{\"disabled\":[\"secret\"],\"version\":1",
    "{\"disabled\":\"secret\",\"version\":1}",
    "{\"disabled\":[1],\"version\":1}",
    "{\"disabled\":[\"secret\"],\"version\":\"1\"}",
    "{\"disabled\":[\"secret\"],\"version\":-1}",
    "{\"disabled\":[\"secret\"],\"disabled\":[],\"version\":1}",
    "\u{feff}{\"disabled\":[\"secret\"],\"version\":1}",
    "\u{0}",
];
/// Contents that no program can read as records of trust.
const DAMAGED_TRUST: &[&str] = &[
    "",
    "x",
    "[]",
    "{\"skills\":[],\"version\":1",
    "{\"skills\":1,\"version\":1}",
    "{\"skills\":[{}],\"version\":1}",
    "{\"skills\":[],\"version\":\"1\"}",
    "{\"skills\":[],\"version\":-1}",
    "{\"skills\":[],\"skills\":[],\"version\":1}",
    "\u{0}",
];
/// Contents that only a newer program can read.
const NEWER: &[&str] = &[
    "{\"disabled\":[\"secret\"],\"version\":2}",
    "{\"off\":[\"secret\"],\"version\":99}",
    "{\"version\":18446744073709551616}",
];

/// While the file of disabled skills is damaged, no skill of the user's or the project's folders
/// starts; bundled skills do.
fn a_damaged_state_starts_nothing() -> Outcome {
    all(DAMAGED, starts_only_bundled)
}

/// While a newer program has written the file of disabled skills, no skill of the user's or the
/// project's folders starts; bundled skills do.
fn a_newer_state_starts_nothing() -> Outcome {
    all(NEWER, |case, text| {
        starts_only_bundled(case, text)?;
        let told = case.run(&["list"])?.stderr;
        ensure!(
            told.to_lowercase().contains("update"),
            "no advice to update: {told}"
        );
        Ok(())
    })
}

/// `enable` and `disable` refuse to change a damaged file, and leave it where it is.
fn a_damaged_state_stays_where_it_is() -> Outcome {
    all(DAMAGED, stays)
}

/// `enable` and `disable` refuse to change the file of a newer program, and leave it where it is.
fn a_newer_state_stays_where_it_is() -> Outcome {
    all(NEWER, stays)
}

/// While `trust.json` is damaged, no skill of a project starts.
fn damaged_trust_starts_nothing() -> Outcome {
    all(DAMAGED_TRUST, trusts_nothing)
}

/// While `trust.json` is one of a newer program, no skill of a project starts.
fn newer_trust_starts_nothing() -> Outcome {
    all(NEWER, trusts_nothing)
}

/// `trust` refuses to change a damaged `trust.json`, and leaves it where it is.
fn damaged_trust_stays_where_it_is() -> Outcome {
    all(DAMAGED_TRUST, |case, text| {
        case.write(TRUST, text)?;
        case.run(&trusting("deploy"))?.expect_any(&[1, 2])?;
        case.run(&["trust", "--remove", "deploy"])?
            .expect_any(&[1, 2])?;
        is_unchanged(case, TRUST, text)
    })
}

fn all(texts: &[&str], hold: impl Fn(&Case, &str) -> Outcome) -> Outcome {
    let mut broken = Vec::new();
    for text in texts {
        let case = Case::new()?;
        case.skill("home/.agents/skills/secret", "", "Text.")?;
        case.skill("home/.agents/skills/other", "", "Text.")?;
        case.skill("project/.agents/skills/deploy", "", "Text.")?;
        if let Err(error) = hold(&case, text) {
            broken.push(format!("{text:?}: {error}"));
        }
    }
    ensure!(
        broken.is_empty(),
        "{} of {} files: {}",
        broken.len(),
        texts.len(),
        broken.first().map_or("", |first| first)
    );
    Ok(())
}

fn starts_only_bundled(case: &Case, text: &str) -> Outcome {
    case.trust("deploy")?;
    case.write(STATE, text)?;
    for id in ["secret", "other", "deploy"] {
        let ran = case.run(&["inspect", "activate", id])?;
        ensure!(ran.code == Some(1), "`{id}` starts: {}", ran.shown());
        let resolved = case.run(&["resolve", &format!("${id} x"), "--format", "json"])?;
        ensure!(
            !resolved.stdout.contains("Text."),
            "`${id}` starts it: {}",
            resolved.shown()
        );
    }
    let bundled = ["inspect", "activate", "--layer", "bundled", "code-review"];
    case.run(&bundled)?.expect(0)
}

fn stays(case: &Case, text: &str) -> Outcome {
    case.write(STATE, text)?;
    for command in ["disable", "enable"] {
        let ran = case.run(&[command, "other"])?;
        ensure!(
            matches!(ran.code, Some(1 | 2)),
            "`{command}` goes on: {}",
            ran.shown()
        );
        is_unchanged(case, STATE, text)?;
    }
    Ok(())
}

fn trusts_nothing(case: &Case, text: &str) -> Outcome {
    case.trust("deploy")?;
    case.write(TRUST, text)?;
    case.run(&["inspect", "activate", "deploy"])?.expect(1)?;
    let list = case.run(&["list"])?;
    ensure!(
        list.stderr.contains("trust.json"),
        "nothing is reported: {}",
        list.stderr
    );
    Ok(())
}

fn is_unchanged(case: &Case, path: &str, text: &str) -> Outcome {
    let now = fs::read(case.path(path));
    ensure!(
        now.is_ok_and(|now| now == text.as_bytes()),
        "the file was moved or changed"
    );
    Ok(())
}
