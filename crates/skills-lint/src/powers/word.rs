//! Words of a command, and what they can be: a program, an option, a variable.

use crate::powers::script;
use crate::powers::tables::has;
use crate::powers::tables::options::WITH_VALUE;
use crate::powers::tables::programs::is_known;

/// Variables that every environment has, and that name no secret.
const PLAIN: &str = "HOME PATH PWD OLDPWD USER SHELL TMPDIR LANG LC_ALL IFS RANDOM SECONDS LINENO BASH_SOURCE BASH BASH_VERSION \
    FUNCNAME PIPESTATUS REPLY OPTARG OPTIND EUID UID PPID HOSTNAME TERM COLUMNS LINES EDITOR PAGER DISPLAY ARGUMENTS \
    CLAUDE_SKILL_DIR SKILL_DIR CLAUDE_PLUGIN_ROOT CLAUDE_PROJECT_DIR CLAUDE_SESSION_ID PLUGIN_ROOT BASH_REMATCH OSTYPE PSScriptRoot \
    USERPROFILE APPDATA LOCALAPPDATA TEMP TMP PATHEXT LOGNAME";

/// Extensions of sources that no name runs.
const COMPILED: &str =
    "rs go c cpp cs java kt dart swift html htm vue svelte svg jsx ts tsx tf sql ipynb";

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The text without quotation marks and escapes. Variables and commands in it stay as written.
    pub(crate) text: String,
    pub(crate) line: usize,
    /// A variable or a command is put in before the word is used.
    pub(crate) is_computed: bool,
    /// A part of the word is quoted.
    pub(crate) is_quoted: bool,
}

impl Word {
    /// A word as it is written.
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }
}

/// Returns the name of a program: the last part of its path below the root, in lower case; a path of the skill stays.
pub(super) fn program(word: &str) -> String {
    if word == "." {
        return word.to_owned();
    }
    let word = word.trim_end_matches([',', '.', ':', ';']);
    if word.starts_with('/') || word.starts_with('~') {
        let name = word.rsplit('/').next().unwrap_or(word);
        return known_as(name);
    }
    known_as(own_path(word).unwrap_or(word))
}

/// Returns the name in lower case if a program is known by it: some systems find `GIT` too.
fn known_as(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let bare = [".exe", ".cmd", ".bat"].iter();
    let bare = bare.fold(&*lower, |name, end| name.strip_suffix(end).unwrap_or(name));
    // `python3.12`
    let plain = bare.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let mut known = [bare, plain].into_iter().filter(|it| is_known(it));
    known.next().unwrap_or(name).to_owned()
}

/// Returns a path of the skill without the folder of the skill that is written before it.
pub(super) fn own_path(word: &str) -> Option<&str> {
    let own = [
        "./",
        "${CLAUDE_SKILL_DIR}/",
        "$CLAUDE_SKILL_DIR/",
        "${SKILL_DIR}/",
        "$SKILL_DIR/",
        "{baseDir}/",
        "${CLAUDE_PLUGIN_ROOT}/",
        ".\\",
    ];
    own.iter()
        .find_map(|beginning| word.strip_prefix(beginning))
}

/// Returns whether a word is the path of a script that begins in the folder of the skill: `scripts/run.sh`.
pub(super) fn names_own_script(word: &str) -> bool {
    let path = own_path(word).unwrap_or(word);
    script::is_script_path(path)
        && !has(COMPILED, &script::extension(path))
        && (word.len() > path.len() || path.contains('/'))
        && !path.starts_with(['/', '~', '<'])
        && !path.contains("://")
        && is_program(path)
}

/// Returns whether a word can be the name of a program.
pub(super) fn is_program(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-/+[]:\\@{}%".contains(c);
    let is_pattern = word.contains("...") || word.contains('{') && word.contains(',');
    !is_pattern
        && !word.is_empty()
        // An element of a list: `PROXIES=("http://a.org")`.
        && !word.contains("://")
        && word.chars().all(is_part)
        && !word.starts_with(['-', '@', '+', '%'])
        && !word.ends_with(['/', '\\'])
        // `[--option]` of a usage, and `[Fill this in]` of a template.
        && (!word.starts_with('[') || matches!(word, "[" | "[["))
        // A sum: `((COUNT++))`, and `1`.
        && (!word.ends_with("++") || is_known(word))
        && !word.chars().all(|c| c.is_ascii_digit())
}

/// Returns the name and the value of an assignment.
pub(super) fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then_some((name, value))
}

/// Returns the options of a program that take the next word.
pub(super) fn with_value(program: &str) -> &'static str {
    let program = if program == "pip3" { "pip" } else { program };
    let known = WITH_VALUE.iter().find(|(name, _)| *name == program);
    known.map_or("", |(_, options)| options)
}

/// Returns the words that are not options, and not values of options.
pub(super) fn positional<'w>(program: &str, rest: &'w [Word]) -> Vec<&'w Word> {
    let values = with_value(program);
    let mut found = Vec::new();
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if !(word.text.starts_with('-') && word.text.len() > 1 || word.text.starts_with('+')) {
            found.push(word);
        } else if has(values, &word.text) {
            words.next();
        }
    }
    found
}

/// Returns the given options of a list with their values: `--name value`, `--name=value`.
pub(super) fn values<'w>(
    rest: &'w [Word],
    names: &str,
) -> impl Iterator<Item = (&'w str, &'w str)> {
    rest.iter().enumerate().filter_map(move |(at, word)| {
        let (option, glued) = match word.text.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.text.as_str(), None),
        };
        let next = rest.get(at + 1).map(|word| word.text.as_str());
        has(names, option).then_some((option, glued.or(next)?))
    })
}

/// Returns the texts of words, with spaces between them.
pub(super) fn texts(words: &[Word]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    texts.join(" ")
}

/// Returns whether a name is a variable of the environment: in capitals, or the name of a secret.
pub(super) fn is_environment(name: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let is_capital = name
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && name.chars().filter(char::is_ascii_uppercase).count() > 1;
    name.chars().all(is_name) && (is_capital || is_secret(name)) && !has(PLAIN, name)
}

/// Returns whether a name is that of a secret.
pub(super) fn is_secret(name: &str) -> bool {
    const PARTS: &str = "token secret password passwd api_key apikey credential private_key";
    let name = name.to_ascii_lowercase();
    PARTS.split(' ').any(|part| name.contains(part))
}

/// Returns whether the name of a variable ends as those of secrets do.
pub(super) fn ends_as_secret(name: &str) -> bool {
    const ENDS: &str =
        "_TOKEN _SECRET _PASSWORD _PASSWD _KEY _KEY_ID _CREDENTIALS _CREDENTIAL _PAT";
    ENDS.split(' ').any(|end| name.ends_with(end))
}

/// Returns whether a word is a known program, or a file of the skill.
pub(super) fn names_program(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    is_known(&program(word)) || names_own_script(word)
}
