//! Reads Markdown as a model reads it: code that the text says to run, commands and addresses in prose, comments.

use crate::powers::data;
use crate::powers::host::{authority, hosts};
use crate::powers::outside::outside;
use crate::powers::prose::{self, Around, says_to_reach};
use crate::powers::reader::{Reader, excerpt};
use crate::powers::script;
use crate::powers::tables::has;
use crate::powers::tables::languages::{CODE, SHELLS};
use crate::powers::tables::programs::{SUBCOMMANDS, WORDS, is_known};
use crate::powers::word::{
    assignment, begins_with_program, ends_as_secret, is_environment, is_program, program,
};
use crate::view::markdown::{Link, Markdown};
use skills_format::PowerKind;
use skills_format::text::span::{Lines, Span};
use std::collections::BTreeSet;

/// Reads the Markdown of a file from an offset.
pub(super) fn read(text: &str, start: usize, reader: &mut Reader<'_>) {
    read_at(text, start, 1, reader);
}

/// Reads Markdown that stands in a file from a line on.
pub(super) fn read_at(text: &str, start: usize, first: usize, reader: &mut Reader<'_>) {
    let body = Span::new(start, text.len());
    let markdown = Markdown::parse(text, body);
    let page = Page {
        text,
        subcommands: subcommands(text, &markdown),
        markdown,
        lines: Lines::new(text.as_bytes()),
        first,
    };
    for fence in &page.markdown.fences {
        page.fence(*fence, reader);
    }
    page.indented(reader);
    for span in &page.markdown.code_spans {
        page.code_span(*span, reader);
    }
    for span in &page.markdown.prose {
        prose::read(page.text, *span, &|at| page.line(at), reader);
    }
    for link in &page.markdown.links {
        page.link(link, reader);
    }
    let mut read = 0;
    // A block is read once and whole: the parser gives each of its lines.
    for lines in page
        .markdown
        .html
        .chunk_by(|line, next| line.end == next.start)
    {
        if let [first, .., last] | [first @ last] = lines
            && first.start >= read
        {
            read = page.html(Span::new(first.start, last.end), reader);
        }
    }
}

struct Page<'t> {
    text: &'t str,
    /// The second and third words of the code.
    subcommands: BTreeSet<&'t str>,
    markdown: Markdown,
    lines: Lines<'t>,
    first: usize,
}

impl Page<'_> {
    fn line(&self, at: usize) -> usize {
        self.first + self.lines.position(at).line - 1
    }

    fn fence(&self, fence: Span, reader: &mut Reader<'_>) {
        let opening = fence.of(self.text).lines().next().unwrap_or_default();
        let info = opening
            .trim_start_matches(['`', '~', ' ', '>', '\t'])
            .trim();
        let from = self
            .markdown
            .code_blocks
            .partition_point(|span| span.start < fence.start);
        let pieces = self.markdown.code_blocks.get(from..).unwrap_or_default();
        let pieces: Vec<Span> = pieces
            .iter()
            .take_while(|span| span.end <= fence.end)
            .copied()
            .collect();
        let Some(first) = pieces.first() else {
            return;
        };
        let code: String = pieces.iter().map(|span| span.of(self.text)).collect();
        let line = self.line(first.start);
        if let Some(rest) = info.strip_prefix('!') {
            let all = format!("{rest}{code}");
            reader.add(PowerKind::Injection, excerpt(&all), line);
            return reader.code("shell", all, line);
        }
        self.addresses(info, &code, fence, line, reader);
        block(info, &code, line, reader);
    }

    /// Adds the hosts of requests, and those of a block that is nothing but addresses, if the text above says to fetch them.
    fn addresses(&self, info: &str, code: &str, fence: Span, line: usize, reader: &mut Reader<'_>) {
        // A request: `POST https://a.org/x`.
        let is_request = |row: &str| {
            let mut words = row.split_whitespace();
            let method = words.next().unwrap_or_default();
            has("GET POST PUT PATCH DELETE HEAD", method)
                && words.next().is_some_and(|it| it.contains("://"))
        };
        let is_address = |row: &str| row.contains("://") && !row.trim().contains(' ');
        let mut rows = code.lines().filter(|row| !row.trim().is_empty());
        let fetches_all = matches!(info, "" | "text" | "txt" | "url")
            && rows.all(is_address)
            && prose::fetches_below(self.text, fence.start);
        for (at, row) in code.lines().enumerate() {
            if fetches_all || is_request(row) {
                for (_, host) in hosts(row) {
                    reader.add(PowerKind::Hosts, host, line + at);
                }
            }
        }
    }

    /// Reads indented code, which has no language.
    fn indented(&self, reader: &mut Reader<'_>) {
        let is_fenced = |span: &Span| {
            let next = self
                .markdown
                .fences
                .partition_point(|fence| fence.start <= span.start);
            let last = next
                .checked_sub(1)
                .and_then(|last| self.markdown.fences.get(last));
            last.is_some_and(|fence| span.start < fence.end)
        };
        for span in self
            .markdown
            .code_blocks
            .iter()
            .filter(|span| !is_fenced(span))
        {
            block("", span.of(self.text), self.line(span.start), reader);
        }
    }

    fn code_span(&self, span: Span, reader: &mut Reader<'_>) {
        // A code span can go on in the next line of a paragraph, and means one line.
        let code = span.of(self.text).trim();
        let joined = code.contains('\n').then(|| {
            let rows = code.lines().map(|row| row.trim_matches([' ', '\t', '>']));
            rows.collect::<Vec<_>>().join(" ")
        });
        let code = joined.as_deref().unwrap_or(code);
        let line = self.line(span.start);
        let before = self
            .text
            .get(..span.start)
            .unwrap_or_default()
            .trim_end_matches('`');
        if before.ends_with('!')
            && !before
                .trim_end_matches('!')
                .ends_with(char::is_alphanumeric)
        {
            reader.add(PowerKind::Injection, excerpt(code), line);
            return reader.code("shell", code.to_owned(), line);
        }
        let around = Around::of(self.text, span);
        if around.forbids() {
            return;
        }
        if let Some(command) = called(code) {
            return reader.code("shell", command.to_owned(), line);
        }
        let is_meant = around.is_run() || !self.is_subcommand(code);
        if is_command(code, &around) && is_meant {
            return reader.code("shell", code.trim_start_matches("$ ").to_owned(), line);
        }
        for (_, host) in hosts(code) {
            if around.reaches() {
                reader.add(PowerKind::Hosts, host, line);
            }
        }
        word(code, &around, line, reader);
    }

    /// Returns whether a code span begins with the sub-command of a program that other code names: `list --all` beside
    /// `tool list`. Known programs are no sub-commands, and what the text says to run is a program.
    fn is_subcommand(&self, code: &str) -> bool {
        let first = code.split_whitespace().next().unwrap_or_default();
        !is_known(first) && self.subcommands.contains(first)
    }

    /// Reads the address of a link: an image is fetched when it is shown, a page when the sentence says so.
    fn link(&self, link: &Link, reader: &mut Reader<'_>) {
        let span = link.span;
        if !link.address.contains("://") {
            return;
        }
        let around = Around::of(self.text, span).without_label();
        // `- [Name](…) — what it is`: an item that begins with the link names a page.
        let is_item = around.is_item();
        if link.is_image || !is_item && !around.forbids() && around.follows_link() {
            for (_, host) in hosts(&link.address) {
                reader.add(PowerKind::Hosts, host, self.line(span.start));
            }
        }
    }

    /// Reads HTML: a comment is text for a model, and some attributes are fetched. Returns the end of what was read.
    fn html(&self, span: Span, reader: &mut Reader<'_>) -> usize {
        let rest = self.text.get(span.start..).unwrap_or_default();
        let comment = rest.trim_start().starts_with("<!--").then(|| {
            let end = rest.find("-->").map_or(rest.len(), |at| at + "-->".len());
            rest.get(..end.max(span.end - span.start)).unwrap_or(rest)
        });
        let html = comment.unwrap_or_else(|| span.of(self.text));
        let line = self.line(span.start);
        for attribute in ["src=", "action=", "srcset=", "data=", "poster="] {
            for (at, _) in html.match_indices(attribute) {
                let value = html.get(at + attribute.len()..).unwrap_or_default();
                let value = value.trim_start_matches(['"', '\'', ' ']);
                if let Some(host) = value
                    .split_once("//")
                    .filter(|(scheme, _)| scheme.len() < 9)
                    .and_then(|(_, rest)| authority(rest))
                {
                    reader.add(PowerKind::Hosts, host, line);
                }
            }
        }
        for (at, _) in html.match_indices("href=") {
            // The text of the link follows after the tag, which is a piece of its own in a paragraph.
            const NEAR: usize = 1_000;
            let rest = rest.get(at..).unwrap_or_default();
            let end = rest
                .char_indices()
                .nth(NEAR)
                .map_or(rest.len(), |(end, _)| end);
            let rest = rest.get(..end).unwrap_or_default();
            let (tag, label) = rest.split_once('>').unwrap_or((rest, ""));
            if label.split_whitespace().next().is_some_and(says_to_reach) {
                for (_, host) in hosts(tag) {
                    reader.add(PowerKind::Hosts, host, line);
                }
            }
        }
        let inside = html.replace("<!--", "\n").replace("-->", "\n");
        let is_comment = inside.len() != html.len() || !html.trim_start().starts_with('<');
        if is_comment && inside.contains(|c: char| c.is_alphabetic()) && !inside.contains('<') {
            let first = if html.starts_with("<!--") {
                line.saturating_sub(1).max(1)
            } else {
                line
            };
            reader.code("markdown", inside, first);
        } else if html.contains('\n') {
            let text = without_tags(html);
            if html.contains("<pre") {
                block("", &text, line, reader);
            }
            reader.code("markdown", text, line);
        }
        span.start + html.len()
    }
}

/// Returns HTML without its tags, line by line: a model reads the text between them as any other.
fn without_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            c if !is_tag || c == '\n' => out.push(c),
            _ => {}
        }
    }
    out
}

/// Returns the second and third words of the lines of code: sub-commands, if they are plain words.
fn subcommands<'t>(text: &'t str, markdown: &Markdown) -> BTreeSet<&'t str> {
    let is_word = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    };
    let all = markdown.code_spans.iter().chain(&markdown.code_blocks);
    let rows = all.flat_map(|span| span.of(text).lines());
    rows.flat_map(|row| {
        let mut words = row.split_whitespace().take_while(is_word);
        words.next();
        words.take(2)
    })
    .collect()
}

/// Reads a block of code.
fn block(info: &str, code: &str, line: usize, reader: &mut Reader<'_>) {
    let language = info
        .split([' ', ',', '{', '}', ':', '\t'])
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    let language = language.trim_start_matches('.').to_ascii_lowercase();
    if has(SHELLS, &language) && !language.is_empty() {
        let is_powershell = has("powershell ps1 pwsh ps", &language);
        let family = if is_powershell { "powershell" } else { "shell" };
        environment_file(code, line, reader);
        return reader.code(family, without_prompts(code), line);
    }
    if language == "python" || language == "ipython" {
        magics(code, line, reader);
    }
    if let Some((_, family)) = CODE.iter().find(|(name, _)| *name == language) {
        return reader.code(family, code.to_owned(), line);
    }
    match language.as_str() {
        "json" | "jsonc" | "json5" | "yaml" | "yml" => {
            data::read(code, line, reader);
            some_lines(code, line, reader);
        }
        "toml" | "ini" | "env" | "dotenv" | "properties" => data::lines(code, line, reader),
        "hcl" | "terraform" | "tf" => data::terraform(code, line, reader),
        "dockerfile" | "docker" | "makefile" | "make" => {
            let name = if language.starts_with("docker") {
                "Dockerfile"
            } else {
                "Makefile"
            };
            reader.code("shell", script::commands(name, code), line);
        }
        "md" | "markdown" | "mdx" => {
            reader.code("markdown", code.to_owned(), line);
        }
        _ => {
            environment_calls(code, line, reader);
            some_lines(code, line, reader);
        }
    }
}

/// Adds the variables of a block that sets variables and does nothing else: the environment that the skill needs.
fn environment_file(code: &str, line: usize, reader: &mut Reader<'_>) {
    let rows = || {
        let rows = code.lines().enumerate().map(|(at, row)| (at, row.trim()));
        rows.filter(|(_, row)| !row.is_empty() && !row.starts_with('#'))
    };
    let name = |row: &str| {
        let (name, value) = assignment(row)?;
        let value = value.split_once(" #").map_or(value, |(value, _)| value);
        let value = value.trim_end();
        let is_plain =
            !value.contains(['`', '$']) && !value.trim_matches(['"', '\'']).contains(' ');
        is_plain.then(|| name.to_owned())
    };
    if rows().all(|(_, row)| name(row).is_some()) {
        for (at, row) in rows() {
            if let Some(name) = name(row).filter(|name| is_environment(name) && name.contains('_'))
            {
                reader.add(PowerKind::Variables, name, line + at);
            }
        }
    }
}

/// Adds the variables that configuration of another language reads: `sys.env("TOKEN")`.
fn environment_calls(code: &str, line: usize, reader: &mut Reader<'_>) {
    for (at, row) in code.lines().enumerate() {
        for call in row.split("env(\"").skip(1) {
            let name = call.split('"').next().unwrap_or_default();
            if is_environment(name) {
                reader.add(PowerKind::Variables, name, line + at);
            }
        }
    }
}

/// Reads the commands of notebooks: `!ls`, and cells that begin with `%%bash`.
fn magics(code: &str, line: usize, reader: &mut Reader<'_>) {
    let is_cell = ["%%bash", "%%sh", "%%!"]
        .iter()
        .any(|magic| code.trim_start().starts_with(magic));
    let lines = code
        .lines()
        .map(|row| match row.trim_start().strip_prefix('!') {
            Some(command) => command,
            None if is_cell && !row.trim_start().starts_with("%%") => row,
            None => "",
        });
    let lines: Vec<&str> = lines.collect();
    if lines.iter().any(|row| !row.is_empty()) {
        reader.code("shell", lines.join("\n"), line);
    }
}

/// Returns code with empty lines in place of output: in a session, the commands follow a prompt.
fn without_prompts(code: &str) -> String {
    let prompt = |line: &str| {
        let line = line.trim_start();
        let rest = ["$ ", "% ", "> ", "❯ ", "➜ ", "PS> ", ">>> "]
            .iter()
            .find_map(|prompt| line.strip_prefix(prompt));
        rest.map(ToOwned::to_owned)
    };
    let has_prompts = code
        .lines()
        .any(|line| line.trim_start().starts_with("$ ") || line.trim_start().starts_with("❯ "));
    let mut is_continued = false;
    let lines = code.lines().map(|line| {
        // A list of things to look at: `[ ] Image scanning (a, b)`.
        if ["[ ] ", "[x] "]
            .iter()
            .any(|mark| line.trim_start().starts_with(mark))
        {
            return String::new();
        }
        let command = prompt(line);
        let keeps = !has_prompts || is_continued || command.is_some();
        is_continued = keeps && line.trim_end().ends_with('\\');
        match command {
            Some(command) => command,
            // An output can also be a command without a prompt.
            None if keeps || begins_with_program(line) => line.to_owned(),
            None => String::new(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads the lines of a text without a language that begin with a program, and the lines that continue them.
pub(super) fn some_lines(code: &str, line: usize, reader: &mut Reader<'_>) {
    let mut document: Option<String> = None;
    let mut is_continued = false;
    let mut found = false;
    let lines = code.lines().map(|row| {
        let shown = row
            .trim_start()
            .trim_start_matches("$ ")
            .trim_start_matches(['-', '*', '│', '├', '└', '─', '>', ' ']);
        let is_in_document = document.is_some();
        if document.as_deref().is_some_and(|end| row.trim() == end) {
            document = None;
        }
        let keeps = is_in_document || is_continued || is_command_line(shown);
        is_continued = keeps && row.trim_end().ends_with('\\');
        if keeps
            && !is_in_document
            && let Some((_, end)) = row.split_once("<<")
        {
            let end = end
                .trim_start_matches(['-', ' '])
                .split([' ', '>', '|', ';'])
                .next()
                .unwrap_or_default();
            document =
                Some(end.trim_matches(['"', '\'', '\\']).to_owned()).filter(|end| !end.is_empty());
        }
        found |= keeps;
        if !keeps {
            String::new()
        } else if is_in_document || row.starts_with(char::is_whitespace) && is_continued {
            row.to_owned()
        } else {
            shown.to_owned()
        }
    });
    let lines: Vec<String> = lines.collect();
    if found {
        reader.code("shell", lines.join("\n"), line);
    }
}

/// Returns whether a line without a language is a command, and not a sentence or a tree of files.
fn is_command_line(line: &str) -> bool {
    if !begins_with_program(line) {
        return false;
    }
    let mut words = line
        .split_whitespace()
        .skip_while(|word| word.contains('=') || matches!(*word, "sudo" | "env"));
    let first = program(words.next().unwrap_or_default());
    let second = words.next().unwrap_or_default();
    let is_sentence = line.ends_with(['.', ':', ',']) && line.split_whitespace().count() > 5;
    if has(WORDS, &first) {
        return second.starts_with(['-', '.', '/', '"', '\'', '$', '~'])
            || second.contains(['/', '='])
            || second.contains('.') && !second.ends_with('.');
    }
    // `docker   runs the container` in a table of words.
    !is_sentence && !second.starts_with(['—', '–', '=', ':', '→'])
}

/// Returns the command in a call of a tool: `execute("python -m pytest")`.
fn called(code: &str) -> Option<&str> {
    const TOOLS: &str = "execute exec run shell bash terminal run_command run_shell_command execute_command run_in_terminal \
                         local_shell shell_command exec_command";
    let (tool, rest) = code.split_once('(')?;
    let command = rest.strip_suffix(')')?.trim();
    let command = command
        .split_once("command=")
        .map_or(command, |(_, command)| command);
    let quote = command.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let command = command.get(1..)?;
    let command = command.get(..command.find(quote)?)?;
    has(TOOLS, tool).then_some(command)
}

/// Returns whether a code span is a command that is to be run.
fn is_command(code: &str, around: &Around<'_>) -> bool {
    let code = code.trim_start_matches("$ ");
    // In a table, the bar of a code span has a backslash.
    let code = &code.replace("\\|", "|");
    let count = code.split_whitespace().count();
    let first = code.split_whitespace().next().unwrap_or_default();
    let first = first.trim_start_matches(['"', '\'']);
    let name = program(first);
    // A rule of `allowed-tools` is no command: `Bash(git push:*)`.
    if first.contains('(') && first.starts_with(|c: char| c.is_ascii_uppercase()) {
        return false;
    }
    // A program that nobody here knows, with an option: `mongodump --archive`.
    let second = code.split_whitespace().nth(1).unwrap_or_default();
    let option = second.trim_start_matches('-');
    if matches!(second.len() - option.len(), 1 | 2)
        && option.starts_with(|c: char| c.is_ascii_alphabetic())
        && first
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && first.starts_with(|c: char| c.is_ascii_lowercase())
        && !has(WORDS, &name)
    {
        return true;
    }
    // The same with a sub-command: `sf data query --result-format json`.
    let is_word = |word: &&str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(is_part)
    };
    let words = code.split_whitespace().take_while(is_word).count();
    let next = code.split_whitespace().nth(words).unwrap_or_default();
    let is_option = next
        .strip_prefix("--")
        .is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    if (2..=3).contains(&words) && is_option && !has(WORDS, &name) {
        return true;
    }
    // A program that starts a known one: `app-instrument python app.py`.
    if count > 2
        && first.contains('-')
        && is_word(&first)
        && is_known(second)
        && !has(WORDS, second)
    {
        return true;
    }
    // `rails 7.1.2` is a version.
    let is_version = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.contains('.')
            && word.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    if count == 2 && is_version(second) {
        return false;
    }
    if is_known(&name) {
        let is_word = has(WORDS, &name);
        let has_option = code
            .split_whitespace()
            .skip(2)
            .any(|word| word.starts_with("--"));
        let has_subcommand = SUBCOMMANDS.iter().any(|(known, _)| *known == name);
        return if count > 1 {
            !is_word || has_subcommand && has_option || is_command_line(code) || around.is_run()
        } else {
            around.is_run() && !is_word || around.is_used()
        };
    }
    let starts = first.starts_with(|c: char| c.is_ascii_lowercase() || c == '.' || c == '$');
    let parts = code
        .split(['|', ';', '&', '(', '`'])
        .filter(|part| part.trim().contains(' '));
    if count > 1
        && parts
            .into_iter()
            .any(|part| begins_with_program(part) && is_command_line(part.trim()))
    {
        return true;
    }
    count > 1
        && starts
        && around.is_started()
        && is_program(&name)
        && (!code.contains(", ") || first.starts_with("./"))
}

/// Reads a code span that is not a command: a path, a variable.
fn word(code: &str, around: &Around<'_>, line: usize, reader: &mut Reader<'_>) {
    if let Some(path) = outside(code).filter(|_| !code.contains(' ') && code != "/" && code != "~")
    {
        reader.add(PowerKind::Files, path, line);
    }
    if let Some(read) = code.strip_prefix("process.env.") {
        let end = read.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let name = read.get(..end.unwrap_or(read.len())).unwrap_or_default();
        if is_environment(name) {
            reader.name(name, line);
        }
        return;
    }
    let name = code.trim_start_matches(['$', '{']).trim_end_matches('}');
    let name = name.split('=').next().unwrap_or(name);
    // `client_secret` in a list is the name of a field.
    let is_capital = code.starts_with('$') || !name.contains(|c: char| c.is_ascii_lowercase());
    if is_environment(name)
        && is_capital
        && name.contains('_')
        && (code.starts_with('$') || around.names_environment() || ends_as_secret(name))
    {
        reader.name(name, line);
    }
}
