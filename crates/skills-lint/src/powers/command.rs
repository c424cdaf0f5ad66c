//! The powers of one command: its program and sub-command, packages, hosts, paths.

use crate::powers::host::{authority, bare, hosts};
use crate::powers::outside::{outside, place_of_keys};
use crate::powers::package;
use crate::powers::reader::{MAX_DEPTH, Reader, excerpt};
use crate::powers::script::{is_interpreter, is_shell};
use crate::powers::tables::has;
use crate::powers::tables::options::OPTIONS;
use crate::powers::tables::programs::{
    BUILTINS, FIRST_IS_HOST, MIGHTY, REACHING, SUBCOMMANDS, WRAPPERS, is_known,
};
use crate::powers::word::{
    Word, assignment, is_environment, is_program, own_path, positional, program, with_value,
};
use skills_permit::PowerKind;
use skills_permit::power::cover::{EVERY_VARIABLE, PROTECTIVE};

/// Reads the words of a command. `input` is the text of the commands whose output it gets; empty without.
pub(super) fn read(words: &[Word], input: &str, reader: &mut Reader) {
    let words = strip_wrappers(words, reader);
    let Some(first) = words.first() else {
        return;
    };
    let line = first.line;
    // A key of JSON or YAML: `"signature": true`, and perhaps a command after it: `run: git push`.
    if first.text.ends_with(':') && first.text != ":" {
        let rest = words.get(1..).unwrap_or_default();
        arguments(rest, line, reader);
        if rest
            .first()
            .is_some_and(|word| is_known(&program(&word.text)))
        {
            read(rest, input, reader);
        }
        return;
    }
    // A blank of a template that the agent fills in: `{{command}}`.
    if first.text.starts_with("{{") && first.text.ends_with("}}") && words.len() == 1 {
        return;
    }
    arguments(words, line, reader);
    let program = program(&first.text);
    // `"C:\Program Files\a\b.exe" --go`
    if first.is_quoted && is_executable(&first.text) && first.text.contains('\\') {
        let name = first.text.rsplit(['/', '\\']).next().unwrap_or_default();
        return reader.add(PowerKind::Commands, name, line);
    }
    if first.is_computed || !is_program(&program) {
        return computed(first, words, reader);
    }
    if has(BUILTINS, &program) {
        return;
    }
    // A slash command of a client: `/compound [context]`. No program is in the root.
    if first.text.starts_with('/') && !program.is_empty() && first.text.len() == program.len() + 1 {
        return;
    }
    let is_own = reader.functions.contains(&program) && !is_known(&program);
    if is_own {
        return;
    }
    let rest = words.get(1..).unwrap_or_default();
    if matches!(
        program.to_ascii_lowercase().as_str(),
        "eval" | "." | "source" | "iex" | "invoke-expression" | "icm"
    ) {
        if rest.is_empty() {
            piped(&program, input, line, reader);
        }
        return evaluated(&program, rest, reader);
    }
    if package::read(&program, rest, line, reader) {
        return;
    }
    let name = named(&program, rest) + protection(&program, rest);
    options(&program, &name, rest, line, reader);
    reach(&program, rest, line, reader);
    interpreted(&program, rest, input, line, reader);
    nested(&program, rest, reader);
    if matches!(program.as_str(), "printenv" | "set" | "env" | "export") && rest.is_empty() {
        reader.add(PowerKind::Variables, EVERY_VARIABLE, line);
    }
    if let Some(path) = ran(&program).filter(|path| path.contains('/') || first.text != *path) {
        reader.runs.insert(path, "sh".to_owned());
    }
    reader.add(PowerKind::Commands, name, line);
}

/// Returns whether a word ends as the names of programs of Windows do.
fn is_executable(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    [".exe", ".ps1", ".cmd", ".bat"]
        .iter()
        .any(|end| lower.ends_with(end))
}

/// Skips the commands that start other commands: `sudo`, `env A=b`, `timeout 5`.
fn strip_wrappers<'w>(words: &'w [Word], reader: &mut Reader) -> &'w [Word] {
    let mut words = words;
    for _ in 0..MAX_DEPTH {
        let Some(first) = words.first() else {
            return words;
        };
        if assignment(&first.text).is_some() {
            arguments(words.get(..1).unwrap_or_default(), first.line, reader);
            words = words.get(1..).unwrap_or_default();
            continue;
        }
        let name = program(&first.text);
        let Some((_, own)) = WRAPPERS.iter().find(|(wrapper, _)| *wrapper == name) else {
            return words;
        };
        let values = with_value(&name);
        let mut at = 1;
        let mut own = *own;
        while let Some(word) = words.get(at) {
            // `env -S 'curl a.org'` splits the text into words.
            if name == "env" && word.text.contains('S') && word.text.starts_with('-') {
                let code: Vec<&str> = words[at..].iter().map(|word| word.text.as_str()).collect();
                reader.unreadable(&format!("env {}", code.join(" ")), word.line);
            }
            if word.text.starts_with('-') && word.text != "-" {
                at += 1 + usize::from(has(values, &word.text));
            } else if name == "env" && assignment(&word.text).is_some() {
                at += 1;
            } else if own > 0 {
                own -= 1;
                at += 1;
            } else {
                break;
            }
        }
        let rest = words.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return words;
        }
        if has(MIGHTY, &name) {
            reader.add(PowerKind::Commands, name, first.line);
        }
        words = rest;
    }
    words
}

/// Returns a program with its sub-command.
fn named(program: &str, rest: &[Word]) -> String {
    let Some((_, count)) = SUBCOMMANDS.iter().find(|(name, _)| *name == program) else {
        if program.starts_with("python") {
            let module = rest.iter().position(|word| word.text == "-m");
            let module = module.and_then(|at| rest.get(at + 1));
            if let Some(module) = module {
                return format!("{program} -m {}", module.text);
            }
        }
        return program.to_owned();
    };
    let mut name = program.to_owned();
    let is_two = |word: &str| {
        matches!(
            (program, word),
            ("docker" | "podman", "compose")
                | ("git", "remote" | "config" | "submodule" | "lfs")
                | ("npm" | "kubectl", "config")
                | ("uv", "pip" | "tool")
                | ("claude" | "codex", "mcp")
                | ("supabase", "db")
        )
    };
    let mut count = *count;
    for word in positional(program, rest) {
        let is_word = word
            .text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
            && word.text.starts_with(|c: char| c.is_ascii_alphabetic());
        if count == 0 || !is_word || word.is_computed {
            break;
        }
        name.push(' ');
        name.push_str(&word.text);
        count -= 1;
        if count == 0 && name.matches(' ').count() == 1 && is_two(&word.text) {
            count = 1;
        }
    }
    name
}

/// Returns the option with which a command changes nothing, as a part of its name: without the option it does more.
fn protection(program: &str, rest: &[Word]) -> &'static str {
    let is_given = |option: &str| rest.iter().any(|word| word.text == option);
    if matches!(program, "make" | "rsync") && is_given("-n") {
        return " --dry-run";
    }
    let found = PROTECTIVE
        .iter()
        .find(|option| is_given(option.trim_start()));
    found.copied().unwrap_or_default()
}

fn options(program: &str, name: &str, rest: &[Word], line: usize, reader: &mut Reader) {
    for (of, options, power) in OPTIONS {
        if *of != program && *of != name {
            continue;
        }
        let is_given = rest.iter().any(|word| {
            let option = word.text.split('=').next().unwrap_or_default();
            has(options, option) || has(options, &word.text) || bundled(options, option)
        });
        if is_given {
            reader.add(PowerKind::Commands, *power, line);
        }
    }
    // Variables for the program that another program starts: `docker run -e TOKEN=x`.
    for pair in rest.windows(2) {
        if let [option, given] = pair
            && matches!(option.text.as_str(), "-e" | "--env")
            && let Some(name) = given.text.split('=').next()
            && is_environment(name)
        {
            reader.add(PowerKind::Variables, name, line);
        }
    }
    let method = rest.iter().position(|word| {
        matches!(
            word.text.as_str(),
            "-X" | "--request" | "--method" | "-Method"
        )
    });
    let glued = rest.iter().find_map(|word| {
        word.text
            .strip_prefix("-X")
            .or(word.text.strip_prefix("--request="))
            .filter(|it| !it.is_empty())
    });
    let method = method
        .and_then(|at| rest.get(at + 1))
        .map(|word| word.text.as_str())
        .or(glued);
    if method.is_some_and(|method| {
        !matches!(
            method.to_ascii_uppercase().as_str(),
            "GET" | "HEAD" | "OPTIONS"
        )
    }) {
        reader.add(PowerKind::Commands, format!("{program} (sends)"), line);
    }
}

/// Returns whether a bundle of short options has one of the options: `-fsSLd` has `-d`. `-rf` of `rm` has `-r`.
fn bundled(options: &str, option: &str) -> bool {
    let Some(letters) = option.strip_prefix('-').filter(|it| {
        !it.starts_with('-') && it.len() > 1 && it.chars().all(|c| c.is_ascii_alphabetic())
    }) else {
        return false;
    };
    let short = options.split_ascii_whitespace().filter(|it| it.len() == 2);
    letters.len() <= 8
        && short
            .into_iter()
            .any(|it| it.chars().nth(1).is_some_and(|c| letters.contains(c)))
}

/// Adds hosts and paths of the words, wherever they stand.
fn arguments(words: &[Word], line: usize, reader: &mut Reader) {
    for word in words {
        for (at, host) in hosts(&word.text) {
            let line = word.line
                + word
                    .text
                    .get(..at)
                    .unwrap_or_default()
                    .matches('\n')
                    .count();
            reader.add(PowerKind::Hosts, host, line);
        }
        paths(&word.text, word.line.max(line), reader);
    }
}

/// Adds the paths of a word: the word itself, and what follows `=`, `:` and `@`, as in `-d @/etc/passwd`.
pub(super) fn paths(word: &str, line: usize, reader: &mut Reader) {
    let is_end = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '=' | '@' | '"' | '\'' | '(' | ',' | ';' | '|' | '&' | '<' | '>' | '`'
            )
    };
    // In a text of several words, `/` and `~` alone are operators and ends of tags: `a / b`, `x =~ y`, `Path=/`.
    let is_text = word.contains(char::is_whitespace) || word == "=~";
    // `"/repos/<owner>/<repo>"` is cut into parts too.
    let names_root = word.trim_matches(['"', '\'', '`']) == "/"
        || !is_text && word.ends_with("=/")
        || word.starts_with("/:");
    for part in word.split(is_end).flat_map(|part| {
        part.split(":/").enumerate().map(|(at, rest)| {
            if at == 0 {
                rest.to_owned()
            } else {
                format!("/{rest}")
            }
        })
    }) {
        if part.contains("//") || is_text && part == "~" || part == "/" && !names_root {
            continue;
        }
        if let Some(path) = outside(&part).or_else(|| place_of_keys(&part)) {
            if path.starts_with("/proc") && path.contains("environ") {
                reader.add(PowerKind::Variables, EVERY_VARIABLE, line);
            }
            reader.add(PowerKind::Files, path, line);
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
            text.split_once('@')
                .and_then(|(_, rest)| rest.contains(':').then(|| bare(rest)).flatten())
        } else if is_first && at == 0 {
            let own = text.rsplit('@').next().unwrap_or(text);
            bare(text).or_else(|| authority(own))
        } else if matches!(program, "scp" | "rsync") {
            text.split_once(':')
                .filter(|(host, _)| !host.is_empty() && !host.contains('/'))
                .and_then(|(host, _)| authority(host.rsplit('@').next()?))
        } else if word.is_computed && text.starts_with('$') && program != "openssl" {
            variable_host(text)
        } else {
            bare(text.trim_start_matches('@'))
        };
        if let Some(host) = host.filter(|host| !host.is_empty()) {
            reader.add(PowerKind::Hosts, host, line);
        }
    }
}

/// Returns a computed address by its first variable: `$URL/x` is `$URL`.
fn variable_host(text: &str) -> Option<String> {
    if text.starts_with("$(") {
        return Some(excerpt(text));
    }
    let end = text
        .char_indices()
        .skip(1)
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '{' | '}')));
    text.get(..end.map_or(text.len(), |(at, _)| at))
        .map(ToOwned::to_owned)
}

/// Reads the code that an interpreter gets as an argument, or reports the code that another command pipes to it.
fn interpreted(program: &str, rest: &[Word], input: &str, line: usize, reader: &mut Reader) {
    if !is_interpreter(program) {
        if matches!(program, "at" | "batch" | "crontab") {
            piped(program, input, line, reader);
        }
        return;
    }
    let is_code = |word: &str| {
        matches!(
            word,
            "-c" | "-e"
                | "--eval"
                | "-p"
                | "-E"
                | "-Command"
                | "/c"
                | "-r"
                | "--command"
                | "/C"
                | "-pe"
                | "-ne"
                | "-lc"
                | "-ec"
                | "-ic"
                | "-xc"
                | "-command"
                | "eval"
        ) || is_shell(program)
            && word.starts_with('-')
            && !word.starts_with("--")
            && word.ends_with('c')
    };
    if rest
        .iter()
        .any(|word| word.text.to_ascii_lowercase().starts_with("-enc"))
    {
        let words: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
        reader.unreadable(&format!("{program} {}", words.join(" ")), line);
    }
    if let Some(at) = rest.iter().position(|word| is_code(&word.text)) {
        if let Some(code) = rest.get(at + 1) {
            inner(program, code, reader);
        }
        return;
    }
    let script = positional(program, rest)
        .into_iter()
        .find(|word| !matches!(word.text.as_str(), "run" | "test"));
    if let Some(path) = script.and_then(|word| ran(&word.text)) {
        reader.runs.insert(path, program.to_owned());
    }
    let reads_input = script.is_none_or(|word| matches!(word.text.as_str(), "-" | "/dev/stdin"));
    if program != "awk" && program != "gawk" && reads_input {
        piped(program, input, line, reader);
    }
    if let Some(word) =
        script.filter(|word| word.text.starts_with("<(") || word.text.starts_with("$("))
    {
        reader.unreadable(&format!("{program} {}", word.text), line);
    }
}

/// Returns the path of a file of the skill that is run.
fn ran(word: &str) -> Option<String> {
    let path = own_path(word).unwrap_or(word);
    let is_path =
        !path.is_empty() && !path.starts_with(['/', '~', '$', '-']) && !path.contains("..");
    is_path.then(|| path.to_owned())
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
        return reader.unreadable(&format!("code in {}", code.text), code.line);
    }
    if is_shell(interpreter) {
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
    let texts: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    let text = texts.join(" ");
    if matches!(program, "." | "source") {
        if let Some(path) = ran(&first.text) {
            reader.runs.insert(path, "sh".to_owned());
        }
        if first.is_computed && !is_own_path(&first.text)
            || first.text.starts_with("<(")
            || first.text.starts_with("/dev/")
        {
            reader.unreadable(&format!("{program} {text}"), first.line);
        }
        return;
    }
    if rest.iter().any(|word| word.is_computed) {
        reader.unreadable(&format!("{program} {text}"), first.line);
    }
    if first.is_computed {
        return;
    }
    let code = Word {
        text,
        line: first.line,
        is_computed: false,
        is_quoted: true,
    };
    inner("sh", &code, reader);
}

/// Returns whether a computed path begins with the folder of the script or of the skill.
fn is_own_path(path: &str) -> bool {
    [
        "SKILL_DIR",
        "SCRIPT_DIR",
        "BASH_SOURCE",
        "PLUGIN_ROOT",
        "dirname",
        "SCRIPTPATH",
        "%~dp0",
        "PSScriptRoot",
    ]
    .iter()
    .any(|own| path.contains(own))
}

/// Reads the commands that stand in the arguments of a program: `find -exec`, `ssh host 'command'`, `git -c alias.x='!…'`.
fn nested(program: &str, rest: &[Word], reader: &mut Reader) {
    if program == "find" || program == "fd" {
        for (at, _) in rest.iter().enumerate().filter(|(_, word)| {
            matches!(
                word.text.as_str(),
                "-exec" | "-execdir" | "-ok" | "-x" | "-X"
            )
        }) {
            let command = rest.get(at + 1..).unwrap_or_default();
            let end = command
                .iter()
                .position(|word| matches!(word.text.as_str(), ";" | "+"))
                .unwrap_or(command.len());
            read(command.get(..end).unwrap_or_default(), "", reader);
        }
    }
    // The programs of these run others.
    if matches!(program, "awk" | "gawk" | "mawk" | "nawk" | "sed" | "gsed") {
        let runs = |text: &str| {
            let is_sed = program.ends_with("sed");
            !is_sed && (text.contains("system(") || text.contains('|'))
                || is_sed
                    && (text.starts_with("e ")
                        || text.starts_with("1e ")
                        || text.ends_with('e') && text.len() > 4)
        };
        for word in rest.iter().filter(|word| runs(&word.text)) {
            reader.opaque(&format!("{program} code"), word.text.as_bytes(), word.line);
        }
    }
    if program == "ssh" {
        let command = positional(program, rest);
        for word in command
            .into_iter()
            .skip(1)
            .filter(|word| word.is_quoted || word.text.contains(' '))
        {
            inner("sh", word, reader);
        }
    }
    if matches!(
        program,
        "docker"
            | "podman"
            | "kubectl"
            | "su"
            | "tmux"
            | "screen"
            | "watch"
            | "crontab"
            | "at"
            | "git"
            | "make"
            | "tar"
            | "vim"
            | "rsync"
            | "gdb"
            | "script"
    ) {
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
                inner(
                    "sh",
                    &Word {
                        text: code.to_owned(),
                        ..word.clone()
                    },
                    reader,
                );
            }
        }
        let shell = rest
            .iter()
            .position(|word| is_interpreter(&self::program(&word.text)));
        if let Some(at) = shell.filter(|_| program != "git") {
            read(rest.get(at..).unwrap_or_default(), "", reader);
        }
    }
}

/// Reports a command whose program is computed.
fn computed(first: &Word, words: &[Word], reader: &mut Reader) {
    if is_own_path(&first.text) {
        let path = first.text.rsplit_once('}');
        let path = path.map_or(first.text.as_str(), |(_, path)| path);
        let path = path.trim_start_matches('/');
        if is_program(path) {
            reader.runs.insert(path.to_owned(), "sh".to_owned());
            return reader.add(PowerKind::Commands, path, first.line);
        }
    }
    // `$x = 1` and `$x.y` of PowerShell are no calls.
    let is_expression = words
        .get(1)
        .is_some_and(|word| matches!(word.text.as_str(), "=" | "+=" | "-eq" | "==" | ":="));
    if first.text.starts_with('<') || first.text.is_empty() || is_expression {
        return;
    }
    let is_code = first.text.starts_with(['$', '`', '&'])
        || !first.text.is_ascii() && first.text.chars().any(|c| c.is_ascii_alphanumeric())
        || first.text.contains(['*', '?'])
        || first.text.contains('{');
    if is_code && !first.text.starts_with("...") {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        reader.unreadable(&format!("command {}", texts.join(" ")), first.line);
    }
}
