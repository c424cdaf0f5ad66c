//! Tests fixes of files that are made of lines with usual mistakes.

use proptest::prelude::*;
use skills_format::{Diagnostic, FileKind, SkillFile, Tree, TreeFile};
use skills_lint::{Config, FixLevel, Level, apply, check, fix, rules};

const FIELDS: &[&str] = &[
    "name: release-notes",
    "name: My Skill",
    "name: Release_Notes",
    "name:",
    "name: \"\"",
    "name: yes",
    "name:release-notes",
    "description: Writes notes. Use when a version is published.",
    "description: Use when: a version is published",
    "description: \"never closed",
    "description: \"Say \"hello\" first\"",
    "description: one\n  Two: three\n\n  four",
    "description: 'it's here'",
    "description: \"a:\n- b\n\nc\"",
    "description: {NAME}'s own # text",
    "description: Does it # text",
    "description: Use it: now. # text",
    "description: Does it.\n  disable-model-invocation: true",
    "description: &d Does it",
    "short: *d",
    "  license: MIT",
    "description: > text",
    "description:\n  Use when: x",
    "license: MIT",
    "licence: MIT",
    "user_invocable: true",
    "allowed-tools: Read, Write",
    "allowed-tools:\n  - Read\n  - \"*\"\n  - Bash(git log:*)",
    "allowed-tools:\n- Read # why\n- Write",
    "metadata:\n\tk: v\n\tl: w",
    "metadata:\n  version: 1.10\n  date: 2026-01-02\n  yes: on",
    "metadata: {\"a\": [\"b\", \"c\"]",
    "metadata: {\"a\": \"\\q\", b: @c}",
    "metadata:\n  a: 1\n   b: 2",
    "metadata:\n  a: x: y\n b: *z",
    "argument-hint: [file] [mode]",
    "glob: *.rs",
    "bold: **b** c: d",
    "at: @x",
    "tick: `x`",
    "percent: %x",
    "escape: \"\\[x\"",
    "version: 1.10",
    "<<<<<<< HEAD",
    "loose text",
    "- item",
    "  deep: x",
    "# comment",
    "",
    "key: 'a' b \"c\"",
    "key: \u{1}x",
];

const BODY: &[&str] = &[
    "Read [a](references/sytle.md).",
    "Read [b](references/Style.md) and ![c](<references/a c.md>).",
    "Run `scripts\\run.py`, see `scripts/run.pi`.",
    "[d](style.md) [e][e]\n\n[e]: run.py 'x'",
    "[f](../other/x.md) costs $1.",
    "Text.",
    "",
];

fn file() -> impl Strategy<Value = String> {
    (
        prop::sample::select(&["", "\u{FEFF}", "\n", "<!-- note -->\n"][..]),
        prop::sample::select(&["---\n", "---  \n"][..]),
        prop::collection::vec(prop::sample::select(FIELDS), 0..6),
        prop::sample::select(&["---\n", "...\n", "--- \n", "--- # end\n"][..]),
        prop::collection::vec(prop::sample::select(BODY), 0..4),
        any::<bool>(),
    )
        .prop_map(|(before, open, fields, close, body, cr)| {
            let fields: String = fields.iter().flat_map(|field| [*field, "\n"]).collect();
            let text = format!("{before}{open}{fields}{close}\n{}\n", body.join("\n"));
            if cr { text.replace('\n', "\r\n") } else { text }
        })
}

/// Generates front matter with quoted values over several lines.
fn quotes() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "description: \"",
        "description:  '",
        "\"description\":\t\"",
        "k: ",
        "metadata:\n",
        "  k: \"",
        "  l:\n",
        "  - '",
        "\n",
        "\n",
        "\n  ",
        "\n    ",
        "\"",
        "\"\n",
        "'",
        "''",
        "'\n",
        "a",
        " b",
        "# c",
        " # d",
        "key: e",
        "\\n",
        "\\d",
        "\\\"",
        "license: MIT\n",
        "\t",
        ": ",
        "*x",
        "> f",
        "\"g\" h",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 1..14)
        .prop_map(|pieces| format!("---\n{}\n---\n\nText.\n", pieces.concat()))
}

fn tree(text: &str) -> Tree {
    let files = [
        ("release-notes/SKILL.md", text),
        ("release-notes/references/a b.md", "# A\n"),
        ("release-notes/references/style.md", "# Style\n"),
        ("release-notes/scripts/run.py", "print()\n"),
    ];
    let files = files.map(|(path, text)| TreeFile {
        path: path.to_owned(),
        utf8: true,
        kind: FileKind::Regular,
        size: text.len() as u64,
        bytes: Some(text.as_bytes().to_vec()),
    });
    Tree {
        files: files.to_vec(),
        faults: Vec::new(),
    }
}

/// Returns a configuration in which every rule is reported.
fn config() -> Config {
    let mut config = Config::default();
    for rule in rules::RULES {
        if rule.level == Level::Allow {
            config.set(rule.id.as_str(), Level::Warn).expect("a rule");
        }
    }
    config
}

fn found_in(tree: &Tree) -> Vec<Diagnostic> {
    check("skills", tree, &config()).diagnostics
}

fn findings(text: &str) -> Vec<Diagnostic> {
    found_in(&tree(text))
}

fn text_of(tree: &Tree) -> String {
    let bytes = tree
        .get("release-notes/SKILL.md")
        .and_then(|f| f.bytes.clone());
    String::from_utf8(bytes.unwrap_or_default()).expect("UTF-8")
}

/// Keys whose values fixes write, with values.
const FIXED: &[(&str, &[&str])] = &[
    (
        "name",
        &[
            "Release_Notes",
            "release",
            "release-notes",
            "cafe\u{301}",
            "~",
            " ",
        ],
    ),
    (
        "description",
        &[
            "Writes notes. Use when a version is published",
            "[Writes, notes]",
        ],
    ),
    (
        "user-invocable",
        &["yes", "no", "off", "FALSE", "maybe", "~"],
    ),
    (
        "disable-model-invocation",
        &["yes", "on", "1", "false", "maybe", "~"],
    ),
    ("disable_model_invocation", &["yes", "true"]),
    ("user_invocable", &["no"]),
    (
        "argument-hint",
        &["[file]", "5", "true", "{a: b}", "[a, [b]]", "file"],
    ),
    (
        "allowed-tools",
        &["Read", "Read, Write", "[Read, Bash(git log:*)]"],
    ),
    ("disallowed-tools", &["Write", "Write, Edit"]),
    ("license", &["MIT", "1.10", "2026-01-02", "on"]),
    ("when-to-use", &["On Mondays."]),
    ("allow_implicit_invocation", &["false", "no"]),
];

/// Writes a value in one of the styles of YAML.
fn styled(value: &str, style: usize, end: &str) -> String {
    let lines = |indent: &str| value.replace('\n', &format!("\n{indent}"));
    match style {
        0 => format!(" {value}{end}"),
        1 => format!(" '{}'{end}", value.replace('\'', "''")),
        2 => format!(" \"{value}\"{end}"),
        3 => format!(" |{end}\n  {}", lines("  ")),
        4 => format!(" |-{end}\n    {}", lines("    ")),
        5 => format!(" >-{end}\n  {}", lines("  ")),
        6 => format!(" |2-{end}\n   {}", lines("  ")),
        7 => format!(" >+{end}\n\n  {}\n", lines("  ")),
        8 => format!("{end}\n  {}", lines("  ")),
        9 => format!("{end}\n  - {value}"),
        10 => format!("{end}\n- |\n  {value}"),
        11 => format!("{end}\n  - |-\n    {value}"),
        12 => format!(" !!str {value}{end}"),
        13 => format!(" &a {value}{end}"),
        14 => format!(" [{value}]{end}"),
        _ => format!(" {{a: {value}}}{end}"),
    }
}

/// Generates front matter in which values that fixes write have every style, at every place.
fn styles() -> impl Strategy<Value = String> {
    let field = (
        prop::sample::select(FIXED),
        any::<prop::sample::Index>(),
        0..16_usize,
        prop::sample::select(&["", "", " ", " # note"][..]),
    );
    let field = field.prop_map(|((key, values), index, style, end)| {
        format!(
            "{key}:{}\n",
            styled(values[index.index(values.len())], style, end)
        )
    });
    let below = prop::sample::select(
        &[
            "",
            "metadata:\n  a: 1\n",
            "metadata: {a: b}\n",
            "# note\n",
            "\n",
        ][..],
    );
    (
        prop::collection::btree_map(0..FIXED.len(), field, 1..4),
        below,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(fields, below, is_first, has_name)| {
            let fields: String = fields.into_values().collect();
            let (before, after) = if is_first { (below, "") } else { ("", below) };
            let name = if has_name {
                "name: release-notes\ndescription: Writes notes. Use when asked.\n"
            } else {
                ""
            };
            format!("---\n{before}{name}{fields}{after}---\n\nText.\n\n---\n\nMore.\n")
        })
}

/// A field that is indented below a value is in its own line after all safe fixes: never a part of the text above.
#[test]
fn safe_fixes_leave_indented_fields() {
    for above in [
        "description: Does it. Use when asked.",
        "description: Use when: asked.",
        "description: \"Does it.\"",
        "description: 'Does it.' Now.",
        "description: \"Does it.",
        "description: [a] b",
        "description: *x y",
        "description: @x",
        "description: > x",
        "description:\n  Does it.",
        "license: MIT",
        "allowed-tools:\n  - Read",
        "metadata:\n  k: v",
    ] {
        for key in [
            "disable-model-invocation",
            "user_invocable",
            "paths",
            "allowed-tools",
            "version",
            "x-other",
        ] {
            for spaces in [" ", "   ", "      "] {
                let line = format!("\n{spaces}{key}: true\n");
                let text = format!("---\nname: release-notes\n{above}{line}---\n\nText.\n");
                let mut tree = tree(&text);
                fix("skills", &mut tree, FixLevel::Safe, &found_in);
                assert!(
                    text_of(&tree).contains(&line),
                    "{text}\n-->\n{}",
                    text_of(&tree)
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    /// However a value is written, a fix loses no other field, no restraint and no part of the body.
    #[test]
    fn fixes_keep_the_rest_of_the_file(text in styles(), all in any::<bool>()) {
        let read = |text: &str| {
            let file = SkillFile::read("SKILL.md", "release-notes", text.as_bytes());
            let body = file.document.as_ref().and_then(|document| {
                let document = document.as_ref().ok()?;
                Some(document.body.of(text).to_owned())
            });
            let parsed = file.front_matter.as_ref().and_then(|node| node.as_ref().ok());
            let keys = parsed.map(|node| node.entries().iter().filter(|(_, value)| !value.is_null()).count());
            let closed = file.closed_by();
            let for_model = closed.iter().any(|one| one.is_for_model());
            let for_person = closed.iter().any(|one| !one.is_for_model());
            (body, keys, for_model, for_person)
        };
        let fixes = if all { FixLevel::All } else { FixLevel::Safe };
        let mut tree = tree(&text);
        fix("skills", &mut tree, fixes, &found_in);
        let new = text_of(&tree);
        let (before, after) = (read(&text), read(&new));
        prop_assert_eq!(&before.0, &after.0, "{}\n-->\n{}", text, new);
        prop_assert!(before.1 <= after.1, "{}\n-->\n{}", text, new);
        prop_assert!(before.2 <= after.2 && before.3 <= after.3, "{}\n-->\n{}", text, new);
    }

    #[test]
    fn twice_is_once(text in file(), all in any::<bool>()) {
        let fixes = if all { FixLevel::All } else { FixLevel::Safe };
        let mut tree = tree(&text);
        fix("skills", &mut tree, fixes, &found_in);
        let once = text_of(&tree);
        let again = fix("skills", &mut tree, fixes, &found_in);
        prop_assert_eq!(again.applied, 0, "{}\n-->\n{}", text, once);
        prop_assert_eq!(text_of(&tree), once);
    }

    #[test]
    fn a_fix_silences_what_it_mends(text in file()) {
        let before = findings(&text);
        for finding in before.iter().filter(|finding| finding.fix.is_some()) {
            let fixed = apply(&text, std::slice::from_ref(finding), FixLevel::All);
            prop_assert_eq!(fixed.applied, 1);
            let count = |findings: &[Diagnostic]| {
                findings.iter().filter(|other| other.rule == finding.rule).count()
            };
            let after = findings(&fixed.text);
            prop_assert!(
                count(&after) < count(&before),
                "{finding}\n{text}\n-->\n{}\n{after:#?}", fixed.text
            );
        }
    }

    /// After a safe fix, the text is read as before.
    #[test]
    fn safe_fixes_keep_the_meaning(text in file()) {
        let mut tree = tree(&text);
        fix("skills", &mut tree, FixLevel::Safe, &found_in);
        let fixed = text_of(&tree);
        let read = |text: &str| {
            let file = SkillFile::read("SKILL.md", "release-notes", text.as_bytes());
            let (skill, _) = file.lenient();
            skill.map(|mut skill| {
                // Only front matter that parses approves tool calls, and the fix makes it parse.
                skill.fields.may_approve = false;
                // A comment before the front matter is moved into the body.
                let slashes = |text: &str| text.replace('\\', "/").replace("<!-- note -->", "");
                let slashes = |text: &str| slashes(text).trim_start().to_owned();
                (skill.name, slashes(&skill.description), skill.fields, slashes(&skill.body))
            })
        };
        prop_assert_eq!(read(&text), read(&fixed), "{}\n-->\n{}", text, fixed);
    }

    /// A safe fix removes no comment.
    #[test]
    fn safe_fixes_keep_comments(text in file()) {
        let mut tree = tree(&text);
        fix("skills", &mut tree, FixLevel::Safe, &found_in);
        let fixed = text_of(&tree);
        for comment in ["<!-- note -->", "# comment", "# end", "# why"] {
            let is_kept = fixed.matches(comment).count() >= text.matches(comment).count();
            prop_assert!(is_kept, "{}\n-->\n{}", text, fixed);
        }
    }

    /// If a less strict reader reads the text, a safe fix of the syntax does not change the values that it reads.
    #[test]
    fn safe_fixes_keep_what_others_read(text in quotes()) {
        let told = findings(&text).into_iter().filter(|finding| finding.rule.as_str() == "yaml-syntax");
        let told: Vec<Diagnostic> = told.collect();
        let fixed = apply(&text, &told, FixLevel::Safe).text;
        let read = |text: &str| {
            let document = skills_format::Document::split(text).ok()?;
            serde_yaml::from_str::<serde_yaml::Value>(document.yaml.of(text)).ok()
        };
        if let Some(before) = read(&text) {
            prop_assert_eq!(Some(before), read(&fixed), "{}\n-->\n{}", text, fixed);
        }
    }

    #[test]
    fn nothing_panics(text in "(---\n)?([a-z:'\"\\[\\]{}*&@ \t\n\\\\#|>-]|name: |\u{FEFF}|é|`|\\(|\\$1|---\n){0,80}") {
        let found = findings(&text);
        prop_assert!(found.iter().all(|finding| finding.start <= finding.end));
        let file = SkillFile::read("SKILL.md", "x", text.as_bytes());
        let (skill, told) = file.lenient();
        prop_assert!(skill.is_some() || !told.is_empty());
    }
}
