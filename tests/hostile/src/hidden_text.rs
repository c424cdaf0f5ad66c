//! Text in a skill that its reader does not see.

use crate::attack::Outcome;
use crate::case::Case;

attacks![
    yaml_escapes_are_reported,
    hidden_text_in_other_files_is_reported,
];

/// `check` reports hidden characters that are written as YAML escapes.
fn yaml_escapes_are_reported() -> Outcome {
    for escape in [
        r"\u200b",
        r"\U000e0041",
        r"\u202e",
        r"\x1b",
        r"\u2066",
        r"\uFEFF",
    ] {
        let text =
            format!("---\nname: a\ndescription: \"Does {escape}a. Use when asked.\"\n---\nText.\n");
        is_reported(escape, text.as_bytes(), None)?;
    }
    Ok(())
}

/// `check` reports hidden characters in every text file of a skill.
fn hidden_text_in_other_files_is_reported() -> Outcome {
    let text = "---\nname: a\ndescription: Does a. Use when asked.\n---\nRun [it](scripts/x.sh).\n";
    // Selectors hide a text byte by byte, also after an ideograph that may have a selector.
    let selectors = ["\u{e0163}\u{e0165}", "\u{845b}\u{e0100}\u{e0163}"];
    for hidden in ["\u{200b}", "\u{202e}", "\u{e0041}", "\u{1b}[2K"]
        .into_iter()
        .chain(selectors)
    {
        let script = format!("echo {hidden} x\n");
        is_reported("in a script", text.as_bytes(), Some(&script))?;
    }
    // A model can read a file that contains NUL.
    let script = "echo \u{e0041} x\n#\0\n";
    is_reported("in a script with NUL", text.as_bytes(), Some(script))
}

fn is_reported(what: &str, text: &[u8], script: Option<&str>) -> Outcome {
    let case = Case::new()?;
    case.write("project/skills/a/SKILL.md", text)?;
    if let Some(script) = script {
        case.write("project/skills/a/scripts/x.sh", script)?;
    }
    let ran = case.run(&["check", "skills", "--format", "concise"])?;
    ran.expect_any(&[0, 1])?;
    ensure!(
        ran.printed().contains("hidden-text"),
        "{what}: not reported: {}",
        ran.shown()
    );
    Ok(())
}
