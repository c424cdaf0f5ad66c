//! Keys that a user reads as a restraint, and that a careless parser does not.

use crate::attack::Outcome;
use crate::case::Case;

attacks![
    a_hidden_character_in_allowed_tools,
    a_hidden_character_in_disable_model_invocation,
    a_hidden_character_in_user_invocable,
    look_alike_hyphens,
    hidden_keys_are_reported,
];

/// Invisible characters, and YAML escapes of them.
const UNSEEN: &[&str] = &[
    "\u{200b}",
    "\u{200d}",
    "\u{2060}",
    "\u{feff}",
    "\u{ad}",
    "\u{e0041}",
];
/// Characters that look like a hyphen.
const HYPHENS: &[&str] = &[
    "\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2212}", "\u{fe63}", "\u{ff0d}",
];

/// `allowed-tools` narrows if its key contains an invisible character.
fn a_hidden_character_in_allowed_tools() -> Outcome {
    all(&with_unseen("allowed-tools"), "Read", narrows)
}

/// `disable-model-invocation` is in force if its key contains an invisible character.
fn a_hidden_character_in_disable_model_invocation() -> Outcome {
    all(
        &with_unseen("disable-model-invocation"),
        "true",
        is_kept_from_models,
    )
}

/// `user-invocable` is in force if its key contains an invisible character.
fn a_hidden_character_in_user_invocable() -> Outcome {
    all(&with_unseen("user-invocable"), "false", is_kept_from_people)
}

/// A restraint is in force if its key is written with other hyphens.
fn look_alike_hyphens() -> Outcome {
    all(&with_hyphens("allowed-tools"), "Read", narrows)?;
    all(
        &with_hyphens("disable-model-invocation"),
        "true",
        is_kept_from_models,
    )?;
    all(
        &with_hyphens("user-invocable"),
        "false",
        is_kept_from_people,
    )
}

/// `check` and `list` report a restraint whose key contains an invisible difference.
fn hidden_keys_are_reported() -> Outcome {
    let keys = [
        with_unseen("allowed-tools"),
        with_hyphens("disable-model-invocation"),
    ]
    .concat();
    all(&keys, "true", |case| {
        let check = case.run(&["check", "skills"])?;
        check.expect(1)?;
        let list = case.run(&["list", "--layer", "user=skills"])?;
        list.expect(0)?;
        ensure!(
            list.stderr.contains("warning"),
            "`list` does not report it: {}",
            list.shown()
        );
        Ok(())
    })
}

fn with_unseen(key: &str) -> Vec<String> {
    let middle = key.len() / 2;
    let (start, end) = key.split_at(middle);
    let places = |unseen: &&str| {
        [
            format!("{key}{unseen}"),
            format!("{unseen}{key}"),
            format!("{start}{unseen}{end}"),
        ]
    };
    let mut keys: Vec<String> = UNSEEN.iter().flat_map(places).collect();
    keys.push(format!("\"{key}\\u200b\""));
    keys.push(format!("\"{start}\\U000e0041{end}\""));
    keys
}

fn with_hyphens(key: &str) -> Vec<String> {
    HYPHENS
        .iter()
        .map(|hyphen| key.replace('-', hyphen))
        .collect()
}

/// Checks a promise for a skill with each of the keys.
fn all(keys: &[String], value: &str, hold: impl Fn(&Case) -> Outcome) -> Outcome {
    let mut broken = Vec::new();
    for key in keys {
        let case = Case::new()?;
        case.skill("project/skills/a", &format!("{key}: {value}\n"), "Text.")?;
        if let Err(error) = hold(&case) {
            broken.push(format!("{}: {error}", key.escape_unicode()));
        }
    }
    ensure!(
        broken.is_empty(),
        "{} of {} keys: {}",
        broken.len(),
        keys.len(),
        broken.first().map_or("", |first| first)
    );
    Ok(())
}

fn narrows(case: &Case) -> Outcome {
    let activation = case.json(&["inspect", "activate", "a", "--layer", "user=skills"])?;
    let tools = activation["allowed_tools"].as_array().ok_or("no tools")?;
    ensure!(!tools.is_empty(), "every tool is left");
    Ok(())
}

fn is_kept_from_models(case: &Case) -> Outcome {
    let called = case.run(&[
        "inspect",
        "tools",
        "skill",
        r#"{"name":"a"}"#,
        "--layer",
        "user=skills",
    ])?;
    called.expect(1)?;
    let prompt = case.run(&["prompt", "--layer", "user=skills"])?;
    ensure!(
        !prompt.stdout.contains("Does a."),
        "the catalog text shows it"
    );
    Ok(())
}

fn is_kept_from_people(case: &Case) -> Outcome {
    let layer = ["--layer", "user=skills", "--format", "json"];
    let ran = case.run(&[&["resolve", "$a x"], &layer[..]].concat())?;
    ran.expect(1)?;
    let resolved: serde_json::Value = serde_json::from_str(&ran.stdout)?;
    ensure!(
        resolved["activated"] == serde_json::json!([]),
        "a person's message starts it"
    );
    Ok(())
}
