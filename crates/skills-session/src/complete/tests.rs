use super::*;
use crate::fixture::{Fixture, Sources, described, one_turn, skills};
use crate::options::Options;
use crate::resolve::Effect;
use proptest::prelude::*;

fn fixture() -> Fixture {
    Sources::new()
        .untrusted("project", &[("code-theirs", "", "")])
        .source(
            "user",
            &[
                ("aleph", "", ""),
                ("code-hidden", "user-invocable: false", ""),
                ("code-review", "", ""),
                ("test-driven-development", "", ""),
                ("übersicht", "", ""),
            ],
        )
        .source("low", &[("code-review", "", ""), ("code-search", "", "")])
        .disabled(&["aleph"])
        .load()
}

/// Completes at `|`. Returns the replaced text and the candidates.
fn completed(fixture: &Fixture, profile: &Options, text: &str) -> Option<(String, String)> {
    let cursor = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    let completion = Completer::new(&fixture.catalog, profile.clone()).complete(&text, cursor)?;
    let candidates = completion.candidates.iter().map(|candidate| {
        let mut shown = candidate.text.clone();
        if !candidate.enabled {
            shown.push('*');
        }
        shown
    });
    let candidates: Vec<String> = candidates.collect();
    Some((
        completion.replace.of(&text).to_owned(),
        candidates.join(" "),
    ))
}

#[test]
fn typed_arguments() {
    let fixture = skills(&[("deploy", "arguments: [environment, count]", "")]);
    let folder = fixture.dir.path().join("user/deploy");
    let schema = r#"{"type": "object", "properties": {
        "environment": {"enum": ["staging", "production", "two words"]},
        "count": {"type": "integer"}, "dry-run": {"type": "boolean"}}}"#;
    std::fs::write(folder.join("arguments.schema.json"), schema).unwrap();
    for (text, expected) in [
        (
            "/deploy |",
            Some((
                "",
                "staging production 'two words' --environment= --count= --dry-run",
            )),
        ),
        ("$deploy pro|", Some(("pro", "production"))),
        (
            "/deploy --|",
            Some(("--", "--environment= --count= --dry-run")),
        ),
        ("/deploy --dr|x y", Some(("--drx", "--dry-run"))),
        (
            "/deploy staging --environment=x -|",
            Some(("-", "--count= --dry-run")),
        ),
        ("/deploy --environment st|", Some(("st", "staging"))),
        (
            "/deploy environment=s|",
            Some(("environment=s", "environment=staging")),
        ),
        (
            "/deploy --dry-run=|",
            Some(("--dry-run=", "--dry-run=true --dry-run=false")),
        ),
        ("/deploy --count |", Some(("", ""))),
        (
            "$deploy --dry-run staging --co|",
            Some(("--co", "--count=")),
        ),
        ("/deploy --count 3 st|", Some(("st", "staging"))),
        ("/deploy count=3 x |", Some(("", "--dry-run"))),
        ("/deploy staging 3 --dry_run --|", Some(("--", ""))),
        ("please $deploy st|", None),
        ("/nosuch st|", None),
    ] {
        let found = completed(&fixture, &Options::DEFAULT, text);
        let found = found.as_ref().map(|(typed, found)| (&**typed, &**found));
        if text.ends_with(" -|") {
            assert!(
                found.is_some_and(|(_, found)| !found.contains("environment")),
                "{found:?}"
            );
            continue;
        }
        assert_eq!(found, expected, "{text}");
    }
}

/// What is offered can be sent as it is offered.
#[test]
fn values_that_look_like_something_else() {
    let fixture = skills(&[("pick", "arguments: [level, mode]", "")]);
    let folder = fixture.dir.path().join("user/pick");
    let schema = r#"{"type": "object", "properties": {
        "level": {"enum": ["very high", "low", "--"]},
        "mode": {"enum": ["--release", "-O2", "mode=x", "x"]}}}"#;
    std::fs::write(folder.join("arguments.schema.json"), schema).unwrap();
    for (text, typed, expected) in [
        ("/pick v|", "v", "'very high'"),
        ("/pick \"ve|", "\"ve", "'very high'"),
        ("/pick 'very h|", "'very h", "'very high'"),
        ("/pick level='very h|", "level='very h", "level='very high'"),
        ("/pick --level ve|", "ve", "'very high'"),
        ("/pick |", "", "'very high' low --level=-- --level= --mode="),
        (
            "/pick 'very high' |",
            "",
            "--mode=--release --mode=-O2 --mode=mode=x x --mode=",
        ),
        ("/pick low --mode |", "", "-O2 mode=x x"),
    ] {
        let found = completed(&fixture, &Options::DEFAULT, text);
        let found = found.as_ref().map(|(typed, found)| (&**typed, &**found));
        assert_eq!(found, Some((typed, expected)), "{text}");
    }
}

#[test]
fn mentions() {
    let fixture = fixture();
    for (text, expected) in [
        (
            "$|",
            Some((
                "$",
                "$aleph* $code-review $code-search $test-driven-development $übersicht",
            )),
        ),
        ("use $co|", Some(("$co", "$code-review $code-search"))),
        ("$Code-s|", Some(("$Code-s", "$code-search"))),
        ("$re|", Some(("$re", "$code-review"))),
        ("$al|", Some(("$al", "$aleph*"))),
        ("$tdd|", Some(("$tdd", "$test-driven-development"))),
        ("$code-reveiw|", Some(("$code-reveiw", "$code-review"))),
        ("$ü|", Some(("$ü", "$übersicht"))),
        ("$zzz|", Some(("$zzz", ""))),
        (
            "$co|de-revi: the parser",
            Some(("$code-revi", "$code-review $code-search")),
        ),
        (
            "$|é",
            Some((
                "$é",
                "$aleph* $code-review $code-search $test-driven-development $übersicht",
            )),
        ),
        ("请用$co|检查", Some(("$co", "$code-review $code-search"))),
        (
            "$low:|",
            Some(("$low:", "$low:code-review $low:code-search")),
        ),
        ("$low:rev|", Some(("$low:rev", "$low:code-review"))),
        ("$lo:|", Some(("$lo:", ""))),
        ("`$co|`", None),
        ("```\n$co|", None),
        ("\\$co|", None),
        ("a$co|", None),
        ("$co| (x)", Some(("$co", "$code-review $code-search"))),
        ("$co|(x)", None),
        ("$code x|", None),
        ("x|", None),
        ("$a:b:c|", None),
    ] {
        let expected =
            expected.map(|(replace, candidates)| (replace.to_owned(), candidates.to_owned()));
        assert_eq!(
            completed(&fixture, &Options::DEFAULT, text),
            expected,
            "{text}"
        );
    }
    assert_eq!(completed(&fixture, &described(), "$co|"), None);
}

#[test]
fn commands() {
    let fixture = fixture();
    let default = |text| completed(&fixture, &Options::DEFAULT, text);
    let some = |replace: &str, candidates: &str| Some((replace.to_owned(), candidates.to_owned()));
    assert_eq!(default("/co|"), some("/co", "/code-review /code-search"));
    assert_eq!(
        default("/co|de x"),
        some("/code", "/code-review /code-search")
    );
    assert_eq!(default("/al|"), some("/al", "/aleph*"));
    assert_eq!(default("/code x|"), None);
    assert_eq!(default("x /co|"), None);
    assert_eq!(default("/code-review $al|"), some("$al", "$aleph*"));
    assert_eq!(default("/compact $al|"), None);
    assert_eq!(default("/usr/bin $al|"), some("$al", "$aleph*"));
    assert_eq!(completed(&fixture, &one_turn(), "/co|"), some("/co", ""));
}

#[test]
fn what_a_candidate_says() {
    let fixture = skills(&[("lint", "description: Lints.\nargument-hint: x", "")]);
    let completion = Completer::new(&fixture.catalog, Options::DEFAULT)
        .complete("/l", 2)
        .unwrap();
    let candidate = &completion.candidates[0];
    assert_eq!(
        (&*candidate.skill, &*candidate.description),
        ("lint", "Lints.")
    );
    assert_eq!(candidate.kind, Some(NearKind::Prefix));
}

proptest! {
    #[test]
    fn every_candidate_can_be_put_in_place(text in "([ax ]|\\$|co|re|-|:|/|`|é){0,8}", at in 0_usize..12) {
        thread_local!(static COMPLETER: (Fixture, Completer) = {
            let fixture = fixture();
            let completer = Completer::new(&fixture.catalog, Options::DEFAULT);
            (fixture, completer)
        });
        COMPLETER.with(|(fixture, completer)| {
            let Some(completion) = completer.complete(&text, at) else { return };
            let (before, after) = (&text[..completion.replace.start], &text[completion.replace.end..]);
            assert!(completion.replace.start < at && at <= completion.replace.end);
            for candidate in completion.candidates.iter().filter(|candidate| candidate.enabled) {
                let done = format!("{before}{}{after}", candidate.text);
                let resolution = Options::DEFAULT.resolve(&fixture.catalog, &done, skills_runtime::Surface::User);
                let found = match &resolution.effect {
                    Effect::Command | Effect::Dispatch(_) => resolution.activated().contains(&&*candidate.skill),
                    _ => resolution.mentions.iter().any(|mention| {
                        mention.span.start == completion.replace.start
                            && matches!(&mention.outcome, skills_runtime::Outcome::Found { skill, .. } if *skill == candidate.skill)
                    }),
                };
                assert!(found, "{done}: {resolution:?}");
            }
        });
    }
}
