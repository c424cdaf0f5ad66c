//! `skills trust` trusts the skills that the user named, and no other skill.

use crate::attack::{Outcome, skipped};
use crate::case::{Case, trusting};
use crate::terminal::{self, typed};
use std::os::unix::fs::symlink;

attacks![
    trust_is_of_one_skill,
    a_skill_that_comes_later_is_untrusted,
    a_change_asks_for_that_skill_alone,
    an_empty_id_is_wrong_usage,
    nothing_is_trusted_without_a_word,
    a_terminal_is_asked,
    only_the_whole_trust_digest_counts,
    no_path_hides_a_trust_digest,
    all_trusts_all,
    an_untrusted_skill_takes_no_name,
];

const A: &str = "project/.agents/skills/a";
const B: &str = "project/.agents/skills/b";

/// Trusting one skill of a folder does not trust its neighbour.
fn trust_is_of_one_skill() -> Outcome {
    let case = project()?;
    case.trust("a")?;
    ensure!(
        case.is_trusted("a")?,
        "the skill that was named is not trusted"
    );
    ensure!(!case.is_trusted("b")?, "its neighbour is trusted too");
    case.run(&["inspect", "activate", "a"])?.expect(0)?;
    case.run(&["inspect", "activate", "b"])?.expect(1)
}

/// A skill that is added to a folder later is untrusted, and leaves the others trusted.
fn a_skill_that_comes_later_is_untrusted() -> Outcome {
    let case = project()?;
    case.trust("a")?;
    case.skill("project/.agents/skills/late", "", "Late.")?;
    ensure!(
        !case.is_trusted("late")?,
        "a skill that came later is trusted"
    );
    case.run(&["inspect", "activate", "late"])?.expect(1)?;
    case.run(&["inspect", "activate", "a"])?.expect(0)
}

/// A skill that changed is untrusted until it is trusted again; its neighbours stay trusted.
fn a_change_asks_for_that_skill_alone() -> Outcome {
    let case = project()?;
    case.trust("a")?;
    case.trust("b")?;
    case.skill(A, "", "Another text.")?;
    case.run(&["inspect", "activate", "b"])?.expect(0)?;
    let ran = case.run(&["inspect", "activate", "a"])?;
    ran.expect(1)?;
    ensure!(
        ran.stderr.contains("SKILL.md"),
        "the changed file is not named: {}",
        ran.shown()
    );
    let shown = case.run(&["trust", "--diff", "a"])?;
    shown.expect_any(&[0, 1])?;
    ensure!(
        shown.stdout.contains("Another text."),
        "--diff: {}",
        shown.shown()
    );
    case.trust("a")?;
    case.run(&["inspect", "activate", "a"])?.expect(0)
}

/// An empty id is a usage error: it neither trusts nor revokes trust.
fn an_empty_id_is_wrong_usage() -> Outcome {
    let case = project()?;
    case.run(&trusting(""))?.expect(2)?;
    ensure!(!case.is_trusted("a")?, "an empty id trusts");
    case.trust("a")?;
    case.run(&["trust", "--remove", ""])?.expect(2)?;
    ensure!(case.is_trusted("a")?, "an empty id takes trust back");
    Ok(())
}

/// Without a terminal, `trust` needs the digest or `--yes`.
fn nothing_is_trusted_without_a_word() -> Outcome {
    let case = project()?;
    case.run(&["trust", "a"])?.expect(2)?;
    ensure!(!case.is_trusted("a")?, "it is trusted");
    case.run(&["trust", "a", "--yes"])?.expect(0)?;
    ensure!(case.is_trusted("a")?, "`--yes` does not trust it");
    Ok(())
}

/// On a terminal, `trust` shows the skill and asks; only a yes trusts, and only what was shown.
fn a_terminal_is_asked() -> Outcome {
    if let Some(reason) = terminal::missing() {
        return skipped(&reason);
    }
    let case = project()?;
    let digest = case.json(&["show", "a"])?["trust_digest"].to_string();
    let digest = digest.trim_matches('"').to_owned();
    ensure!(digest.starts_with("sha256:"), "no trust digest: {digest}");
    // The last end of input is a control D.
    for (answer, code) in [
        ("no\n", 1),
        ("\n", 1),
        ("yess\n", 1),
        ("yes, later\n", 1),
        ("\u{4}", 1),
        ("y\n", 0),
    ] {
        let mut command = case.command()?;
        command.args(["trust", "a"]);
        let shown = typed(command, answer)?;
        let text = String::from_utf8_lossy(&shown.bytes).into_owned();
        ensure!(
            shown.code == Some(code),
            "{answer:?}: {:?}: {text}",
            shown.code
        );
        for part in ["SKILL.md", &digest, "Trust it?"] {
            ensure!(
                text.contains(part),
                "{answer:?}: `{part}` is not shown: {text}"
            );
        }
        ensure!(
            case.is_trusted("a")? == (code == 0),
            "{answer:?} trusts wrongly"
        );
    }
    let mut command = case.command()?;
    command.args(["trust", "--all"]);
    let shown = typed(command, "n\n")?;
    ensure!(shown.code == Some(1), "`--all` and no: {:?}", shown.code);
    ensure!(!case.is_trusted("b")?, "`--all` and no trusts");
    Ok(())
}

/// `trust ID@sha256:…` takes the whole trust digest that `show` prints, and nothing else.
fn only_the_whole_trust_digest_counts() -> Outcome {
    let case = project()?;
    case.write(format!("{A}/SKILL.md~"), "An old text.")?;
    let shown = case.run(&["show", "a"])?;
    shown.expect(0)?;
    let of = |is_trust: bool| {
        let mut lines = shown.stdout.lines().filter(|line| line.contains("sha256:"));
        let line = lines.find(|line| line.contains("trust") == is_trust)?;
        line.split_whitespace()
            .find(|word| word.starts_with("sha256:"))
    };
    let digest = of(true).ok_or("`show` prints no trust digest")?;
    let other = of(false).ok_or("`show` prints no digest")?;
    ensure!(
        digest.len() == 7 + 64,
        "the trust digest is short: {digest}"
    );
    ensure!(digest != other, "the trust digest leaves files out");
    let zero = format!("sha256:{}", "0".repeat(64));
    let short = digest.get(..19).unwrap_or_default();
    let long = format!("{digest}0");
    let bare = digest.trim_start_matches("sha256:");
    for wrong in [&zero, short, &long, bare, other, "sha256:", ""] {
        let ran = case.run(&["trust", &format!("a@{wrong}")])?;
        ran.expect_any(&[1, 2])?;
        ensure!(!case.is_trusted("a")?, "`{wrong}` is taken for the digest");
    }
    case.run(&["trust", &format!("a@{digest}")])?.expect(0)?;
    ensure!(case.is_trusted("a")?, "the digest is not taken");
    case.run(&["trust", &format!("b@{digest}")])?
        .expect_any(&[1, 2])
}

/// A link of the project whose name is an id with a trust digest does not lead `trust` to another skill.
fn no_path_hides_a_trust_digest() -> Outcome {
    let case = project()?;
    let digest = |id: &str| -> Outcome<String> {
        let digest = case.json(&["show", id])?["trust_digest"].clone();
        Ok(digest.as_str().ok_or("no trust digest")?.to_owned())
    };
    let (genuine, other) = (digest("a")?, digest("b")?);
    let bare = genuine.trim_start_matches("sha256:");
    for named in [&genuine, &other, bare, "sha256:0", ""] {
        let argument = format!("a@{named}");
        symlink(".agents/skills/b", case.path("project").join(&argument))?;
        let ran = case.run(&["trust", &argument, "--yes"])?;
        ensure!(!case.is_trusted("b")?, "`{argument}` trusts `b`");
        let is_genuine = *named == *genuine;
        ran.expect_any(if is_genuine { &[0] } else { &[1, 2] })?;
        ensure!(case.is_trusted("a")? == is_genuine, "{}", ran.shown());
        if is_genuine {
            case.run(&["trust", "--remove", "a"])?.expect(0)?;
        }
    }
    // A path that contains the sign is written with a trailing separator.
    case.run(&["trust", &format!("a@{other}/"), "--yes"])?
        .expect(0)?;
    ensure!(case.is_trusted("b")?, "the path is not read");
    Ok(())
}

/// `trust --all` trusts every skill of the project in its present state, and prints the number.
fn all_trusts_all() -> Outcome {
    let case = project()?;
    let ran = case.run(&["trust", "--all"])?;
    ran.expect(2)?;
    let ran = case.run(&["trust", "--all", "--yes"])?;
    ran.expect(0)?;
    ensure!(
        ran.printed().contains('2'),
        "the number of skills is not printed: {}",
        ran.shown()
    );
    for id in ["a", "b"] {
        ensure!(case.is_trusted(id)?, "`{id}` is not trusted");
    }
    case.skill("project/.agents/skills/late", "", "Late.")?;
    ensure!(
        !case.is_trusted("late")?,
        "a skill that came later is trusted"
    );
    Ok(())
}

/// An untrusted skill takes no name from a trusted skill. A trusted skill has the rank of its source.
fn an_untrusted_skill_takes_no_name() -> Outcome {
    let case = project()?;
    case.skill("home/.agents/skills/a", "", "The user's text.")?;
    let ran = case.run(&["inspect", "activate", "a"])?;
    ran.expect(0)?;
    ensure!(
        ran.stdout.contains("The user's text."),
        "the project's text: {}",
        ran.shown()
    );
    case.trust("project:b")?;
    let ran = case.run(&["inspect", "activate", "a"])?;
    ensure!(
        ran.stdout.contains("The user's text."),
        "the project's text, after its neighbour was trusted: {}",
        ran.shown()
    );
    case.trust("project:a")?;
    let ran = case.run(&["inspect", "activate", "a"])?;
    ensure!(
        ran.stdout.contains("Text."),
        "the user's text: {}",
        ran.shown()
    );
    Ok(())
}

fn project() -> Outcome<Case> {
    let case = Case::new()?;
    case.skill(A, "", "Text.")?;
    case.skill(B, "", "Text.")?;
    Ok(case)
}
