//! Checks the properties of every text, catalog, limit and surface.

use crate::support::{BUNDLED, Disk};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use skills_format::neutralize;
use skills_format::text::path::PathText as _;
use skills_runtime::{Catalog, CatalogBuilder, Outcome, Resolution, Skill, Surface};
use skills_session::Dialect as _;
use skills_session::options::Options;
use skills_session::resolve::Effect;
use std::fmt::Write as _;

const NAMES: [&str; 8] = [
    "code-review",
    "deploy-safely",
    "review",
    "3d-model",
    "été",
    "plan",
    "plan-b",
    "检查",
];
const DISABLED: [&str; 5] = [
    "review",
    "alpha:review",
    "plan",
    "user:plan",
    "beta:code-review",
];
const SOURCES: [&str; 6] = ["project", "user", "alpha", "beta", "bundled", "none"];

/// A skill of a source, with the fields of its front matter.
#[derive(Clone, Debug)]
struct Made {
    source: &'static str,
    name: &'static str,
    more: Vec<&'static str>,
    alias: Option<&'static str>,
}

fn skill() -> impl Strategy<Value = Made> {
    let more = select(vec![
        "user-invocable: false",
        "disable-model-invocation: true",
        "allowed-tools: Read",
        "",
        "",
    ]);
    let alias = proptest::option::weighted(0.3, select(&["review", "ship", "plan", "看"][..]));
    (
        select(&SOURCES[..4]),
        select(&NAMES[..]),
        vec(more, 1..2),
        alias,
    )
        .prop_map(|(source, name, more, alias)| Made {
            source,
            name,
            more,
            alias,
        })
}

fn text() -> impl Strategy<Value = String> {
    let id = (
        proptest::option::of(select(&SOURCES[..])),
        select(&NAMES[..]),
    )
        .prop_map(|(source, name)| match source {
            Some(source) => format!("${source}:{name}"),
            None => format!("${name}"),
        });
    let link = (select(&SOURCES[..]), select(&NAMES[..]))
        .prop_map(|(source, name)| format!("[$x](skill://{source}/{name})"));
    let odd = select(vec![
        "$ship",
        "$看",
        "$cod",
        "$coed-review",
        "$REVIEW",
        "$5",
        "$e\u{301}te\u{301}",
        "$alpha:*",
        "\\",
        "`",
        "```\n",
        "> ",
        "<!-- ",
        " -->",
        "\n",
        "\n\n    ",
        "!x ",
        "/plan ",
        "/skill ",
        "请",
        "\u{200b}",
        "\u{202e}",
        "**",
        "_",
        "(",
        ")",
        "\r\n",
        "$",
        "\u{a0}",
    ])
    .prop_map(str::to_owned);
    let piece = prop_oneof![
        4 => id,
        1 => link,
        3 => odd,
        3 => select(vec![" ", ", ", ": ", " x ", ",", ":", "."]).prop_map(str::to_owned),
        1 => ".{0,4}",
    ];
    vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn limit() -> impl Strategy<Value = usize> {
    select(vec![0_usize, 1, 2, 8])
}

/// Returns the ids of the skills that start.
fn activated(resolution: &Resolution<'_>) -> Vec<String> {
    let skills = resolution.skills.iter();
    skills.map(|skill| skill.id().into_owned()).collect()
}

fn surface() -> impl Strategy<Value = Surface> {
    select(vec![Surface::User, Surface::Model])
}

fn disabled() -> impl Strategy<Value = Vec<String>> {
    vec(select(&DISABLED[..]).prop_map(str::to_owned), 0..3)
}

/// Loads an untrusted project above the user, two plugins of one rank, and a bundle.
fn catalog(skills: &[Made], disabled: &[String], namespaced: bool) -> Catalog {
    let disk = Disk::new();
    for skill in skills {
        let dir = match skill.source {
            plugin @ ("alpha" | "beta") => format!("plugins/{plugin}/skills"),
            source => source.to_owned(),
        };
        let mut text = format!("---\nname: {}\ndescription: Does it.\n", skill.name);
        for line in &skill.more {
            let _ = writeln!(text, "{line}");
        }
        if let Some(alias) = skill.alias {
            let _ = writeln!(text, "metadata:\n  aliases: {alias}");
        }
        disk.write(
            &format!("{dir}/{}/SKILL.md", skill.name),
            text + "---\nDo.\n",
        );
    }
    let mut builder = Catalog::builder()
        .untrusted("project", disk.path("project"))
        .directory("user", disk.path("user"))
        .plugins(disk.path("plugins"));
    if namespaced {
        builder = builder.namespaced();
    }
    builder
        .bundle("bundled", &BUNDLED)
        .disabled(disabled)
        .facts("", |_| false, |_| false)
        .load()
}

/// Returns whether a typed id is exactly the id of this skill.
fn has_exactly(entry: &Skill<'_>, id: &str) -> bool {
    let id: String = unicode(id);
    let bare = match id.split_once(':') {
        Some((source, bare)) if source == entry.source() => bare,
        Some(_) => return false,
        None => &id,
    };
    bare == entry.name() || entry.fields().aliases.iter().any(|alias| **alias == *bare)
}

/// Normalizes the few texts in these tests that are not in normal form.
fn unicode(id: &str) -> String {
    id.replace("e\u{301}", "é")
}

fn check<'c>(catalog: &'c Catalog, text: &str, surface: Surface, limit: usize) -> Resolution<'c> {
    let resolution = catalog.mentions(text, surface, limit);
    let mut end = 0;
    for mention in &resolution.mentions {
        assert!(
            mention.span.start >= end,
            "in order, not overlapping: {text:?}"
        );
        end = mention.span.end;
    }

    let started = activated(&resolution);
    assert!(started.len() <= limit);
    for (at, skill) in started.iter().enumerate() {
        assert!(!started[..at].contains(skill), "{skill} once: {text:?}");
        let entry = catalog.iter().find(|entry| {
            *skill == entry.to_string() || catalog.find(skill, surface).ok() == Some(*entry)
        });
        let entry = entry.expect("the id finds it");
        assert!(entry.is_trusted() && entry.is_enabled() && entry.missing().is_empty());
        assert!(match surface {
            Surface::Model => !entry.fields().disable_model_invocation,
            _ => entry.fields().user_invocable,
        });
        let exactly = resolution.mentions.iter().any(|mention| {
            let is_found =
                matches!(&mention.outcome, Outcome::Found { skill: id, .. } if id == skill);
            let is_link = text
                .get(..mention.span.start)
                .is_some_and(|before| before.ends_with('['));
            is_found && (is_link || has_exactly(&entry, &text[mention.span.range()][1..]))
        });
        assert!(exactly, "{skill} is not guessed: {text:?}");
    }

    let task = text.len() - resolution.task.len();
    assert!(
        text.ends_with(&resolution.task),
        "the task is the end of {text:?}"
    );
    let mut taken = text[..task].to_owned();
    for mention in resolution
        .mentions
        .iter()
        .filter(|mention| mention.span.start < task)
    {
        assert!(
            matches!(mention.outcome, Outcome::Found { .. }) && mention.leads,
            "{text:?}"
        );
        taken = taken.replacen(&text[mention.span.range()], "", 1);
    }
    // A link keeps the text around its label.
    if !text.contains("](") {
        let is_taken = |c: char| c.is_whitespace() || matches!(c, ',' | ':');
        assert!(taken.chars().all(is_taken), "{taken:?} is lost of {text:?}");
    }
    if started.is_empty() {
        assert_eq!(resolution.task, text);
    }
    for (skill, id) in resolution.skills.iter().zip(&started) {
        let leads = resolution.mentions.iter().any(|mention| {
            mention.leads && matches!(&mention.outcome, Outcome::Found { skill, .. } if skill == id)
        });
        let arguments = if leads { &*resolution.task } else { "" };
        assert_eq!(resolution.arguments(skill), arguments, "{id}: {text:?}");
    }
    resolution
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_is_guessed_and_nothing_is_lost(
        skills in vec(skill(), 0..14),
        disabled in disabled(),
        namespaced in any::<bool>(),
        texts in vec((text(), surface(), limit()), 1..24),
    ) {
        let catalog = catalog(&skills, &disabled, namespaced);
        for (text, surface, limit) in texts {
            check(&catalog, &text, surface, limit);
            let quoted = neutralize(&text);
            let resolution = catalog.mentions(&quoted, surface, limit);
            prop_assert!(resolution.skills.is_empty(), "{:?}", quoted);
            prop_assert!(
                resolution.mentions.iter().all(|mention| mention.outcome == Outcome::Text { is_reserved: false }),
                "{:?}", quoted
            );
            let turn = Options::DEFAULT.resolve(&catalog, &quoted, surface);
            prop_assert_eq!(turn.effect, Effect::Plain, "{:?}", quoted);
        }
    }

    #[test]
    fn any_text(text in "(?s).{0,60}", surface in surface(), limit in limit()) {
        thread_local!(static CATALOG: Catalog = catalog(
            &NAMES.map(|name| Made { source: "user", name, more: Vec::new(), alias: None }), &[], false,
        ));
        CATALOG.with(|catalog| {
            check(catalog, &text, surface, limit);
            let quoted = neutralize(&text);
            assert!(catalog.mentions(&quoted, surface, limit).skills.is_empty(), "{quoted:?}");
        });
    }

    /// Checks that the order in which plugins are found changes nothing, because plugins have one rank.
    #[test]
    fn order_of_equals_does_not_count(
        skills in vec(skill(), 0..14).prop_map(|mut skills| {
            // Two skills with one source and name are one file, and the order of writing would decide
            // which text it has.
            skills.sort_by_key(|skill| (skill.source, skill.name));
            skills.dedup_by_key(|skill| (skill.source, skill.name));
            skills
        }),
        disabled in disabled(),
        namespaced in any::<bool>(),
        texts in vec((text(), surface(), limit()), 1..12),
    ) {
        let first = catalog(&skills, &disabled, namespaced);
        let backwards: Vec<Made> = skills.iter().rev().cloned().collect();
        let second = catalog(&backwards, &disabled, namespaced);
        for (text, surface, limit) in texts {
            let first = first.mentions(&text, surface, limit);
            let second = second.mentions(&text, surface, limit);
            prop_assert_eq!(activated(&first), activated(&second));
            prop_assert_eq!((first.mentions, first.notices, first.task), (second.mentions, second.notices, second.task));
        }
    }
}

#[test]
fn a_later_mention_takes_no_arguments_away() {
    let catalog = Catalog::builder().bundle("bundled", &BUNDLED).load();
    let text = "$code-review the parser, and use $code-review again for the lexer";
    let resolution = check(&catalog, text, Surface::User, 8);
    assert_eq!(
        resolution.arguments(&resolution.skills[0]),
        "the parser, and use $code-review again for the lexer"
    );
}

#[test]
fn a_link_to_a_file_names_its_skill() {
    let disk = Disk::new();
    let dir = disk.skill("my skills/review");
    let catalog = Catalog::builder()
        .directory("user", disk.path("my skills"))
        .load();
    let path = dir.join("SKILL.md").shown().into_owned();
    let escaped = path.replace(' ', "%20");
    let outcome = |address: &str| {
        let text = format!("[$x]({address})");
        let resolution = catalog.mentions(&text, Surface::User, 8);
        resolution
            .mentions
            .first()
            .map(|mention| mention.outcome.to_string())
    };
    for (address, expected) in [
        (format!("<{path}>"), Some("found")),
        (escaped.clone(), Some("found")),
        (format!("file://{escaped}"), Some("found")),
        (format!("<file://{path}>"), Some("found")),
        (format!("{escaped}x"), None),
        (escaped.replace("review", "other"), Some("unknown")),
        (escaped.replace("/SKILL.md", "/x/SKILL.md"), Some("unknown")),
        (escaped.replace("/SKILL.md", ""), None),
    ] {
        assert_eq!(outcome(&address).as_deref(), expected, "{address}");
    }
}

/// Checks ids that differ only in normal form, and names that contain other names.
#[test]
fn names_are_compared_in_normal_form_and_whole() {
    let disk = Disk::new();
    for name in ["\u{e9}t\u{e9}", "plan", "plan-b", "plan-b-again"] {
        disk.skill(&format!("skills/{name}"));
    }
    let catalog = Catalog::builder()
        .directory("user", disk.path("skills"))
        .load();
    for (text, expected) in [
        ("$\u{e9}t\u{e9}", "\u{e9}t\u{e9}"),
        ("$e\u{301}te\u{301}", "\u{e9}t\u{e9}"),
        ("$user:e\u{301}t\u{e9}", "\u{e9}t\u{e9}"),
        ("$plan", "plan"),
        ("$plan-b", "plan-b"),
        ("$plan-b-", "plan-b"),
        ("\u{200f}x $plan-b-again\u{200f}", "plan-b-again"),
        ("x $plan\u{200d}", "plan"),
        ("x\u{200b}$plan", ""),
        ("x $\u{200b}plan", ""),
        ("x $pl\u{ad}an", ""),
    ] {
        let resolution = catalog.mentions(text, Surface::User, 8);
        assert_eq!(activated(&resolution).concat(), expected, "{text:?}");
    }
}

/// Checks the cases that tables of texts cannot set up: a sealed skill, plugins above a person's own
/// skills, and an alias of two skills of one source.
#[test]
fn who_answers() {
    let disk = Disk::new();
    disk.skill("user/deploy-safely");
    disk.skill("plugins/alpha/skills/review");
    for (dir, aliases) in [
        ("user/review", "look"),
        ("user/first", "one"),
        ("user/second", "one"),
    ] {
        let name = dir.rsplit('/').next().unwrap_or_default();
        let text = format!(
            "---\nname: {name}\ndescription: Does it.\nmetadata:\n  aliases: {aliases}\n---\nDo.\n"
        );
        disk.write(&format!("{dir}/SKILL.md"), text);
    }
    let plugins = || Catalog::builder().plugins(disk.path("plugins"));
    let told = |text: &str, builder: CatalogBuilder| {
        let catalog = builder
            .directory("user", disk.path("user"))
            .bundle("bundled", &BUNDLED)
            .load();
        let resolution = catalog.mentions(text, Surface::User, 8);
        resolution
            .notices
            .iter()
            .map(ToString::to_string)
            .collect::<String>()
    };
    for (text, merged, namespaces) in [
        (
            "$deploy-safely",
            "Using skill: deploy-safely",
            "Using skill: deploy-safely",
        ),
        (
            "$user:deploy-safely",
            "Using skill: user:deploy-safely",
            "Using skill: user:deploy-safely",
        ),
        ("$review", "Using skill: review", "Using skill: review"),
        (
            "$alpha:review",
            "Using skill: review",
            "Using skill: alpha:review",
        ),
        (
            "$user:review",
            "Using skill: user:review",
            "Using skill: review",
        ),
        ("$look", "No skill named 'look'.", "Using skill: review"),
        (
            "$user:look",
            "Using skill: user:review",
            "Using skill: review",
        ),
        (
            "$one",
            "$one matched 2 skills: first, second — use $first.",
            "$one matched 2 skills: first, second — use $first.",
        ),
        (
            "$user:one",
            "$user:one matched 2 skills: first, second — use $first.",
            "$user:one matched 2 skills: first, second — use $first.",
        ),
    ] {
        assert_eq!(told(text, plugins()), merged, "{text}");
        assert_eq!(told(text, plugins().namespaced()), namespaces, "{text}");
    }
}

/// Skills that may not start, and ids that are near skills: what a person and a model are told.
#[test]
#[expect(clippy::too_many_lines, reason = "one table of cases")]
fn each_meaning_has_its_notice() {
    let disk = Disk::new();
    let write = |path: &str, fields: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let text = format!("---\nname: {name}\ndescription: Does it.\n{fields}---\nDo.\n");
        disk.write(&format!("{path}/SKILL.md"), text);
    };
    for (path, fields) in [
        ("user/review", ""),
        ("user/plan-first", ""),
        ("user/plan-second", ""),
        ("user/stopped", ""),
        ("user/42", ""),
        ("user/hidden", "user-invocable: false\n"),
        ("user/manual", "disable-model-invocation: true\n"),
        (
            "user/needy",
            "metadata:\n  openclaw:\n    requires:\n      bins: [no-such-program]\n",
        ),
        ("project/deploy", ""),
    ] {
        write(path, fields);
    }
    let catalog = Catalog::builder()
        .directory("user", disk.path("user"))
        .untrusted("project", disk.path("project"))
        .disabled(["stopped"])
        .facts("linux", |_| false, |_| false)
        .load();
    let read = |text: &str, surface| {
        let resolution = catalog.mentions(text, surface, 2);
        let outcomes = resolution.mentions.iter();
        let json = outcomes
            .clone()
            .map(|it| serde_json::to_string(&it.outcome));
        let json = json
            .map(|json| json.expect("an outcome"))
            .collect::<Vec<_>>();
        let outcomes: Vec<_> = outcomes.map(|it| it.outcome.to_string()).collect();
        let notices = resolution.notices.iter().map(ToString::to_string);
        let notices: Vec<_> = notices.collect();
        let told = [outcomes.join(" "), notices.join(" "), resolution.task];
        (told.join(" | "), json.join(" "))
    };
    // The outcomes, the notices and the task; the model's, if they differ from the person's.
    for (text, person, model) in [
        (
            "$review: the parser",
            "found | Using skill: review | the parser",
            "",
        ),
        (
            "$review, $plan-first go",
            "found found | Using skill: review Using skill: plan-first | go",
            "",
        ),
        (
            "$review,x go",
            "found | Using skill: review | $review,x go",
            "",
        ),
        (
            "a $review go",
            "found | Using skill: review | a $review go",
            "",
        ),
        (
            "$review $plan-first $plan-second $hidden $plan-second",
            "found found too-many not-invocable too-many | Using skill: review Using skill: plan-first Skill 'hidden' cannot be started with $. It runs only when the model selects it. Only 2 skills can be named in one message; ignored: $plan-second. | $plan-second $hidden $plan-second",
            "found found too-many too-many too-many | Using skill: review Using skill: plan-first Only 2 skills can be named in one message; ignored: $plan-second, $hidden. | $plan-second $hidden $plan-second",
        ),
        (
            "$stopped $user:stopped",
            "disabled disabled | Skill 'stopped' is disabled. | $stopped $user:stopped",
            "",
        ),
        (
            "$deploy it",
            "untrusted | Skill 'deploy' is not trusted. | $deploy it",
            "",
        ),
        (
            "$hidden it",
            "not-invocable | Skill 'hidden' cannot be started with $. It runs only when the model selects it. | $hidden it",
            "found | Using skill: hidden | it",
        ),
        (
            "$manual it",
            "found | Using skill: manual | it",
            "not-invocable | Skill 'manual' can only be started by the user. | $manual it",
        ),
        (
            "$needy it",
            "ineligible | Skill 'needy' needs: no-such-program. | $needy it",
            "",
        ),
        ("\\$review it", "escaped |  | \\$review it", ""),
        ("$user:* it", "reserved |  | $user:* it", ""),
        (
            "$reviw it",
            "suggestion | No exact skill 'reviw'. Did you mean $review? | $reviw it",
            "",
        ),
        (
            "say $reviw and $reviw",
            "suggestion suggestion | No exact skill 'reviw'. Did you mean $review? | say $reviw and $reviw",
            "",
        ),
        ("say $revi", "suggestion |  | say $revi", ""),
        ("say $nope", "unknown |  | say $nope", ""),
        (
            "$nope $nope",
            "unknown unknown | No skill named 'nope'. | $nope $nope",
            "unknown unknown |  | $nope $nope",
        ),
        ("$NOPE it", " |  | $NOPE it", ""),
        (
            "$plan it",
            "ambiguous | $plan matched 2 skills: plan-first, plan-second — use $plan-first. | $plan it",
            "",
        ),
        ("say $plan", "ambiguous |  | say $plan", ""),
        (
            "say $hiden and $stoped",
            "unknown unknown |  | say $hiden and $stoped",
            "suggestion unknown | No exact skill 'hiden'. Did you mean $hidden? | say $hiden and $stoped",
        ),
        (
            "[$x](skill://user/review) go",
            "found | Using skill: review | go",
            "",
        ),
        (
            "[$x](skill://user/nope) go",
            "unknown | No skill named 'user:nope'. | [$x](skill://user/nope) go",
            "unknown |  | [$x](skill://user/nope) go",
        ),
        (
            "[$review](https://x.org) go",
            " |  | [$review](https://x.org) go",
            "",
        ),
        (
            "$revi it",
            "suggestion | No exact skill 'revi'. Did you mean $review? | $revi it",
            "",
        ),
        (
            "/review $plan-first",
            " |  | /review $plan-first",
            "found | Using skill: plan-first | /review $plan-first",
        ),
        ("$42 it", " |  | $42 it", ""),
        ("$777-9 it", " |  | $777-9 it", ""),
        ("$3D it", " |  | $3D it", ""),
        ("[$review](skill:x) go", " |  | [$review](skill:x) go", ""),
        (
            "[$review](skill://) go",
            "unknown | No skill named 'skill://'. | [$review](skill://) go",
            "unknown |  | [$review](skill://) go",
        ),
        ("[$review](app://x) go", " |  | [$review](app://x) go", ""),
        (
            "[$review](plugin://x) go",
            " |  | [$review](plugin://x) go",
            "",
        ),
        (
            "[$x](/nope/nope/SKILL.md) go",
            "unknown | No skill named '/nope/nope/SKILL.md'. | [$x](/nope/nope/SKILL.md) go",
            "unknown |  | [$x](/nope/nope/SKILL.md) go",
        ),
        ("say $plan-f", "suggestion |  | say $plan-f", ""),
        (
            ", $review go",
            "found | Using skill: review | , $review go",
            "",
        ),
        (
            "$user:reviw it",
            "unknown | No skill named 'user:reviw'. | $user:reviw it",
            "unknown |  | $user:reviw it",
        ),
        (
            "$plan-first: $nope $review",
            "found unknown found | Using skill: plan-first No skill named 'nope'. Using skill: review | $nope $review",
            "found unknown found | Using skill: plan-first Using skill: review | $nope $review",
        ),
        ("$A:B it", " |  | $A:B it", ""),
    ] {
        assert_eq!(read(text, Surface::User).0, person, "{text}");
        let model = if model.is_empty() { person } else { model };
        assert_eq!(read(text, Surface::Model).0, model, "{text}");
    }
    for (text, json) in [
        (
            "$review",
            r#"{"outcome":"found","skill":"review","source":"user"}"#,
        ),
        (
            "$reviw",
            r#"{"outcome":"suggestion","suggestion":"review","kind":"distance"}"#,
        ),
        (
            "$plan",
            r#"{"outcome":"ambiguous","candidates":["plan-first","plan-second"],"use":"plan-first","kind":"prefix"}"#,
        ),
        ("$deploy", r#"{"outcome":"untrusted","skill":"deploy"}"#),
        (
            "$needy",
            r#"{"outcome":"ineligible","skill":"needy","needs":["no-such-program"]}"#,
        ),
    ] {
        assert_eq!(read(text, Surface::User).1, json, "{text}");
    }
    for (text, task, arguments) in [
        ("/review the parser ", "the parser", "the parser"),
        ("/review", "/review", ""),
        ("/review-all x", "/review-all x", ""),
        ("$review the parser", "the parser", "the parser"),
        ("/stopped x", "/stopped x", ""),
    ] {
        let resolution = catalog.resolve(text);
        assert_eq!(resolution.task, task, "{text}");
        let skill = resolution.skills.first();
        let given = skill.map_or("", |skill| resolution.arguments(skill));
        assert_eq!(given, arguments, "{text}");
    }
    let undecided = Catalog::builder()
        .directory("user", disk.path("user"))
        .undecided("no settings")
        .load();
    let told = undecided.mentions("$review", Surface::User, 2).notices[0].to_string();
    let why = "Not started: skill 'review' counts as disabled: no settings.";
    assert_eq!(told, why);
    let (_, record) = catalog.trust_question("deploy").expect("a question");
    disk.write("project/deploy/new", "");
    let catalog = catalog.with(|builder| builder.trusted([record]));
    let resolution = catalog.mentions("$deploy", Surface::User, 2);
    let json = serde_json::to_string(&resolution.mentions[0].outcome);
    let changed = r#"{"outcome":"untrusted","skill":"deploy","changed":true}"#;
    assert_eq!(json.expect("an outcome"), changed);
    let notice = resolution.notices[0].to_string();
    assert_eq!(notice, "Skill 'deploy' has changed since it was trusted.");
}
