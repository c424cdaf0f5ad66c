//! Finds the commands of a Markdown text: in code spans, and in code blocks of a shell.

use crate::shell;
use crate::walk::{self, Problem};
use clap::Command;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// First words of an info string. A block without one counts too.
const SHELLS: &[&str] = &[
    "bash",
    "bat",
    "cmd",
    "console",
    "fish",
    "ksh",
    "powershell",
    "ps1",
    "pwsh",
    "sh",
    "sh-session",
    "shell",
    "shell-session",
    "shellsession",
    "terminal",
    "zsh",
];

const PROMPTS: &[&str] = &["$ ", "> ", "% ", "❯ ", "PS> "];

/// Every problem of a text, with byte offsets into it.
pub(crate) fn faults(command: &Command, text: &str) -> Vec<Problem> {
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_TABLES;
    let mut problems = Vec::new();
    let mut check = |shell: &str, source: &dyn Fn(usize) -> usize| {
        for words in shell::commands(shell) {
            walk::check(command, &words, &mut |problem| {
                problems.push(Problem {
                    at: source(problem.at),
                    ..problem
                });
            });
        }
    };
    let mut block: Option<Block> = None;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) if is_shell(&kind) => block = Some(Block::default()),
            Event::Text(part) => {
                if let Some(block) = &mut block {
                    block.lines.push((block.text.len(), range.start));
                    block.text.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some(block) = block.take() {
                    check(&without_prompts(&block.text), &|at| block.source(at));
                }
            }
            Event::Code(code) => {
                let start = start_of_span(text, range);
                check(&code, &|at| start + at);
            }
            _ => {}
        }
    }
    problems
}

/// The line and the column in characters, both from 1, of a byte offset.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    (
        before.matches('\n').count() + 1,
        before[line..].chars().count() + 1,
    )
}

/// The text of one block: its lines without the indentation and the `>` before them.
#[derive(Default)]
struct Block {
    text: String,
    /// Where a part begins in `text`, and in the source.
    lines: Vec<(usize, usize)>,
}

impl Block {
    fn source(&self, at: usize) -> usize {
        let part = self.lines.partition_point(|(start, _)| *start <= at);
        let (start, source) = self.lines[part - 1]; // The first part begins at 0.
        source + (at - start)
    }
}

fn is_shell(kind: &CodeBlockKind) -> bool {
    let CodeBlockKind::Fenced(info) = kind else {
        return true;
    };
    let language = info.split([' ', ',', '{']).next().unwrap_or_default();
    language.is_empty()
        || SHELLS
            .iter()
            .any(|shell| shell.eq_ignore_ascii_case(language))
}

/// The same text with spaces for prompts. If a line has one, lines without one are output, and become spaces too.
fn without_prompts(text: &str) -> String {
    let prompt = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let prompt = PROMPTS
            .iter()
            .find(|prompt| line[indent..].starts_with(**prompt))?;
        Some(indent + prompt.len())
    };
    if !text.lines().any(|line| prompt(line).is_some()) {
        return text.to_owned();
    }
    let mut typed = String::with_capacity(text.len());
    let mut continues = false;
    for line in text.split_inclusive('\n') {
        let blank = match prompt(line) {
            Some(end) => end,
            None if continues => 0,
            None => line.trim_end().len(),
        };
        continues = blank < line.len() && line.trim_end().ends_with('\\');
        typed.extend(std::iter::repeat_n(' ', blank));
        typed.push_str(&line[blank..]);
    }
    typed
}

/// Where the code of a span begins: after its backticks, and the one space that Markdown takes away.
fn start_of_span(text: &str, range: Range<usize>) -> usize {
    let span = &text[range.clone()];
    let code = span.trim_start_matches('`');
    let padded = code.starts_with([' ', '\n']) && !code.trim_matches(['`', ' ']).is_empty();
    range.start + (span.len() - code.len()) + usize::from(padded)
}
