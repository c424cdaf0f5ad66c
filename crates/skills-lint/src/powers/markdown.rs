//! Reads Markdown: blocks of code, code spans, and lines that begin with a command. What sentences mean is not read.

use crate::powers::command::begins_with_program;
use crate::powers::host::is_domain;
use crate::powers::line::{cell_command, is_command_line, is_joined, sets, without_marks};
use crate::powers::reader::{Reader, excerpt};
use crate::powers::script::{interpreter, is_shell};
use crate::powers::tables::has;
use crate::powers::tables::languages::{DATA, SESSIONS, SHELLS};
use crate::powers::tables::programs::BUILTINS;
use crate::powers::word::{Word, is_environment, names_program};
use crate::powers::{data, shell};
use crate::view::markdown::Markdown;
use skills_format::text::span::{Lines, Span};
use skills_permit::PowerKind;
use std::collections::BTreeMap;

/// Reads Markdown whose first line has a number.
pub(super) fn read(text: &str, first: usize, reader: &mut Reader) {
    let markdown = Markdown::parse(text, Span::new(0, text.len()));
    let lines = Lines::new(text.as_bytes());
    let line = |at: usize| first + lines.position(at).line - 1;
    injections(text, &markdown.fences, &line, reader);
    let mut prose = String::with_capacity(text.len());
    for fence in &markdown.fences {
        // A fence in an item or a quotation stands in several pieces, without the marks before its lines.
        let from = markdown
            .code_blocks
            .partition_point(|span| span.start < fence.start);
        let pieces = markdown.code_blocks[from..]
            .iter()
            .take_while(|span| span.end <= fence.end);
        let code: String = pieces.clone().map(|span| span.of(text)).collect();
        let Some(start) = pieces.clone().next().map(|span| span.start) else {
            continue;
        };
        let info = fence.of(text).lines().next().unwrap_or_default();
        let info = info.trim_start_matches(['`', '~', ' ', '>', '\t']).trim();
        block(info, &code, line(start), reader);
        if prose.len() < fence.start {
            prose.push_str(&text[prose.len()..fence.start]);
        }
        let code = text.get(prose.len()..fence.end).unwrap_or_default();
        let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
        prose.extend(code.bytes().map(blank));
    }
    prose.push_str(&text[prose.len()..]);
    hidden_blocks(&prose, first, reader);
    let prose = prose.replace("<code>", "`").replace("</code>", "`");
    let mut start = first;
    for paragraph in prose.split("\n\n") {
        code_spans(paragraph, start, reader);
        start += paragraph.matches('\n').count() + 2;
    }
    command_lines(&prose, first, true, prose_commands, reader);
}

/// Reads the blocks of a shell that are none to Markdown, and can be some to a model: in HTML, and in other blocks.
fn hidden_blocks(text: &str, first: usize, reader: &mut Reader) {
    let mut rows = text.lines().enumerate();
    while let Some((at, row)) = rows.next() {
        let row = row.trim_start();
        let info = row.trim_start_matches(['`', '~']);
        let mark = &row[..row.len() - info.len()];
        if mark.len() > 2 && has(SHELLS, info.trim()) {
            let code = rows.by_ref().map(|(_, row)| format!("{row}\n"));
            let code: String = code.take_while(|row| row.trim() != mark).collect();
            block(info.trim(), &code, first + at + 1, reader);
        }
    }
}

/// Reads a block of code.
fn block(info: &str, code: &str, line: usize, reader: &mut Reader) {
    if let Some(rest) = info.strip_prefix('!') {
        let all = format!("{rest}{code}");
        reader.add(PowerKind::Injection, excerpt(&all), line);
        return shell::called(all, line, reader);
    }
    let mut words = info.split([' ', ',', '{', '}', ':', '\t']);
    let language = words.find(|word| !word.is_empty()).unwrap_or_default();
    let language = language.trim_start_matches('.').to_ascii_lowercase();
    // A block without a language can say itself what runs it.
    let own = || interpreter("", code).filter(|_| code.starts_with("#!"));
    let of_data = language.is_empty() || has(DATA, &language);
    let language = of_data.then(own).flatten().unwrap_or(language);
    if has(SHELLS, &language) || is_shell(&language) {
        let is_session = has(SESSIONS, &language);
        let commands = without_prompts(code, is_session);
        // What looks like output can be a command too: its lines are compared, and no more.
        shell::calls(if is_session { &commands } else { code }, line, reader);
        return reader.shell(commands, line);
    }
    match language.as_str() {
        "json" | "jsonc" | "json5" | "yaml" | "yml" => data::read(code, line, reader),
        "md" | "markdown" | "mdx" => reader.markdown(code.to_owned(), line),
        _ if language.is_empty() || has(DATA, &language) => {
            // After a prompt stands a command, known or not.
            let joined = |row: &'_ str, reader: &Reader| {
                let prompted = row.trim_start().split_once("$ ").filter(|(before, _)| {
                    before.is_empty() || before.contains('@') && !before.contains(' ')
                });
                let prompted = prompted.map(|(_, command)| command);
                let command = prompted.or(is_joined(row, reader).then_some(row));
                command.map(ToOwned::to_owned).into_iter().collect()
            };
            command_lines(code, line, false, joined, reader);
            // Code of another language mostly calls something, and few trees and templates do.
            for (at, row) in code.lines().enumerate().filter(|(_, row)| is_calling(row)) {
                shell::calls(row, line + at, reader);
            }
        }
        _ => reader.opaque(&format!("{language} code"), code.as_bytes(), line),
    }
}

/// Reads the code spans of a paragraph, of HTML too: a model reads a comment as any other text.
fn code_spans(text: &str, first: usize, reader: &mut Reader) {
    let mut ticks: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.match_indices('`') {
        match ticks.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => ticks.push((at, 1)),
        }
    }
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (start, length) in &ticks {
        by_length.entry(*length).or_default().push(*start);
    }
    let (mut end, mut line, mut counted) = (0, first, 0);
    for (start, length) in ticks {
        let closing = &by_length[&length];
        let next = closing.partition_point(|at| *at <= start);
        let Some(close) = closing.get(next).copied().filter(|_| start >= end) else {
            continue;
        };
        end = close + length;
        // A code span can go on in the next line, and means one line.
        let rows = text[start + length..close].lines();
        let rows: Vec<&str> = rows.map(|row| row.trim_matches([' ', '\t', '>'])).collect();
        line += text[counted..start].matches('\n').count();
        counted = start;
        code_span(rows.join(" ").trim_matches(' '), line, reader);
    }
}

/// Reads the commands that Claude Code runs before a model reads the text: it looks for the mark and the next backtick, in a block
/// of any language too, and pairs no others. A block that begins a fence is read with the fences.
fn injections(text: &str, fences: &[Span], line: &dyn Fn(usize) -> usize, reader: &mut Reader) {
    // Claude Code also runs a block that begins within a line, in another block or in a comment.
    for (at, mark) in text.match_indices("```!") {
        let before = fences.partition_point(|fence| fence.start <= at);
        let fence = before.checked_sub(1).map(|last| fences[last]);
        if fence.is_none_or(|fence| text[fence.start..at].contains(|c| !" >\t".contains(c)))
            && let Some((code, _)) = text[at + mark.len()..].split_once("```")
        {
            reader.add(PowerKind::Injection, excerpt(code), line(at));
            shell::called(code.to_owned(), line(at), reader);
        }
    }
    let mut end = 0;
    for (at, _) in text.match_indices("!`") {
        let (before, rest) = (&text[..at], &text[at + 1..]);
        let ticks = &rest[..rest.len() - rest.trim_start_matches('`').len()];
        // `!` in a code span of its own is no mark, and three backticks begin a block.
        let is_in_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '`');
        if at < end || is_in_word || ticks.len() > 2 {
            continue;
        }
        let Some((code, _)) = rest[ticks.len()..].split_once(ticks) else {
            continue;
        };
        end = at + 1 + ticks.len() + code.len();
        // In a table, the bar of a code span has a backslash.
        let code = code.trim_matches(' ').replace("\\|", "|");
        // Claude Code runs no `\!`: the backslash is a restraint.
        let mark = if before.ends_with('\\') { "\\!" } else { "" };
        let shown = mark.to_owned() + &excerpt(&code);
        reader.add(PowerKind::Injection, shown, line(at));
        shell::called(code, line(at), reader);
    }
}

fn code_span(code: &str, line: usize, reader: &mut Reader) {
    // In a table, the bar of a code span has a backslash.
    let code = code.trim_start_matches("$ ").replace("\\|", "|");
    // `!pip install x` of a notebook
    let code = code.strip_prefix(['!', '%']).unwrap_or(&code).trim();
    let is_word = !code.contains([' ', '\t', ';', '|', '&', '`', '(']);
    if is_word && reader.has_script(code) || !is_word && is_command(code, reader) {
        return shell::called(code.to_owned(), line, reader);
    }
    // `$NAME`, `$env:NAME`, `%NAME%`, `${{ secrets.NAME }}`; the names of secrets count in any text.
    let name = code.trim_matches(['$', '{', '}', '%', ' ']);
    let name = name.rsplit([':', '.']).next().unwrap_or(name);
    if is_environment(name) && (code.starts_with('$') || code.ends_with('%')) {
        reader.add(PowerKind::Variables, name, line);
    }
}

/// Returns whether a code span of several words is a command: its first word is a known program or a script of the skill, or an
/// option follows; or one of several commands is.
fn is_command(code: &str, reader: &Reader) -> bool {
    // A rule of `allowed-tools` is not a command: `Bash(git push:*)`.
    let first = code.split(char::is_whitespace).next().unwrap_or_default();
    let is_rule = first.find('(').is_some_and(|at| at > 0);
    // A bar without spaces stands between choices: `json|text`.
    let commands = shell::commands(&code.replace('|', "¦"));
    let is_one = commands.first().is_some_and(|words| {
        // `echo x > /dev/tcp/a.org/80`
        let is_sent = code.contains('>') && words.first().is_some_and(|it| has(BUILTINS, &it.text));
        is_sent || reader.has_script(&words[0].text) || is_call(words)
    });
    is_one && !is_rule || is_joined(&code.replace('`', ";"), reader)
}

/// Returns whether words are a call of a known program or a script, or set what other programs get.
fn is_call(words: &[Word]) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let [first, rest @ ..] = texts.as_slice() else {
        return false;
    };
    let second = rest.first().copied().unwrap_or_default();
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_option = second.starts_with('-')
        && second
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_alphabetic());
    // `rails 7.1.2` is a version, and `ssh 10.0.0.1` has an address.
    let is_number = second.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_version = rest.len() == 1 && is_number && second.contains('.') && !is_domain(second);
    // `echo $TOKEN`
    let is_used = has(BUILTINS, first) && words.iter().any(|word| word.is_computed)
        || sets(words)
        // `$GIT push`
        || words[0].is_computed && !first.starts_with("$ARG") && second.starts_with(is_word);
    is_used || !is_version && (names_program(first) || is_option && first.chars().all(is_word))
}

/// Reads the lines of a text that begin with a program, after the marks of a list, a quotation, a box, a prompt or a number,
/// and the lines that continue them. `others` finds the commands of any other line.
fn command_lines(text: &str, first: usize, is_prose: bool, others: Others, reader: &mut Reader) {
    let mut rows = text.lines().enumerate();
    let mut is_within = false;
    while let Some((at, row)) = rows.next() {
        let mut row = row.to_owned();
        while row.ends_with('\\')
            && let Some((_, next)) = rows.next()
        {
            row.push('\n');
            row.push_str(next);
        }
        let command = without_marks(&row);
        // A line that goes on with a sentence is a part of it, if it does not look like a command.
        let is_sentence = is_within
            && row.trim_start() == command
            && !command.contains(['-', '/', '$', '=', ';', '|', '&', '<', '>', '(']);
        let is_command = !is_sentence && is_command_line(command, reader);
        is_within = is_prose && !is_command && row.ends_with(char::is_alphabetic);
        // In a table, each cell begins a line.
        if row.trim_start().starts_with('|') || !is_command {
            let others = others(&row, reader).into_iter();
            for code in others.filter(|_| !is_sentence) {
                shell::called(code, first + at, reader);
            }
            continue;
        }
        let mut code = command.to_owned();
        if let Some(end) = heredoc(command) {
            for (_, next) in rows.by_ref() {
                code.push('\n');
                code.push_str(next);
                if next.trim() == end {
                    break;
                }
            }
        }
        shell::called(code, first + at, reader);
    }
}

/// Finds the commands of a line that does not begin with one.
type Others = fn(&str, &Reader) -> Vec<String>;

/// Returns the commands that stand in a line of prose: in the cells of a table, after a tag of HTML, and between the operators
/// of a shell.
fn prose_commands(row: &str, reader: &Reader) -> Vec<String> {
    let is_end = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    // A code span is read by itself.
    let pieces: Vec<&str> = row.split('`').step_by(2).collect();
    let text = pieces.join("`");
    let is_row = row.trim_start().starts_with('|');
    let signs = [("<(", "\0"), (">", ">\r"), ("<", "\r<"), ("\0", "<(")];
    let signs = signs.iter();
    // In a table, the bar of a command has a backslash.
    let text = text.replace("\\|", "\u{1}");
    let row = signs.fold(text, |all, (from, to)| all.replace(from, to));
    let cells = row.split(|c| is_end(c) || is_row && c == '|');
    let cells = cells.map(|cell| cell.replace('\u{1}', "|"));
    let command = |cell: String| cell_command(without_marks(&cell), reader).map(ToOwned::to_owned);
    cells.filter_map(command).collect()
}

/// Returns whether a line has a name and a bracket after it: `os.system("id")`.
fn is_calling(row: &str) -> bool {
    let mut pieces = row.split('(');
    pieces.next_back();
    pieces.any(|before| before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// Returns the word that ends the document which a command begins: `cat <<EOF`.
fn heredoc(command: &str) -> Option<String> {
    let (_, end) = command
        .split_once("<<")
        .filter(|(_, end)| !end.starts_with('<'))?;
    let end = end.trim_start_matches(['-', ' ']);
    let end = end.split([' ', '>', '|', ';']).next()?;
    let end = end.trim_matches(['"', '\'', '\\']);
    (!end.is_empty()).then(|| end.to_owned())
}

/// Returns code with empty lines in place of output: in a session, the commands follow a prompt.
fn without_prompts(code: &str, is_session: bool) -> String {
    let is_prompt = |line: &str| line.starts_with("$ ") || line.starts_with("❯ ");
    let has_prompts = is_session || code.lines().any(|line| is_prompt(line.trim_start()));
    let (mut is_continued, mut end) = (false, None);
    let mut out = String::with_capacity(code.len());
    for line in code.lines() {
        let row = line.trim_start();
        let prompts = ["$ ", "% ", "> ", "❯ ", "➜ ", "PS> ", ">>> "];
        let command = prompts.iter().find_map(|prompt| row.strip_prefix(prompt));
        // An output can also be a command without a prompt.
        let keeps = !has_prompts || is_continued || command.is_some() || begins_with_program(line);
        end = end
            .or_else(|| command.and_then(heredoc))
            .filter(|end| row.trim_end() != end);
        is_continued = keeps && line.trim_end().ends_with('\\') || end.is_some();
        let boxed = row.strip_prefix("[ ] ").or(row.strip_prefix("[x] "));
        if keeps && boxed.is_none_or(begins_with_program) {
            out.push_str(boxed.or(command).unwrap_or(line));
        }
        out.push('\n');
    }
    out
}
