//! The powers of one command: its program and sub-command, packages, hosts, paths.

use crate::powers::host::{authority, bare, hosts, of_ssh};
use crate::powers::outside::{outside, place_of_keys};
use crate::powers::package;
use crate::powers::reader::{Reader, excerpt};
use crate::powers::script::{is_interpreter, is_shell};
use crate::powers::tables::has;
use crate::powers::tables::options::OPTIONS;
use crate::powers::tables::programs::{
    BUILTINS, FIRST_IS_HOST, MIGHTY, REACHING, WITH_WORD, WRAPPERS, is_known, subcommand_words,
};
use crate::powers::word::{
    Word, assignment, is_environment, is_program, names_program, positional, program, texts,
    values, with_value,
};
use skills_permit::PowerKind;
use skills_permit::power::cover::EVERY_VARIABLE;

/// Words after which a sub-command has another word: `docker compose up`, `git remote add`.
const GROUPS: &str = "compose remote config submodule lfs pip tool mcp db";
/// Programs that run commands which stand in their arguments.
const RUN_OTHERS: &str =
    "docker podman kubectl su tmux screen watch crontab at git make tar vim rsync gdb script";
/// Programs that have a shell run what they read.
pub(super) const RUN_INPUT: &str = "ssh at batch crontab";
/// What a path begins with that is computed, and is still in the folder of the skill.
const OWN: [&str; 5] = [
    "SKILL_DIR",
    "SCRIPT",
    "BASH_SOURCE",
    "PLUGIN_ROOT",
    "dirname",
];

/// Reads the words of a command. `input` is the text of the commands whose output it gets; empty without.
pub(super) fn read(words: &[Word], input: &str, reader: &mut Reader) {
    let words = strip_wrappers(words, reader);
    let Some((first, rest)) = words.split_first() else {
        return;
    };
    let line = first.line;
    arguments(words, reader);
    // A key of JSON or YAML, and perhaps a command after it: `run: git push`.
    if first.text.ends_with(':') && first.text != ":" {
        if rest
            .first()
            .is_some_and(|word| is_known(&program(&word.text)))
        {
            read(rest, input, reader);
        }
        return;
    }
    let program = program(&first.text);
    if first.is_computed || !is_program(&program) {
        return computed(first, words, reader);
    }
    // No program is in the root: `/compound [context]` is a command of a client.
    let is_slash = first
        .text
        .strip_prefix('/')
        .is_some_and(|name| name == program);
    let is_own = reader.functions.contains(&program) && !is_known(&program);
    if has(BUILTINS, &program) || is_slash || is_own {
        return;
    }
    if has(
        "eval . source iex invoke-expression icm",
        &program.to_ascii_lowercase(),
    ) {
        if rest.is_empty() {
            piped(&program, input, line, reader);
        }
        return evaluated(&program, rest, reader);
    }
    if package::read(&program, rest, line, reader) {
        return;
    }
    let name = named(&program, rest);
    let subcommand = positional(&program, rest).into_iter().next();
    if subcommand_words(&program) > 0 && subcommand.is_some_and(|word| word.is_computed) {
        reader.unreadable(&format!("command {}", texts(words)), line);
    }
    options(&program, &name, rest, line, reader);
    reach(&program, rest, line, reader);
    interpreted(&program, rest, input, line, reader);
    nested(&program, rest, reader);
    if has("printenv set env export", &program) && rest.is_empty() {
        reader.add(PowerKind::Variables, EVERY_VARIABLE, line);
    }
    if let Some(name) = ran(&first.text) {
        reader.runs.insert(name, "sh".to_owned());
    }
    reader.add(PowerKind::Commands, name, line);
}

/// Skips the commands that start other commands: `sudo`, `env A=b`, `timeout 5`.
pub(super) fn strip_wrappers<'w>(mut words: &'w [Word], reader: &mut Reader) -> &'w [Word] {
    while let Some((first, rest)) = words.split_first() {
        if assignment(&first.text).is_some() {
            arguments(&words[..1], reader);
            words = rest;
            continue;
        }
        let name = program(&first.text);
        if !has(WRAPPERS, &name) {
            return words;
        }
        let (mut at, mut own) = (0, has(WITH_WORD, &name));
        while let Some(word) = rest.get(at) {
            if word.text.starts_with('-') && (word.text != "-" || name == "env") {
                // `env -S 'curl a.org'` splits the text into words.
                if name == "env" && (word.text.contains('S') || word.text.starts_with("--sp")) {
                    reader.unreadable(&format!("env {}", texts(&rest[at..])), word.line);
                }
                at += 1 + usize::from(has(with_value(&name), &word.text));
            } else if std::mem::take(&mut own) {
                at += 1;
            } else {
                break;
            }
        }
        let inner = rest.get(at..).unwrap_or_default();
        if inner.is_empty() {
            return words;
        }
        if has(MIGHTY, &name) {
            reader.add(PowerKind::Commands, name, first.line);
        }
        words = inner;
    }
    words
}

/// Returns the words of a line from the program on, without the commands that start it.
pub(super) fn of_line(line: &str) -> Vec<Word> {
    let mut words: Vec<Word> = line.split_whitespace().map(Word::new).collect();
    let own = strip_wrappers(&words, &mut Reader::default()).len();
    words.drain(..words.len() - own);
    words
}

/// Returns whether the first word of a line is a known program, or runs a file of the skill.
pub(super) fn begins_with_program(line: &str) -> bool {
    let words = of_line(line);
    words
        .first()
        .is_some_and(|first| names_program(&first.text))
}

/// Returns a program with its sub-command.
fn named(program: &str, rest: &[Word]) -> String {
    let mut name = program.to_owned();
    if program.starts_with("python")
        && let Some((_, module)) = values(rest, "-m").next()
    {
        return format!("{program} -m {module}");
    }
    let mut left = subcommand_words(program);
    for (at, word) in positional(program, rest).into_iter().enumerate() {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
        let is_word = word.text.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.text.chars().all(is_part);
        if left == 0 || !is_word || word.is_computed {
            break;
        }
        name.push(' ');
        name.push_str(&word.text);
        left -= 1;
        if left == 0 && at == 0 && has(GROUPS, &word.text) {
            left = 1;
        }
    }
    name
}

fn options(program: &str, name: &str, rest: &[Word], line: usize, reader: &mut Reader) {
    for (of, options, power) in OPTIONS {
        let is_given = |word: &Word| {
            let option = word.text.split('=').next().unwrap_or_default();
            has(options, option)
                || has(options, &word.text)
                || bundled(options, option)
                || has(options, without_glued(&word.text))
        };
        if (*of == program || *of == name) && rest.iter().any(is_given) {
            reader.add(PowerKind::Commands, *power, line);
        }
    }
    // `git push origin +main` and `:main`.
    let is_forced = |word: &Word| word.text.starts_with(['+', ':']);
    if name == "git push" && rest.iter().any(is_forced) {
        reader.add(PowerKind::Commands, "git push --force", line);
    }
    let of_host = values(rest, "--network --net --pid --ipc").any(|(_, value)| value == "host");
    if name == "docker run" && of_host {
        reader.add(PowerKind::Commands, "docker run (host access)", line);
    }
    // Variables for the program that another program starts: `docker run -e TOKEN=x`.
    for (_, value) in values(rest, "-e --env") {
        let name = value.split('=').next().unwrap_or_default();
        if is_environment(name) && !name.is_empty() {
            reader.add(PowerKind::Variables, name, line);
        }
    }
    let glued = rest.iter().filter_map(|word| word.text.strip_prefix("-X"));
    let methods = values(rest, "-X --request --method -Method").map(|(_, method)| method);
    let mut methods = methods
        .chain(glued)
        .filter(|method| !method.is_empty() && program != "cargo");
    if methods.any(|method| !has("GET HEAD OPTIONS", &method.to_ascii_uppercase())) {
        reader.add(PowerKind::Commands, format!("{program} (uploads)"), line);
    }
}

/// Returns a short option without the value that is glued to it: `-d@.env`, `-i.bak`, `-v/:/host`.
fn without_glued(word: &str) -> &str {
    let is_glued = |rest: &str| rest.starts_with(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    word.split_at_checked(2)
        .filter(|(option, rest)| option.starts_with('-') && is_glued(rest))
        .map_or(word, |(option, _)| option)
}

/// Returns whether a bundle of short options has one of the options: `-fsSLd` has `-d`. `-rf` of `rm` has `-r`.
fn bundled(options: &str, option: &str) -> bool {
    let letters = option.strip_prefix('-').unwrap_or_default();
    let short = options.split_ascii_whitespace().filter(|it| it.len() == 2);
    (2..=8).contains(&letters.len())
        && letters.chars().all(|c| c.is_ascii_alphabetic())
        && short.into_iter().any(|it| letters.contains(&it[1..]))
}

/// Adds hosts and paths of the words, wherever they stand.
fn arguments(words: &[Word], reader: &mut Reader) {
    for word in words {
        for host in hosts(&word.text) {
            reader.add(PowerKind::Hosts, host, word.line);
        }
        paths(&word.text, word.line, reader);
    }
}

/// Adds the paths of a word: the word itself, and what follows `=`, `:` and `@`, as in `-d @/etc/passwd`.
pub(super) fn paths(word: &str, line: usize, reader: &mut Reader) {
    let is_end = |c: char| c.is_whitespace() || "=@\"'(,;|&<>`".contains(c);
    for whole in word.split(is_end) {
        // `file:///etc/passwd`, `unix:///var/run/docker.sock`
        let local = whole.split_once("://").map(|(_, rest)| rest);
        let local = local.map(|rest| rest.strip_prefix("localhost").unwrap_or(rest));
        let local = local.filter(|rest| rest.starts_with('/'));
        let whole = local.unwrap_or(whole);
        for (at, rest) in whole.split(":/").enumerate() {
            let part = format!("{}{rest}", if at == 0 { "" } else { "/" });
            // `//etc/passwd` is `/etc/passwd`, and `//a.org/x` an address.
            let part = part
                .strip_prefix('/')
                .filter(|it| it.starts_with('/'))
                .unwrap_or(&part);
            // A folder alone is more often an operator or the end of a tag: `a / b`, `x =~ y`.
            if part.contains("//") || matches!(part, "~" | "/") {
                continue;
            }
            if let Some(path) = outside(part).or_else(|| place_of_keys(part)) {
                if path.starts_with("/proc") && path.contains("environ") {
                    reader.add(PowerKind::Variables, EVERY_VARIABLE, line);
                }
                reader.add(PowerKind::Files, path, line);
            }
        }
    }
}

fn reach(program: &str, rest: &[Word], line: usize, reader: &mut Reader) {
    if !has(REACHING, program) {
        return;
    }
    let is_first = has(FIRST_IS_HOST, program);
    for (at, word) in positional(program, rest).into_iter().enumerate() {
        let text = word.text.as_str();
        if text.contains("://") {
            continue;
        }
        let host = if program == "git" {
            // `git@host:path`; other words of git are names.
            let address = text.split_once('@').filter(|(_, rest)| rest.contains(':'));
            address.and_then(|(_, rest)| of_ssh(rest))
        } else if is_first && at == 0 {
            bare(text).or_else(|| authority(text.rsplit('@').next().unwrap_or(text)))
        } else if matches!(program, "scp" | "rsync") {
            text.split_once(':')
                .filter(|(host, _)| !host.is_empty() && !host.contains('/'))
                .and_then(|(host, _)| authority(host.rsplit('@').next()?))
        } else if word.is_computed && text.starts_with('$') && program != "openssl" {
            Some(variable_host(text))
        } else {
            bare(text.trim_start_matches('@'))
        };
        if let Some(host) = host.filter(|host| !host.is_empty()) {
            reader.add(PowerKind::Hosts, host, line);
        }
    }
}

/// Returns a computed address by its first variable: `$URL/x` is `$URL`.
fn variable_host(text: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '{' | '}');
    let end = text[1..]
        .find(|c| !is_name(c))
        .map_or(text.len(), |at| at + 1);
    if end == 1 {
        return excerpt(text);
    }
    text[..end].to_owned()
}

/// Reads the code that an interpreter gets as an argument, or reports the code that another command pipes to it.
fn interpreted(program: &str, rest: &[Word], input: &str, line: usize, reader: &mut Reader) {
    if !is_interpreter(program) {
        if has(RUN_INPUT, program) && positional(program, rest).len() < 2 {
            piped(program, input, line, reader);
        }
        return;
    }
    let ends: &[char] = if is_shell(program) {
        &['c']
    } else {
        &['c', 'e', 'p', 'r']
    };
    let is_code = |word: &&Word| {
        let option = word.text.to_ascii_lowercase();
        has("--eval --print --command -command /c eval", &option)
            || is_shell(program) && bundled("-c", &option)
            || option.starts_with('-') && !option.starts_with("--") && option.ends_with(ends)
    };
    // `python -c'…'`.
    let glued = rest.iter().find_map(|word| {
        let text = word.text.as_str();
        let short = text.strip_prefix("-c").or_else(|| text.strip_prefix("-e"));
        let short = short.filter(|code| word.is_quoted && code.contains([' ', '(']));
        let code = short?.to_owned();
        Some(Word {
            text: code,
            ..word.clone()
        })
    });
    if let Some(code) = glued {
        return inner(program, &code, reader);
    }
    if rest
        .iter()
        .any(|word| word.text.to_ascii_lowercase().starts_with("-enc"))
    {
        reader.unreadable(&format!("{program} {}", texts(rest)), line);
    }
    let mut words = rest.iter();
    if words.by_ref().any(|word| is_code(&word)) {
        // `bash -c -e '…'`.
        if let Some(code) = words.find(|word| !word.text.starts_with('-')) {
            inner(program, code, reader);
        }
        return;
    }
    let mut words = positional(program, rest).into_iter();
    let script = words.find(|word| !matches!(word.text.as_str(), "run" | "test"));
    let Some(script) = script.filter(|word| !matches!(word.text.as_str(), "-" | "/dev/stdin"))
    else {
        return piped(program, input, line, reader);
    };
    if script.text.starts_with("<(") || script.text.starts_with("$(") {
        reader.unreadable(&format!("{program} {}", script.text), line);
    }
}

/// Returns the name of a file that is run.
pub(super) fn ran(word: &str) -> Option<String> {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    (!name.is_empty() && !name.starts_with(['$', '-'])).then(|| name.to_owned())
}

/// Adds the code that other commands pipe to a program, by their text.
fn piped(program: &str, input: &str, line: usize, reader: &mut Reader) {
    if !input.is_empty() {
        reader.unreadable(&format!("code that is piped to {program}:{input}"), line);
    }
}

/// Reads code in a word, after the code around it. Code that no shell runs has its digest alone.
pub(super) fn inner(interpreter: &str, code: &Word, reader: &mut Reader) {
    if code.text.trim_start().starts_with('$') && code.is_computed {
        reader.unreadable(&format!("code in {}", code.text), code.line);
    } else if is_shell(interpreter) {
        reader.shell(code.text.clone(), code.line);
    } else {
        reader.opaque(
            &format!("{interpreter} code"),
            code.text.as_bytes(),
            code.line,
        );
    }
}

fn evaluated(program: &str, rest: &[Word], reader: &mut Reader) {
    let Some(first) = rest.first() else {
        return;
    };
    let (text, line) = (texts(rest), first.line);
    if matches!(program, "." | "source") {
        let is_stream = first.text.starts_with("<(") || first.text.starts_with("/dev/");
        if first.is_computed && !is_own_path(&first.text) || is_stream {
            reader.unreadable(&format!("{program} {text}"), line);
        }
        return;
    }
    if rest.iter().any(|word| word.is_computed) {
        reader.unreadable(&format!("{program} {text}"), line);
    }
    if !first.is_computed {
        reader.shell(text, line);
    }
}

/// Returns whether a computed path begins with the folder of the script or of the skill.
fn is_own_path(path: &str) -> bool {
    OWN.iter().any(|own| path.contains(own))
}

/// Reads the commands that stand in the arguments of a program: `find -exec`, `ssh host 'command'`, `git -c alias.x='!…'`.
fn nested(program: &str, rest: &[Word], reader: &mut Reader) {
    if matches!(program, "find" | "fd") {
        let is_start = |word: &Word| has("-exec -execdir -ok -okdir -x -X", &word.text);
        for command in rest.split(is_start).skip(1) {
            let mut ends = command.split(|word| matches!(word.text.as_str(), ";" | "+"));
            read(ends.next().unwrap_or_default(), "", reader);
        }
    }
    if program == "ssh" {
        let words = positional(program, rest).into_iter().skip(1);
        for word in words.filter(|word| word.is_quoted || word.text.contains(' ')) {
            inner("sh", word, reader);
        }
    }
    if !has(RUN_OTHERS, program) {
        return;
    }
    for word in rest
        .iter()
        .filter(|word| word.is_quoted || word.text.contains('!'))
    {
        let code = word
            .text
            .split_once('!')
            .map_or(word.text.as_str(), |(_, code)| code);
        // A setting of git: `core.pager=git push`.
        let code = code.split_once('=').map_or(code, |(_, value)| value);
        if code.contains(' ') && code.split_whitespace().next().is_some_and(is_known) {
            reader.shell(code.to_owned(), word.line);
        }
    }
    let shell = rest
        .iter()
        .position(|word| is_interpreter(&self::program(&word.text)));
    if let Some(at) = shell.filter(|_| program != "git") {
        read(&rest[at..], "", reader);
    }
}

/// Reports a command whose program is computed.
fn computed(first: &Word, words: &[Word], reader: &mut Reader) {
    let text = first.text.as_str();
    if is_own_path(text) {
        let path = text.rsplit_once('}').map_or(text, |(_, path)| path);
        let path = path.trim_start_matches('/');
        if is_program(path) {
            let name = ran(path).unwrap_or_default();
            reader.runs.insert(name, "sh".to_owned());
            return reader.add(PowerKind::Commands, path, first.line);
        }
    }
    // `$x = 1` and `$x.y` of PowerShell are not calls.
    let second = words.get(1).map_or("", |word| word.text.as_str());
    let is_expression = has("= += -eq == :=", second);
    // A blank of a template that the agent fills in: `{{command}}`.
    let is_blank = text.starts_with('<') || text.starts_with("{{") && words.len() == 1;
    let is_code = text.starts_with(['$', '`', '&'])
        || !text.is_ascii() && text.chars().any(|c| c.is_ascii_alphanumeric())
        || text.contains(['*', '?', '{']);
    if is_code && !is_expression && !is_blank && !text.starts_with("...") {
        reader.unreadable(&format!("command {}", texts(words)), first.line);
    }
}
