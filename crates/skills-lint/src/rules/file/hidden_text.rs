use crate::rules::body::remote_exec::NEAR;
use crate::rules::example::{Example, with_body};
use crate::rules::file::{escapes, joiners};
use crate::rules::links::file_unused::{extension, is_named};
use crate::rules::rule::{Check, FixKind, Group, Level, MAX_FINDINGS, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix, Severity};
use skills_format::skill::known_fields::disguised;
use skills_format::text::appearance::{hides, is_control, is_filler};
use skills_format::text::lines::line_around;
use skills_format::text::span::Span;
use skills_format::tree::TreeFile;
use skills_format::yaml::node::Node;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::HiddenText,
    level: Level::Deny,
    group: Group::File,
    summary: "no file of the skill contains characters that a person cannot see and a model can",
    why: "A model reads characters that a reviewer does not see: zero-width characters, characters that change the \
          direction of text, Unicode tags that spell whole sentences, invisible letters, control characters that a \
          terminal obeys. YAML escapes of these characters are reported too, and so are keys that only look like a \
          known field. Joiners in emoji, and in scripts that need them, are allowed. In a file that no model reads \
          with the skill, and for one character on a line that says \"zero-width\", the finding is a warning.",
    bad: Example::Skill(with_body!("List every mer\u{200B}ged change.\n")),
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
    for file in view.skill.files {
        if view.relative(&file.path) != Some("SKILL.md") {
            found.extend(of_other_file(view, file));
        }
    }
    found
}

fn of_skill_file(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let mut found = Vec::new();
    let mut keys: Vec<Span> = Vec::new();
    for (key, _) in view.fields().map(Node::entries).unwrap_or_default() {
        let field = key.as_str().and_then(disguised);
        if let Some(field) = field.filter(|_| view.is_sound(key.span)) {
            let finding = view.at(
                RULE.id,
                key.span,
                format!("the key looks like `{field}` and is written with other characters"),
            );
            let fix = Fix::guess(vec![Edit::replace(key.span, field)]);
            found.push(finding.help(format!("write `{field}`")).fix(fix));
            keys.push(key.span);
        }
    }
    // `yaml-syntax` reports the control characters of front matter that does not parse.
    let is_broken = matches!(view.skill.file.front_matter, Some(Err(_)));
    let broken = view
        .document()
        .filter(|_| is_broken)
        .map(|document| document.yaml);
    let is_counted = |at: Span, c: char| {
        let is_reported = broken.is_some_and(|yaml| yaml.start <= at.start && at.start < yaml.end);
        hides(c) && !(is_control(c) && is_reported)
    };
    let mut all = Vec::new();
    if !is_plain(text.as_bytes()) {
        all = runs(text, characters(text), is_counted);
    }
    let scalars = view.fields().map(|fields| escapes::scalars(text, fields));
    for scalar in scalars.unwrap_or_default() {
        if view.is_sound(scalar) {
            let is_escape = |at: Span, c: char| at.of(text).starts_with('\\') && hides(c);
            all.extend(runs(text, escapes::read(text, scalar), is_escape));
        }
    }
    for run in all {
        let is_in = |key: &&Span| key.start <= run.span.start && run.span.end <= key.end;
        if keys.iter().find(is_in).is_none() {
            let fix = run.pieces.iter().map(|piece| Edit::replace(*piece, ""));
            let finding = view.at(RULE.id, run.span, run.message()).help("remove it");
            let finding = finding.fix(Fix::guess(fix.collect()));
            found.push(finding.at_most(run.severity(text)));
        }
    }
    found
}

/// Reports the hidden characters of a file beside the `SKILL.md`, if the file is UTF-8. A file with NUL is most likely
/// binary, so its control characters do not count. Its other hidden characters count.
fn of_other_file(view: &SkillView<'_>, file: &TreeFile) -> Vec<Finding> {
    let bytes = file.bytes.as_deref().unwrap_or_default();
    let (false, Ok(text)) = (is_plain(bytes), std::str::from_utf8(bytes)) else {
        return Vec::new();
    };
    let is_binary = bytes.contains(&0);
    // A form feed separates pages of source code.
    let is_allowed = |c: char| c == '\u{0C}' || is_binary && is_control(c);
    let runs = runs(text, characters(text), |_, c| hides(c) && !is_allowed(c));
    let mut found: Vec<Finding> = Vec::new();
    let most = if !runs.is_empty() && is_read(view, &file.path) {
        Severity::Error
    } else {
        Severity::Warning
    };
    for run in runs.iter().take(MAX_FINDINGS + 1) {
        let finding = Finding::new(RULE.id, &file.path, run.message()).at(run.span);
        found.push(
            finding
                .help("remove it")
                .at_most(most.max(run.severity(text))),
        );
    }
    found
}

/// Returns whether a model reads a file with the skill: a text that another file of the skill names.
fn is_read(view: &SkillView<'_>, path: &str) -> bool {
    let is_text = matches!(extension(path), "md" | "mdx" | "markdown" | "txt");
    is_text && view.relative(path).is_some_and(|path| is_named(view, path))
}

/// Returns whether a text is printable ASCII, tabs and line ends.
fn is_plain(text: &[u8]) -> bool {
    // Without a branch for each byte; few texts have other white space.
    let is_usual = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n');
    let is_one = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    let is_all = |part: &[u8]| {
        part.iter().fold(true, |all, byte| all & is_usual(byte)) || part.iter().all(is_one)
    };
    text.chunks(256).all(is_all)
}

/// Adjacent hidden characters, or a turn of direction up to its end.
struct Run {
    span: Span,
    characters: Vec<char>,
    /// The character directly before.
    before: Option<char>,
    /// Each character at its place.
    pieces: Vec<Span>,
}

impl Run {
    fn message(&self) -> String {
        let more = match self.pieces.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        // A run has a first character.
        let first = self.characters[0];
        format!("{} U+{:04X}{more}", kind(first), u32::from(first))
    }

    /// Returns a warning for a run that spells nothing and parts no word: one variation selector, one zero-width character
    /// that has no letter before or after or whose line speaks of it, one control character that no terminal obeys, and
    /// those of a text that was encoded as UTF-8 twice.
    fn severity(&self, text: &str) -> Severity {
        let after = text[self.span.end..].chars().next();
        let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        let is_harmless = match self.characters[..] {
            ['\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}'] => {
                let line = line_around(text, self.span, NEAR).of(text);
                !(is_letter(self.before) && is_letter(after)) || line.contains("zero-width")
            }
            ['\u{FE00}'..='\u{FE0F}' | '\u{7}' | '\u{1A}'] => true,
            ['\u{1B}'] => after.is_none_or(char::is_whitespace),
            _ => false,
        };
        let of_bytes = |c: &char| {
            matches!(c, '\u{80}'..='\u{9F}') && !matches!(c, '\u{90}' | '\u{9B}' | '\u{9D}')
        };
        let is_garbled = matches!(self.before, Some('\u{C2}'..='\u{F4}'))
            && self.characters.iter().all(of_bytes);
        if is_garbled || is_harmless {
            Severity::Warning
        } else {
            Severity::Error
        }
    }

    /// Returns whether the run hides nothing: one character in code marks, which the text is about, and a zero-width space that
    /// keeps the fence of an example from ending the block around it.
    fn is_shown(&self, text: &str) -> bool {
        let (before, after) = (&text[..self.span.start], &text[self.span.end..]);
        let is_code = before.ends_with('`') && after.starts_with('`');
        let is_fence = (before.is_empty() || before.ends_with('\n'))
            && (after.starts_with("```") || after.starts_with("~~~"));
        match self.characters[..] {
            ['\u{200B}'] => is_code || is_fence,
            [c] => is_code && !is_control(c),
            _ => false,
        }
    }

    /// Returns whether the run is the tags of the flag of England, Scotland or Wales: a black flag, the tags of the letters,
    /// and the tag that ends them. Other tags after a flag can spell a text.
    fn is_flag(&self) -> bool {
        let letter = |tag: char| char::from_u32(u32::from(tag).checked_sub(0xE0000)?);
        let letters: Option<String> = self.characters.iter().copied().map(letter).collect();
        self.before == Some('\u{1F3F4}')
            && matches!(
                letters.as_deref(),
                Some("gbeng\u{7F}" | "gbsct\u{7F}" | "gbwls\u{7F}")
            )
    }

    /// Returns whether `c` at `at` ends the turn of direction of this run, on the same line.
    fn is_closed_by(&self, c: char, text: &str, at: usize) -> bool {
        matches!(c, '\u{202C}' | '\u{2069}')
            && matches!(self.characters[0], '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2068}')
            && !text[self.span.end..at].contains('\n')
    }
}

fn kind(c: char) -> &'static str {
    match c {
        c if c.is_control() => "hidden: the control character",
        c if is_filler(c) => "hidden: the invisible letter",
        '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{206F}'
        | '\u{061C}' => "a character that changes the text direction,",
        '\u{E0000}'..='\u{E007F}' => "hidden: the Unicode tag",
        '\u{AD}' => "hidden: the soft hyphen",
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => "hidden: the variation selector",
        _ => "hidden: the zero-width character",
    }
}

/// Iterates over the characters of a text, each with its place.
fn characters(text: &str) -> impl Iterator<Item = (Span, char)> {
    text.char_indices()
        .map(|(at, c)| (Span::new(at, at + c.len_utf8()), c))
}

/// Collects the hidden characters that are not legitimate at their place. `is_counted` returns whether a
/// character is hidden.
fn runs(
    text: &str,
    characters: impl IntoIterator<Item = (Span, char)>,
    is_counted: impl Fn(Span, char) -> bool,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut before = None;
    // Directly before, marks included.
    let mut last = None;
    let mut characters = characters.into_iter().peekable();
    while let Some((place, c)) = characters.next() {
        let after = characters.peek().map(|(_, next)| *next);
        let is_start = place.start == 0 && c == '\u{FEFF}';
        let works = joiners::belongs(c, before, after) || joiners::selects(c, last);
        if is_counted(place, c) && !works && !is_start {
            match runs.last_mut() {
                Some(run)
                    if run.span.end == place.start || run.is_closed_by(c, text, place.start) =>
                {
                    run.span.end = place.end;
                    run.pieces.push(place);
                    run.characters.push(c);
                }
                _ => runs.push(Run {
                    span: place,
                    characters: vec![c],
                    before: last,
                    pieces: vec![place],
                }),
            }
        } else if !joiners::is_mark(c) {
            before = Some(c);
        }
        last = Some(c);
    }
    runs.retain(|run| !run.is_flag() && !run.is_shown(text));
    runs
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
        for body in ["a\tb\r\nc", "\u{115F}\u{1161}"] {
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
            ["a character that changes the text direction, U+202E"]
        );
        assert_eq!(
            told("\0\u{1B}\u{E0041}"),
            ["hidden: the Unicode tag U+E0041"]
        );
        for script in ["\u{FEFF}ls\r\n\u{C}ls", "a\0\u{1B}", "a\0b\rc"] {
            assert!(told(script).is_empty(), "{script:?}");
        }
        let binary = [b"\xFF\xFEl\x1B".as_slice(), "\u{202E}".as_bytes()].concat();
        let files: [(&str, &[u8]); 2] = [("x/SKILL.md", skill.as_bytes()), ("x/x.sh", &binary)];
        assert_eq!(told_of("hidden-text", &files), [""; 0], "not UTF-8");
    }

    #[test]
    fn a_character_that_the_text_is_about() {
        for body in [
            "A zero-width space (`\u{200B}`), and `\u{FE0F}`.",
            "````md\n\u{200B}```sh\nls\n\u{200B}```\n````",
        ] {
            assert!(told(body).is_empty(), "{body:?}");
        }
        for body in [
            "`\u{200B}\u{200B}`",
            "`\u{1B}`",
            "a\u{200B}```",
            "\u{200B}`a`",
        ] {
            assert_eq!(told(body).len(), 1, "{body:?}");
        }
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
            ("x/a.md", "Go \u{1B}[8mon.\n".to_owned()),
            ("x/a.md", "a\u{8}b\n".to_owned()),
        ] {
            assert_eq!(severity(name, &text), Severity::Error, "{text:?}");
        }
        for (name, text) in [
            ("x/a.md", format!("Go.\n  {zero} \nOn.\n")),
            ("x/a.md", format!("{zero}Go on.\n")),
            ("x/a.md", "OE \u{1B} R/W, E \u{1A} LOW\n".to_owned()),
            ("x/a.md", "## \u{FFFD}\u{FE0F} Go\n".to_owned()),
            ("x/a.md", "named `\u{FEFF}id`\n".to_owned()),
            ("x/a.md", "\u{E2}\u{94}\u{9C}\n".to_owned()),
            ("x/b.md", format!("Go{zero}on.\n")),
            ("x/x.py", format!("print('{zero}')\n")),
        ] {
            assert_eq!(severity(name, &text), Severity::Warning, "{text:?}");
        }
    }

    fn told_of_fields(fields: &str) -> Vec<String> {
        crate::rules::tests::told("hidden-text", fields)
    }
}
