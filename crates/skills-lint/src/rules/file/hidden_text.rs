use crate::rules::example::{Example, with_body};
use crate::rules::file::escapes;
use crate::rules::file::runs::{Run, characters, runs};
use crate::rules::rule::{Check, FixKind, Group, Level, MAX_FINDINGS, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::target::{Reference, Target};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};
use skills_format::skill::known_fields::{disguised, looks_like};
use skills_format::text::appearance::hides;
use skills_format::text::appearance::is_control;
use skills_format::text::span::Span;
use skills_format::tree::TreeFile;
use skills_format::yaml::node::Node;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::HiddenText,
    level: Level::Deny,
    group: Group::File,
    summary: "no file of the skill holds characters that a person cannot see and a model can",
    why: "A model reads characters that a reviewer does not see: zero-width characters, \
          characters that turn the direction of text, Unicode tags that spell whole sentences, \
          invisible letters, control characters that a terminal obeys. YAML escapes of these \
          characters count, and so do keys that look like a known field and are another key. \
          Joiners in emoji and in \
          scripts that need them are part of the text and are allowed. In a file that no model reads \
          with the skill, and for one zero-width character on a line of its own or before a fence, \
          the finding is a warning.",
    bad: Example::Skill(with_body!("List every merged\u{200B} change.\n")),
    marks: "\u{200B}",
    good: Example::Skill(with_body!(
        "List every merged change, \u{1F469}\u{200D}\u{1F4BB} included.\n"
    )),
    fix: FixKind::Unsafe,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    if view.is_readable() {
        found.extend(of_skill_file(view));
    }
    let others = view.skill.files.iter();
    let others = others.filter(|file| view.relative(&file.path) != Some("SKILL.md"));
    found.extend(others.flat_map(|file| of_other_file(view, file)));
    found
}

/// Returns whether a model reads a file with the skill: a Markdown file that the `SKILL.md` names, or another text that it
/// links.
fn is_read(view: &SkillView<'_>, path: &str) -> bool {
    const TEXTS: [&str; 4] = ["md", "mdx", "markdown", "txt"];
    let links = |(_, target): &(Reference, Target<'_>)| match target {
        Target::File(file) => Some(file.as_str()) == view.relative(path),
        _ => false,
    };
    let is_text = path
        .rsplit_once('.')
        .is_some_and(|(_, end)| TEXTS.contains(&end));
    view.pages().iter().any(|page| page.file.path == path)
        || is_text && view.targets().iter().any(links)
}

/// Returns whether a run is one zero-width character or one mark of direction, on a line of its own or before a fence.
/// Editors and converters leave such characters, authors write them to show a fence, and one character spells nothing.
fn is_leftover(text: &str, run: &Run) -> bool {
    const SINGLE: [&str; 7] = [
        "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{200F}", "\u{2060}", "\u{FEFF}",
    ];
    let blank = [' ', '\t', '\r'];
    // A text can hold a million runs on one line: only blanks are read again for each of them.
    let before = || {
        text.get(..run.span.start)
            .map(|it| it.trim_end_matches(blank))
    };
    let after = || {
        text.get(run.span.end..)
            .map(|it| it.trim_start_matches(blank))
    };
    let ends = |rest: &str| ["\n", "```", "~~~"].iter().any(|end| rest.starts_with(end));
    SINGLE.contains(&run.span.of(text))
        && before().is_some_and(|it| it.is_empty() || it.ends_with('\n'))
        && after().is_some_and(|it| it.is_empty() || ends(it))
}

fn of_skill_file(view: &SkillView<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = lone_returns(view).into_iter().collect();
    let keys = disguised_keys(view);
    found.extend(keys.iter().map(|(key, field)| {
        view.at(RULE.id, *key, looks_like(field))
            .help(format!("write `{field}`"))
            .fix(Fix::guess(vec![Edit::replace(*key, *field)]))
    }));
    let is_told = |span: &Span| {
        keys.iter()
            .any(|(key, _)| key.start <= span.start && span.end <= key.end)
    };
    let runs = written(view).into_iter().chain(escaped(view));
    let runs = runs.filter(|run| !is_told(&run.span));
    found.extend(runs.map(|run| {
        if let Some((span, meant)) = run.garbled(view.text()) {
            let edit = Edit::replace(span, meant.to_string());
            let finding = view.at(RULE.id, span, GARBLED);
            return garbled(finding, meant).fix(Fix::guess(vec![edit]));
        }
        let fix = run.pieces.iter().map(|piece| Edit::replace(*piece, ""));
        let finding = view.at(RULE.id, run.span, run.message());
        let finding = finding.help("remove it").fix(Fix::guess(fix.collect()));
        finding.at_most(severity(view.text(), &run))
    }));
    found
}

const GARBLED: &str = "the text is garbled: it was encoded as UTF-8 twice";

/// Returns the finding about a character that was encoded twice, with the character in its help.
fn garbled(finding: Finding, meant: char) -> Finding {
    finding
        .help(format!("write `{meant}`"))
        .at_most(Severity::Warning)
}

fn severity(text: &str, run: &Run) -> Severity {
    if is_leftover(text, run) {
        Severity::Warning
    } else {
        Severity::Error
    }
}

/// Finds the hidden characters that stand in the `SKILL.md` unescaped.
fn written(view: &SkillView<'_>) -> Vec<Run> {
    let text = view.text();
    if is_plain(text.as_bytes()) {
        return Vec::new();
    }
    let told_otherwise = broken_front_matter(view);
    let is_counted = |at: Span, c: char| {
        let is_told = told_otherwise.start <= at.start && at.start < told_otherwise.end;
        hides(c) && !(is_control(c) && is_told)
    };
    runs(text, characters(text), is_counted)
}

/// Finds the hidden characters in YAML escapes.
fn escaped(view: &SkillView<'_>) -> Vec<Run> {
    let text = view.text();
    let Some(fields) = view.fields() else {
        return Vec::new();
    };
    let scalars = escapes::scalars(text, fields);
    let scalars = scalars.into_iter().filter(|span| view.is_sound(*span));
    scalars
        .flat_map(|span| {
            let is_counted = |at: Span, c: char| {
                let is_escape = at.of(text).starts_with('\\');
                let ends_line = text
                    .get(at.end..)
                    .is_some_and(|rest| rest.starts_with("\\n"));
                is_escape && (hides(c) || c == '\r' && !ends_line)
            };
            runs(text, escapes::read(text, span), is_counted)
        })
        .collect()
}

/// Reports carriage returns without a line feed. YAML ends a line there, most editors show nothing, and a terminal
/// writes the rest of the line over its beginning.
fn lone_returns(view: &SkillView<'_>) -> Option<Finding> {
    let places = returns(view.text());
    let finding = view.at(RULE.id, *places.first()?, message_of_returns(&places));
    let finding = finding.help(HELP_FOR_RETURNS);
    let edits = places.into_iter().map(|place| Edit::replace(place, "\n"));
    Some(finding.fix(Fix::guess(edits.collect())))
}

const HELP_FOR_RETURNS: &str = "remove it, or write a line feed";

fn returns(text: &str) -> Vec<Span> {
    memchr::memchr_iter(b'\r', text.as_bytes())
        .filter(|at| text.as_bytes().get(at + 1) != Some(&b'\n'))
        .map(|at| Span::new(at, at + 1))
        .collect()
}

fn message_of_returns(places: &[Span]) -> String {
    let message = "hidden: a carriage return with no line feed";
    match places.len() {
        1 => message.to_owned(),
        count => format!("{message}, and {} more", count - 1),
    }
}

/// Returns the disguised keys, each with the known field that it looks like.
fn disguised_keys(view: &SkillView<'_>) -> Vec<(Span, &'static str)> {
    let entries = view.fields().map(Node::entries).unwrap_or_default();
    let keys = entries.iter().map(|(key, _)| key);
    keys.filter(|key| view.is_sound(key.span))
        .filter_map(|key| Some((key.span, disguised(key.as_str()?)?)))
        .collect()
}

/// Reports the hidden characters of a file beside the `SKILL.md`, if the file is UTF-8. A file with NUL is most likely
/// binary, so its control characters do not count. Its other hidden characters count.
fn of_other_file(view: &SkillView<'_>, file: &TreeFile) -> Vec<Finding> {
    let bytes = file.bytes.as_deref().unwrap_or_default();
    let has_returns = memchr::memchr(b'\r', bytes).is_some();
    if is_plain(bytes) && !has_returns {
        return Vec::new();
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Vec::new();
    };
    let is_binary = memchr::memchr(0, bytes).is_some();
    let places = if has_returns && !is_binary {
        returns(text)
    } else {
        Vec::new()
    };
    // A form feed separates pages of source code.
    let is_allowed = |c: char| c == '\u{0C}' || is_binary && is_control(c);
    let is_counted = |_: Span, c: char| hides(c) && !is_allowed(c);
    let runs = runs(text, characters(text), is_counted);
    let is_read = !(runs.is_empty() && places.is_empty()) && is_read(view, &file.path);
    let most = |severity| if is_read { severity } else { Severity::Warning };
    let of_returns = places.first().map(|first| {
        Finding::new(RULE.id, &file.path, message_of_returns(&places))
            .at(*first)
            .help(HELP_FOR_RETURNS)
            .at_most(most(Severity::Error))
    });
    let finding = |run: &Run| {
        if let Some((span, meant)) = run.garbled(text) {
            return garbled(Finding::new(RULE.id, &file.path, GARBLED).at(span), meant);
        }
        let finding = Finding::new(RULE.id, &file.path, run.message()).at(run.span);
        let most = most(severity(text, run));
        finding.help("remove it").at_most(most)
    };
    let of_runs = runs.iter().take(MAX_FINDINGS + 1).map(finding);
    of_returns.into_iter().chain(of_runs).collect()
}

fn is_plain(text: &[u8]) -> bool {
    // Without an early exit, the compiler tests many bytes in one step. Most texts have no tab and no carriage
    // return, so the simpler test comes first.
    let most = |is_plain: bool, byte: &u8| is_plain & is_printable_or_line_feed(*byte);
    let all = |is_plain: bool, byte: &u8| is_plain & is_plain_byte(*byte);
    text.iter().fold(true, most) || text.iter().fold(true, all)
}

#[expect(
    clippy::needless_bitwise_bool,
    reason = "with no branches many bytes are looked at in one step"
)]
fn is_printable_or_line_feed(byte: u8) -> bool {
    ((byte.cast_signed() > 0x1F) & (byte != 0x7F)) | (byte == b'\n')
}

/// Returns whether a byte is printable ASCII, a tab, a line feed or a carriage return.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "with no branches many bytes are looked at in one step"
)]
fn is_plain_byte(byte: u8) -> bool {
    (byte.wrapping_sub(0x20) < 0x5F) | (byte == b'\n') | (byte == b'\r') | (byte == b'\t')
}

/// Returns the front matter if it does not parse: then `yaml-syntax` reports its control characters.
fn broken_front_matter(view: &SkillView<'_>) -> Span {
    let is_broken = matches!(view.skill.file.front_matter, Some(Err(_)));
    let yaml = view.document().filter(|_| is_broken);
    yaml.map_or(Span::at(0), |document| document.yaml)
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::{told_of, tree};
    use crate::{Scope, check_bundle};
    use skills_check::Config;
    use skills_format::Diagnostic;
    use skills_format::diagnostic::Severity;
    use skills_format::diagnostic::rule_id::RuleId;

    fn told(body: &str) -> Vec<String> {
        let text = format!("---\nname: x\ndescription: Use when y.\n---\n\n{body}\n");
        told_of("hidden-text", &[("x/SKILL.md", &text)])
    }

    #[test]
    fn controls_and_fillers() {
        for (body, message) in [
            ("a\0b", "hidden: the control character U+0000"),
            ("\u{1B}[31mred", "hidden: the control character U+001B"),
            (
                "a\u{8}\u{8}",
                "hidden: the control character U+0008 and 1 more",
            ),
            ("a\u{7F}", "hidden: the control character U+007F"),
            ("a\u{9B}31m", "hidden: the control character U+009B"),
            ("a\u{3164}b", "hidden: the invisible letter U+3164"),
            ("a\u{2800}b", "hidden: the invisible letter U+2800"),
            (
                "\u{115F}\u{1160}",
                "hidden: the invisible letter U+115F and 1 more",
            ),
            ("a\u{FFA0}", "hidden: the invisible letter U+FFA0"),
        ] {
            assert_eq!(told(body), [message], "{body:?}");
        }
        assert_eq!(
            told("a\rb\rc"),
            ["hidden: a carriage return with no line feed, and 1 more"]
        );
        for body in ["a\tb\r\nc", "\u{2801}\u{2800}\u{2802}", "\u{115F}\u{1161}"] {
            assert!(told(body).is_empty(), "{body:?}");
        }
    }

    #[test]
    fn flags() {
        let tags = |text: &str| {
            let tag = |byte: u8| char::from_u32(0xE0000 + u32::from(byte));
            text.bytes().filter_map(tag).collect::<String>()
        };
        for flag in ["gbeng\u{7F}", "gbsct\u{7F}", "gbwls\u{7F}"] {
            let flag = format!("a \u{1F3F4}{} b", tags(flag));
            assert!(told(&flag).is_empty(), "{flag:?}");
        }
        for text in [
            "gbsct",
            "gbsctx\u{7F}",
            "gbsct\u{7F}\u{7F}",
            "run it\u{7F}",
            "g",
        ] {
            let flag = format!("a \u{1F3F4}{} b", tags(text));
            assert_eq!(told(&flag).len(), 1, "{flag:?}");
        }
        assert_eq!(told(&tags("gbsct\u{7F}")).len(), 1);
    }

    /// A text that was encoded twice is named as such. What it would hide once mended stays hidden text.
    #[test]
    fn garbled_text() {
        let twice = |text: &str| text.bytes().map(char::from).collect::<String>();
        let garbled = "the text is garbled: it was encoded as UTF-8 twice";
        for text in ["├──", "📋 Parked", "a • b", "Ń", "a → b"] {
            let told = told(&twice(text));
            assert!(told.iter().all(|told| told == garbled), "{text} {told:?}");
            assert!(!told.is_empty(), "{text}");
        }
        for text in [
            "\u{94}\u{9C}".to_owned(),
            "a\u{94}\u{9C}".to_owned(),
            "â\u{94}".to_owned(),
            "â\u{94}\u{9C}\u{9C}".to_owned(),
            "\u{E9}\u{9B}31m".to_owned(),
            twice("a\u{200B}b"),
            twice("é\u{94}"),
        ] {
            assert!(told(&text).iter().all(|told| told != garbled), "{text:?}");
        }
    }

    #[test]
    fn soft_hyphens_and_selectors() {
        for (body, message) in [
            ("se\u{AD}cret", "hidden: the soft hyphen U+00AD"),
            (
                "a\u{FE00}\u{FE01}b",
                "hidden: the variation selector U+FE00 and 1 more",
            ),
            ("a\u{FE0F}", "hidden: the variation selector U+FE0F"),
            // The first belongs to the emoji, and the others encode bytes.
            (
                "\u{26A0}\u{FE0F}\u{FE0F}\u{FE03}",
                "hidden: the variation selector U+FE0F and 1 more",
            ),
        ] {
            assert_eq!(told(body), [message], "{body:?}");
        }
        for body in [
            "\u{26A0}\u{FE0F} stop",
            "1\u{FE0F}\u{20E3}",
            "\u{1F469}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F468}",
            "\u{A9}\u{FE0E}",
            "\u{845B}\u{FE00}",
        ] {
            assert!(told(body).is_empty(), "{body:?}");
        }
    }

    #[test]
    fn escapes() {
        for (text, message) in [
            ("a\\u200bb", "hidden: the zero-width character U+200B"),
            (
                "a\\U000E0041\\U000E0042",
                "hidden: the Unicode tag U+E0041 and 1 more",
            ),
            ("a\\x1b[2J", "hidden: the control character U+001B"),
            ("a\\e", "hidden: the control character U+001B"),
            ("a\\rb", "hidden: the control character U+000D"),
            ("\\uFEFFa", "hidden: the zero-width character U+FEFF"),
        ] {
            let fields = format!("license: \"{text}\"");
            assert_eq!(told_of_fields(&fields), [message], "{text:?}");
        }
        for fields in [
            r#"license: "\\u200b""#,
            r"license: '\u200b'",
            r#"license: "\U0001F469\u200D\U0001F4BB""#,
            r#"license: "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F""#,
            r#"license: "a\tb\r\nc""#,
        ] {
            assert!(told_of_fields(fields).is_empty(), "{fields:?}");
        }
    }

    #[test]
    fn keys() {
        let fact = "the key looks like `allowed-tools` and is written with other characters";
        for key in [
            "allowed-tools\u{200B}",
            "allowed\u{2010}tools",
            "\"allowed-tools\\u200b\"",
        ] {
            assert_eq!(told_of_fields(&format!("{key}: Read")), [fact], "{key:?}");
        }
        assert!(told_of_fields("alowed-tools: Read").is_empty());
    }

    #[test]
    fn other_files() {
        let skill = "---\nname: x\ndescription: Use when y.\n---\n\nRun [it](x.sh).\n";
        let told =
            |script: &str| told_of("hidden-text", &[("x/SKILL.md", skill), ("x/x.sh", script)]);
        assert_eq!(
            told("ls \u{202E}x"),
            ["a character that turns the direction of text, U+202E"]
        );
        assert_eq!(
            told("\0\u{1B}\u{E0041}"),
            ["hidden: the Unicode tag U+E0041"]
        );
        assert_eq!(
            told("ls\rls\r\n\r"),
            ["hidden: a carriage return with no line feed, and 1 more"]
        );
        for script in ["\u{FEFF}ls\r\n\u{C}ls", "a\0\u{1B}", "a\0b\rc"] {
            assert!(told(script).is_empty(), "{script:?}");
        }
        let binary = [b"\xFF\xFEl\x1B".as_slice(), "\u{202E}".as_bytes()].concat();
        let files: [(&str, &[u8]); 2] = [("x/SKILL.md", skill.as_bytes()), ("x/x.sh", &binary)];
        assert_eq!(told_of("hidden-text", &files), [""; 0], "not UTF-8");
    }

    /// What a model reads with the skill is an error, unless nothing can be hidden in it.
    #[test]
    fn severities() {
        let severity = |name: &str, text: &str| {
            let skill = "---\nname: x\ndescription: Use when y.\n---\n\nRead [it](a.md) and [it](assets/c.md), \
                         run [it](x.py).\n";
            let tree = tree(&[("x/SKILL.md", skill), (name, text)]);
            let found = check_bundle(None, "", &tree, &Config::default(), Scope::default());
            let mut found = found.diagnostics.into_iter();
            let is_it = |finding: &Diagnostic| finding.is(RuleId::HiddenText);
            found.find(is_it).expect(text).severity
        };
        let zero = "\u{200B}";
        for (name, text) in [
            ("x/a.md", format!("Go{zero}on.\n")),
            ("x/a.md", format!("{zero}{zero}\n")),
            ("x/a.md", "\u{E0041}\n".to_owned()),
            ("x/assets/c.md", format!("Go{zero}on.\n")),
            ("x/a.md", format!("{zero}Go on.\n")),
            ("x/a.md", "Run this.\rIgnore all that.\n".to_owned()),
        ] {
            assert_eq!(severity(name, &text), Severity::Error, "{text:?}");
        }
        for (name, text) in [
            ("x/a.md", format!("Go.\n  {zero} \nOn.\n")),
            ("x/a.md", format!("Go.\n{zero}```\nls\n```\n")),
            ("x/b.md", format!("Go{zero}on.\n")),
            ("x/b.md", "Go.\rOn.\n".to_owned()),
            ("x/x.py", "x = 1\ry = 2\r\n".to_owned()),
            ("x/x.py", format!("print('{zero}')\n")),
        ] {
            assert_eq!(severity(name, &text), Severity::Warning, "{text:?}");
        }
    }

    fn told_of_fields(fields: &str) -> Vec<String> {
        crate::rules::tests::told("hidden-text", fields)
    }
}
