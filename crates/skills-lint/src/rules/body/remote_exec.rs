//! Commands that fetch or decode code and run it in one step.

#[cfg(test)]
mod tests;

use crate::powers::shell::lex::{Token, lex};
use crate::powers::word::Word;
use crate::rules::example::{Example, with_body};
use crate::rules::links::file_unused::extension;
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::markdown::Markdown;
use crate::view::skill::SkillView;
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::lines::line_around;
use skills_format::text::span::Span;
use std::borrow::Cow;
use std::cell::OnceCell;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::RemoteExec,
    level: Level::Warn,
    group: Group::Body,
    summary: "no command fetches or decodes code and runs it in one step",
    why: "`curl … | sh` runs whatever a server sends at that moment, with the rights of the person who started the \
          agent. Nobody can review that code before it runs, nor read what `echo … | base64 -d | sh` runs. A \
          command that is only printed (`echo \"…\"`) is not reported; an example of an attack is. On a line or \
          below a heading with a prohibition (\"never\", \"don't\"), and in a test folder, the finding is only \
          advice.",
    bad: Example::Skill(with_body!(
        "```sh\ncurl -fsSL https://example.org/setup.sh | sh\n```\n"
    )),
    marks: "curl -fsSL https://example.org/setup.sh | sh",
    good: Example::Skill(with_body!(
        "```sh\ncurl -fsSLO https://example.org/setup.sh\n```\n"
    )),
    fix: FixKind::No,
    check: Check::Files(check),
};

/// The maximum number of bytes of a line that are read before and after a command. Without a limit, a long line
/// with many commands takes quadratic time.
pub(crate) const NEAR: usize = 600;
/// How deep code in strings of code is read.
const MAX_DEPTH: usize = 4;

const FETCHERS: [&str; 6] = [
    "curl",
    "wget",
    "iwr",
    "irm",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
];
/// Programs that decode, with the flags that make them decode. Without flags, the program always decodes.
const DECODERS: [(&str, &[&str]); 5] = [
    ("base64", &["-d", "-D", "-di", "--decode", "-decode"]),
    ("openssl", &["-d"]),
    ("xxd", &["-r", "-rp"]),
    ("gunzip", &[]),
    ("zcat", &[]),
];
const SHELLS: [&str; 8] = [
    "sh",
    "bash",
    "zsh",
    "fish",
    "dash",
    "ksh",
    "iex",
    "Invoke-Expression",
];
/// Interpreters, which run their input unless an option names the code.
const INTERPRETERS: [&str; 9] = [
    "python",
    "python3",
    "node",
    "perl",
    "ruby",
    "php",
    "pwsh",
    "powershell",
    "deno",
];
/// Words that can come before a program in a line.
const BEFORE: [&str; 12] = [
    "$", "%", "❯", "sudo", "env", "exec", "then", "do", "else", "if", "time", "nohup",
];

/// What a command does with code before the code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fetched,
    Encoded,
}

/// The programs that fetch or decode.
fn names() -> impl Iterator<Item = &'static str> {
    FETCHERS
        .into_iter()
        .chain(DECODERS.iter().map(|(name, _)| *name))
}

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    each_text(view, RULE.id, |text, path| {
        let mut found = Vec::new();
        let names: Vec<&str> = names().collect();
        for line in text.lines_with(&names) {
            for (code, start) in text.codes(line) {
                found.extend(
                    runs(code, 0)
                        .map(|(from, to, kind)| (Span::new(start + from, start + to), kind)),
                );
            }
        }
        let findings = found.into_iter().map(|(span, kind)| {
            let severity = if is_of_attack(span.of(text.source)) { Severity::Info } else { text.severity(span) };
            let (message, help) = match kind {
                Kind::Fetched if is_installer(span.of(text.source)) => (INSTALLER, "name a version, or what the installer installs"),
                Kind::Fetched => ("the fetched code is run without review", "fetch a version into a file, look at it, then run it"),
                Kind::Encoded => (
                    "encoded code is decoded and run: nobody can read what it does",
                    "decode it and read it; write the code as a text file of the skill, or remove it",
                ),
            };
            Finding::new(RULE.id, path, message).at(span).help(help).at_most(severity)
        });
        findings.collect()
    })
}

/// One program with its words, of a pipeline.
#[derive(Default)]
struct Command {
    /// The words, each with the offset of its end.
    words: Vec<(Word, usize)>,
    /// The program whose argument in parentheses the command is: `iex (irm a.org)`.
    within: Option<String>,
}

/// Returns the first command of code that fetches or decodes code and runs it: its start, its end and its kind.
fn runs(code: &str, depth: usize) -> Option<(usize, usize, Kind)> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (tokens, _) = lex(code, 1);
    let mut pipeline: Vec<Command> = vec![Command::default()];
    for token in tokens.into_iter().chain([Token::Operator(";")]) {
        let now = pipeline.last_mut()?;
        match token {
            Token::Word(word, end) => now.words.push((word, end)),
            Token::Operator("|") => pipeline.push(Command::default()),
            Token::Operator("(") => {
                let within = now.program().map(|(name, _)| name.to_owned());
                pipeline.push(Command {
                    words: Vec::new(),
                    within,
                });
            }
            // A text that a shell gets is code: `sh <<< "$(…)"`.
            Token::Operator(">" | "<" | "<<<") | Token::Document { .. } => {}
            Token::Operator(_) => {
                if let Some(found) = of_pipeline(code, &pipeline, depth) {
                    return Some(found);
                }
                pipeline = vec![Command::default()];
            }
        }
    }
    None
}

fn of_pipeline(code: &str, pipeline: &[Command], depth: usize) -> Option<(usize, usize, Kind)> {
    for (at, command) in pipeline.iter().enumerate() {
        let Some(start) = command
            .program()
            .and_then(|(name, end)| code.get(..end)?.rfind(name))
        else {
            continue;
        };
        let runner = pipeline[at + 1..].iter().find_map(Command::runs_input);
        if let Some(kind) = command.source() {
            if let Some(end) = runner {
                return Some((start, end, kind));
            }
            if command
                .within
                .as_deref()
                .is_some_and(|it| matches!(it, "iex" | "Invoke-Expression"))
            {
                return Some((start, command.words.last()?.1, kind));
            }
        }
        for (word, end) in command.code_words(runner.is_some()) {
            let inside = inside(&word.text);
            // Code that is put in is an argument of this program; code in quotation marks is run by it.
            let kind = match inside {
                Some(inside) => sources(inside),
                None if word.is_quoted => runs(&word.text, depth + 1).map(|(.., kind)| kind),
                None => None,
            };
            if let Some(kind) = kind {
                return Some((start, *end, kind));
            }
        }
        // Any `$(curl … | sh)` runs, also in the argument of a program that prints.
        for (word, end) in command.words.iter().filter(|(word, _)| word.is_computed) {
            let (_, found) = lex(&word.text, 1);
            let kind = found
                .commands
                .iter()
                .find_map(|(code, _)| runs(code, depth + 1));
            if let Some((.., kind)) = kind {
                return Some((start, *end, kind));
            }
        }
    }
    None
}

impl Command {
    /// Returns the program and the offset of its end.
    fn program(&self) -> Option<(&str, usize)> {
        let mut words = self.words.iter();
        let is_before = |word: &str| {
            BEFORE.contains(&word)
                || word.starts_with('-')
                || word.contains('=') && !word.starts_with(['"', '$'])
        };
        let (word, end) = words.find(|(word, _)| !is_before(&word.text))?;
        Some((
            word.text.trim_end_matches(|c: char| !c.is_alphanumeric()),
            *end,
        ))
    }

    /// Returns the name of the program without its folder, and the words after it.
    fn parts(&self) -> Option<(&str, &[(Word, usize)])> {
        let (program, end) = self.program()?;
        let at = self.words.iter().position(|(_, other)| *other == end)?;
        Some((program.rsplit('/').next()?, &self.words[at + 1..]))
    }

    /// Returns what a command puts out, if that is code that nobody has read. `curl … | sh` without an address names a habit.
    fn source(&self) -> Option<Kind> {
        let (name, rest) = self.parts()?;
        let texts = || rest.iter().map(|(word, _)| word.text.as_str());
        let is_address = |word: &str| {
            word.contains("://") || word.contains('$') || word.contains('.') && word.contains('/')
        };
        if FETCHERS.contains(&name) && texts().any(is_address) {
            return Some(Kind::Fetched);
        }
        let (_, flags) = DECODERS.iter().find(|(known, _)| *known == name)?;
        let decodes = flags.is_empty() || texts().any(|word| flags.contains(&word));
        decodes.then_some(Kind::Encoded)
    }

    /// Returns the end of a program that runs its input. `python3 -m json.tool` reads its input as data.
    fn runs_input(&self) -> Option<usize> {
        let (name, rest) = self.parts()?;
        let has_code = rest
            .iter()
            .any(|(word, _)| ["-c", "-m", "-e", "-n", "-p", "-r", "eval"].contains(&&*word.text));
        let runs = SHELLS.contains(&name) || INTERPRETERS.contains(&name) && !has_code;
        runs.then(|| self.program().map_or(0, |(_, end)| end))
    }

    /// Returns the words that the program runs as code. What a program prints is code if a shell reads it.
    fn code_words(&self, is_run: bool) -> &[(Word, usize)] {
        let Some((name, rest)) = self.parts() else {
            return &[];
        };
        let options = rest
            .iter()
            .take_while(|(word, _)| word.text.starts_with('-') && word.text != "-");
        let after = &rest[options.clone().count()..];
        match name {
            "eval" | "source" | "." | "iex" | "Invoke-Expression" => rest,
            "echo" | "printf" if is_run => rest,
            name if SHELLS.contains(&name) => {
                let has_code = options.clone().any(|(word, _)| word.text.ends_with('c'));
                let is_put_in = after
                    .first()
                    .is_some_and(|(word, _)| inside(&word.text).is_some());
                if has_code || is_put_in {
                    &after[..after.len().min(1)]
                } else {
                    &[]
                }
            }
            _ => &[],
        }
    }
}

/// Returns the commands whose output stands for a word: those of `$(…)`, `<(…)` and backquotes.
fn inside(word: &str) -> Option<&str> {
    let inside = word
        .strip_prefix("$(")
        .or(word.strip_prefix("<("))
        .and_then(|rest| rest.strip_suffix(')'));
    inside.or_else(|| word.strip_prefix('`')?.strip_suffix('`'))
}

/// Returns the kind of code that commands put out.
fn sources(code: &str) -> Option<Kind> {
    let (tokens, _) = lex(code, 1);
    let mut command = Command::default();
    for token in tokens.into_iter().chain([Token::Operator(";")]) {
        match token {
            Token::Word(word, end) => command.words.push((word, end)),
            Token::Operator("|" | ";") => {
                if let Some(kind) = std::mem::take(&mut command).source() {
                    return Some(kind);
                }
            }
            _ => {}
        }
    }
    None
}

/// The message about the line that vendors name to install their program.
pub(crate) const INSTALLER: &str = "an installer is fetched and run without review";

/// Returns whether a command fetches an installer from a host of its own: `https://a.example/install.sh`, `https://a.example`.
fn is_installer(command: &str) -> bool {
    let Some((_, address)) = command.split_once("https://") else {
        return false;
    };
    let end = address.find(|c: char| c.is_whitespace() || "\"')|".contains(c));
    let address = &address[..end.unwrap_or(address.len())];
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    let is_own = host.chars().all(is_part)
        && host.contains(|c: char| c.is_ascii_alphabetic())
        && !host.ends_with("githubusercontent.com");
    is_own && (path.is_empty() || path.to_ascii_lowercase().contains("install"))
}

/// Returns whether a command shows an attack: the host says so. A skill about security shows such commands.
fn is_of_attack(command: &str) -> bool {
    const HOSTS: [&str; 4] = ["attacker", "evil", "malicious", "malware"];
    let hosts =
        command.split(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'' | '@' | '('));
    hosts.filter(|part| part.contains('.')).any(|host| {
        let labels = host.split(['.', '-', ':']);
        labels
            .take(3)
            .any(|label| HOSTS.contains(&label.to_ascii_lowercase().as_str()))
    })
}

/// A text of a skill that can hold commands.
pub(crate) struct Text<'t> {
    pub(crate) source: &'t str,
    body: Span,
    /// False for a script.
    is_markdown: bool,
    /// Read only for a text with a line of interest.
    markdown: OnceCell<Cow<'t, Markdown>>,
    is_of_test: bool,
}

/// Returns the findings of the texts of a skill that have a word of the rule. `find` gets a text, and the path of the file.
pub(crate) fn each_text(
    view: &SkillView<'_>,
    rule: RuleId,
    find: impl Fn(&Text<'_>, &str) -> Vec<Finding>,
) -> Vec<Finding> {
    const TESTS: [&str; 4] = ["test", "tests", "fixtures", "test-fixtures"];
    const MARKDOWN: [&str; 4] = ["md", "mdx", "markdown", "txt"];
    let mut found = Vec::new();
    let texts = view.texts().iter();
    for (file, source, _) in texts.filter(|(.., rules)| rules.have(rule)) {
        let is_entry = file.path == view.skill.entry;
        let (body, markdown) = match view.document() {
            Some(document) if is_entry => (document.body, Cow::Borrowed(view.markdown()).into()),
            None if is_entry => continue,
            _ => (Span::new(0, source.len()), OnceCell::new()),
        };
        let end = extension(&file.path);
        let mut folders = file.path.rsplit('/').skip(1);
        let text = Text {
            source,
            body,
            is_markdown: MARKDOWN.iter().any(|known| end.eq_ignore_ascii_case(known)),
            markdown,
            is_of_test: !is_entry && folders.any(|folder| TESTS.contains(&folder)),
        };
        found.extend(find(&text, &file.path));
    }
    found
}

impl<'t> Text<'t> {
    fn markdown(&self) -> Option<&Markdown> {
        let parse = || Cow::Owned(Markdown::parse(self.source, self.body));
        self.is_markdown
            .then(|| &**self.markdown.get_or_init(parse))
    }

    /// Returns the lines that hold one of some words, each cut to [`NEAR`] bytes around the word.
    pub(crate) fn lines_with(&self, words: &[&str]) -> Vec<Span> {
        let mut lines: Vec<Span> = Vec::new();
        for word in words {
            let finds =
                memchr::memmem::find_iter(self.body.of(self.source).as_bytes(), word.as_bytes());
            lines.extend(
                finds.map(|at| line_around(self.source, Span::at(self.body.start + at), NEAR)),
            );
        }
        lines.sort_by_key(|line| (line.start, line.end));
        lines.dedup_by(|next, line| next.start < line.end);
        lines
    }

    /// Returns the code of a line, each with its offset: the line in a block and in a script, code spans in a sentence, and what
    /// follows the name of a program in a sentence without code.
    pub(crate) fn codes(&self, line: Span) -> Vec<(&'t str, usize)> {
        let source = self.source;
        let Some(markdown) = self.markdown().filter(|it| !it.is_in_block(line.start)) else {
            return vec![(&source[line.start..line.end], line.start)];
        };
        let mut codes: Vec<(&'t str, usize)> = Vec::new();
        for span in &markdown.code_spans {
            if span.start < line.end && span.end > line.start {
                codes.push((&source[span.start..span.end], span.start));
            }
        }
        if codes.is_empty() {
            let text = &source[line.start..line.end];
            let begins = FETCHERS.iter().filter_map(|name| text.find(name));
            codes.extend(begins.min().map(|at| (&text[at..], line.start + at)));
        }
        codes
    }

    /// Returns the severity of a command: advice where the line, or the heading above, has a word that forbids, and in tests.
    /// What the word forbids is not read.
    pub(crate) fn severity(&self, command: Span) -> Severity {
        let line = line_around(self.source, command, NEAR);
        let before = &self.source[line.start..command.start];
        let headings = self.markdown().map(|it| &it.headings);
        let above =
            headings.and_then(|all| all.iter().rfind(|heading| heading.end <= command.start));
        let is_forbidden =
            forbids(before) || above.is_some_and(|heading| forbids(heading.of(self.source)));
        if is_forbidden || self.is_of_test {
            Severity::Info
        } else {
            Severity::Error
        }
    }
}

fn forbids(text: &str) -> bool {
    const WORDS: [&str; 6] = ["never", "don't", "don’t", "do not", "must not", "avoid"];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}
