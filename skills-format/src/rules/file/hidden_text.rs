use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::text::span::Span;
use crate::view::skill::SkillView;
use unicode_script::{Script, UnicodeScript as _};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::HiddenText,
    level: Level::Deny,
    group: Group::File,
    summary: "`SKILL.md` holds no characters that a person cannot see and a model can",
    why: "A model reads characters that a reviewer does not see: zero-width characters, \
          characters that turn the direction of text, Unicode tags that spell whole sentences, \
          invisible letters, control characters that a terminal obeys. Joiners in emoji and in \
          scripts that need them are part of the text and are allowed.",
    bad: Example::Skill(with_body!("List every merged\u{200B} change.\n")),
    marks: "\u{200B}",
    good: Example::Skill(with_body!(
        "List every merged change, \u{1F469}\u{200D}\u{1F4BB} included.\n"
    )),
    fix: FixKind::No,
    check: Check::Skill(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    let text = view.text();
    // No early exit, so that many bytes are looked at in one step.
    let is_plain = |is_plain: bool, byte: &u8| is_plain & is_plain_byte(*byte);
    if text.as_bytes().iter().fold(true, is_plain) {
        return Vec::new();
    }
    let told_otherwise = broken_front_matter(view);
    let mut runs: Vec<Run> = Vec::new();
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, next)| *next);
        let is_told = is_control(c) && told_otherwise.start <= at && at < told_otherwise.end;
        if is_hidden(c) && !belongs(c, before, after) && !is_told && (at > 0 || c != '\u{FEFF}') {
            let end = at + c.len_utf8();
            match runs.last_mut() {
                Some(run) if run.span.end == at || run.is_closed_by(c, text, at) => {
                    run.span.end = end;
                    run.count += 1;
                }
                _ => runs.push(Run {
                    span: Span::new(at, end),
                    first: c,
                    count: 1,
                }),
            }
        } else if !is_mark(c) {
            before = Some(c);
        }
    }
    runs.iter().map(|run| told(view, run)).collect()
}

fn told(view: &SkillView<'_>, run: &Run) -> Diagnostic {
    let more = match run.count {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    let (kind, code) = (kind(run.first), u32::from(run.first));
    view.at(run.span, format!("{kind} U+{code:04X}{more}"))
        .help("remove it")
}

/// Whether a byte is one of ASCII's printable ones, a tab or an end of line.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "with no branches many bytes are looked at in one step"
)]
fn is_plain_byte(byte: u8) -> bool {
    (0x20..0x7F).contains(&byte) | (byte == b'\n') | (byte == b'\r') | (byte == b'\t')
}

/// The front matter where it does not parse: `yaml-syntax` reports its control characters.
fn broken_front_matter(view: &SkillView<'_>) -> Span {
    let is_broken = matches!(view.skill.file.front_matter, Some(Err(_)));
    let yaml = view.document().filter(|_| is_broken);
    yaml.map_or(Span::at(0), |document| document.yaml)
}

/// Hidden characters side by side, or a turn of direction up to its end.
struct Run {
    span: Span,
    first: char,
    count: usize,
}

impl Run {
    /// Whether `c` at `at` ends on the same line the turn of direction that this run begins.
    fn is_closed_by(&self, c: char, text: &str, at: usize) -> bool {
        let between = text.get(self.span.end..at).unwrap_or_default();
        matches!(c, '\u{202C}' | '\u{2069}')
            && matches!(self.first, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2068}')
            && !between.contains('\n')
    }
}

fn is_hidden(c: char) -> bool {
    is_control(c)
        || is_filler(c)
        || matches!(c,
        '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206F}'
        | '\u{061C}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}')
}

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}

/// A letter or a sign that is invisible.
fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{115F}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}'
    )
}

fn kind(c: char) -> &'static str {
    match c {
        c if is_control(c) => "hidden: the control character",
        c if is_filler(c) => "hidden: the invisible letter",
        '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{206F}'
        | '\u{061C}' => "a character that turns the direction of text,",
        '\u{E0000}'..='\u{E007F}' => "hidden: the Unicode tag",
        _ => "hidden: the zero-width character",
    }
}

/// What only changes how the character before it looks.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// Whether a hidden character does its work between these two.
fn belongs(c: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(before) = before else {
        return false;
    };
    match c {
        '\u{200D}' => is_emoji(before) && after.is_some_and(is_emoji) || joins(before),
        '\u{200C}' => joins(before),
        // Where lines may break in scripts without spaces.
        '\u{200B}' => is_unspaced(before) && after.is_some_and(is_unspaced),
        '\u{200E}' | '\u{200F}' | '\u{061C}' => {
            is_right_to_left(before) || after.is_some_and(is_right_to_left)
        }
        // Syllables written letter by letter, pictures made of Braille.
        '\u{115F}' | '\u{1160}' => is_jamo(before) || after.is_some_and(is_jamo),
        '\u{2800}' => is_braille(before) || after.is_some_and(is_braille),
        // The flags of England, Scotland and Wales are a black flag and tags.
        '\u{E0020}'..='\u{E007F}' => before == '\u{1F3F4}',
        _ => false,
    }
}

fn is_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}') && !is_filler(c)
}

fn is_braille(c: char) -> bool {
    matches!(c, '\u{2801}'..='\u{28FF}')
}

fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{1F000}'..='\u{1FAFF}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{27BF}'
        | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}')
}

fn joins(c: char) -> bool {
    matches!(
        c.script(),
        Script::Arabic
            | Script::Syriac
            | Script::Mongolian
            | Script::Devanagari
            | Script::Bengali
            | Script::Gurmukhi
            | Script::Gujarati
            | Script::Oriya
            | Script::Tamil
            | Script::Telugu
            | Script::Kannada
            | Script::Malayalam
            | Script::Sinhala
            | Script::Khmer
            | Script::Myanmar
            | Script::Tibetan
            | Script::Inherited
    )
}

fn is_unspaced(c: char) -> bool {
    matches!(
        c.script(),
        Script::Thai | Script::Lao | Script::Khmer | Script::Myanmar | Script::Tibetan
    )
}

fn is_right_to_left(c: char) -> bool {
    matches!(
        c.script(),
        Script::Arabic | Script::Hebrew | Script::Syriac | Script::Thaana | Script::Nko
    )
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::told_of;

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
        for body in ["a\tb\r\nc", "\u{2801}\u{2800}\u{2802}", "\u{115F}\u{1161}"] {
            assert!(told(body).is_empty(), "{body:?}");
        }
    }
}
