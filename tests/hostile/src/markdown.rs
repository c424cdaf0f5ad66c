//! Markdown with non-linear cost: a text of four times the length must not take much more than four times the time.

use crate::attack::{Outcome, sample_or_all};
use crate::case::{Case, text};
use crate::markdown_text::{Pattern, hard, random};
use crate::process::Ran;
use std::time::Duration;

attacks![
    known_patterns_through_check,
    random_patterns_through_check,
    fixes_of_many_places,
    known_patterns_through_bundle,
    patterns_through_resolve,
    patterns_through_activate,
    patterns_through_prompt,
];

/// Four times the length of the shorter text is that of the longer, in bytes: of the sample, and of all.
const SHORT: (usize, usize) = (4_000, 25_000);
/// Maximum cost of the longer text, as a multiple of the shorter: 4 is linear, 16 quadratic.
const MOST: u32 = 8;
/// Times below this are noise: the clock ticks every 10 ms, and a program that reads nothing takes some.
const NOISE: Duration = Duration::from_millis(30);
/// Number of measurements before a pattern counts as too slow. The minimum time counts.
const TRIES: usize = 12;
/// Number of broken patterns after which the test stops.
const ENOUGH: usize = 4;

/// The time of `check` is linear in the length of a `SKILL.md`: known hard patterns.
fn known_patterns_through_check() -> Outcome {
    all_linear(&hard(), |case, text| {
        case.skill_text(text, &["check", "skills"])
    })
}

/// The time of `check` is linear in the length of a `SKILL.md`: 40 random patterns.
fn random_patterns_through_check() -> Outcome {
    all_linear(&random(1, 40), |case, text| {
        case.skill_text(text, &["check", "skills"])
    })
}

/// The time of `check --fix` is linear in the length of a `SKILL.md`: rules with as many overlapping fixes as the
/// text has characters.
fn fixes_of_many_places() -> Outcome {
    let pattern = |start: &str, repeated: &str| Pattern {
        deep: String::new(),
        start: start.to_owned(),
        repeated: repeated.to_owned(),
        end: String::new(),
    };
    let patterns = [
        pattern("", "a\r\nb\r"),
        pattern("", "\r\r\n"),
        pattern("", "\u{200b}\r\nx\r"),
        pattern("", "[a](B.md)\r\n"),
    ];
    all_linear(&patterns, |case, text| {
        case.skill_text(text, &["check", "--fix", "--unsafe", "skills"])
    })
}

/// The time of `bundle` is linear in the length of a `SKILL.md`.
fn known_patterns_through_bundle() -> Outcome {
    let patterns = hard();
    let few = patterns.get(..8).unwrap_or_default();
    all_linear(few, |case, text| case.skill_text(text, &["lock", "skills"]))
}

/// The time of `resolve` is linear in the length of a message.
fn patterns_through_resolve() -> Outcome {
    let patterns = [hard(), random(2, 10)].concat();
    all_linear(&patterns, |case, text| {
        let mut command = case.0.command()?;
        command.args(["resolve", "--layer", "user=skills"]);
        Ran::with_input(&mut command, text)
    })
}

/// The time of `activate` is linear in the length of a `SKILL.md`.
fn patterns_through_activate() -> Outcome {
    let patterns = [hard(), random(3, 10)].concat();
    all_linear(&patterns, |case, text| {
        case.skill_text(
            text,
            &["inspect", "activate", "a", "--layer", "user=skills"],
        )
    })
}

/// The time of the catalog text is linear in the length of descriptions.
fn patterns_through_prompt() -> Outcome {
    let patterns = [hard(), random(4, 10)].concat();
    all_linear(&patterns, |case, text| {
        let description: String = text.chars().take(text.len() / 8).collect();
        let front = format!(
            "---\nname: a\ndescription: {}\n---\n",
            serde_json::json!(description)
        );
        case.0.write("project/skills/a/SKILL.md", front)?;
        case.0.run(&["prompt", "--layer", "user=skills"])
    })
}

/// A project with one skill whose text changes.
struct Text(Case);

impl Text {
    fn skill_text(&self, body: &str, arguments: &[&str]) -> Outcome<Ran> {
        self.0
            .write("project/skills/a/SKILL.md", text("a", "", body))?;
        self.0.run(arguments)
    }
}

fn all_linear(patterns: &[Pattern], run: impl Fn(&Text, &str) -> Outcome<Ran>) -> Outcome {
    let case = Text(Case::new()?);
    case.skill_text("Text.", &["list"])?;
    let mut broken = Vec::new();
    for pattern in patterns {
        if let Err(error) = is_linear(&case, pattern, &run) {
            broken.push(format!("{pattern:?}: {error}"));
        }
        if broken.len() == ENOUGH {
            break;
        }
    }
    ensure!(broken.is_empty(), "{}", broken.join("\n"));
    Ok(())
}

fn is_linear(case: &Text, pattern: &Pattern, run: impl Fn(&Text, &str) -> Outcome<Ran>) -> Outcome {
    let length = sample_or_all(SHORT.0, SHORT.1);
    let (short, long) = (pattern.text(length), pattern.text(4 * length));
    let (mut least_short, mut least_long) = (Duration::MAX, Duration::MAX);
    let least = |text: &str, least: Duration| -> Outcome<Duration> {
        let ran = run(case, text)?;
        ran.expect_any_code()?;
        Ok(ran.computing.min(least))
    };
    for _ in 0..TRIES {
        least_long = least(&long, least_long)?;
        // At most that long is linear whatever the shorter text takes, which then is not tried.
        if least_long > NOISE * MOST {
            least_short = least(&short, least_short)?;
        }
        if least_long <= NOISE * MOST || least_long <= least_short.saturating_mul(MOST) {
            return Ok(());
        }
    }
    Err(format!("{least_short:?} for a quarter of what takes {least_long:?}").into())
}
