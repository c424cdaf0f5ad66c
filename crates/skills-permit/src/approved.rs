//! The calls that active skills approve.

use crate::command_line::is_approved_command;
use crate::kind::ToolKind;
use crate::pattern::{is_like, matches_parts, may_match};
use skills_format::ToolRule;

/// The rules of `allowed-tools` by which a gate *may* skip its question, in a host that reads the list as an approval.
///
/// A skill approves only if a person started it, and if it is part of the program, lies in a folder of the
/// person, or was trusted by the digests of its files. A skill of an MCP server, a scheduled skill and a
/// skill that the model started approve nothing. The rules end with the turn that
/// starts the skill, and with `/skill stop`. They are not stored with a session.
///
/// Ask [`Approved::admits`] after the host's own limits and [`Narrowed::allows`](crate::Narrowed::allows):
/// what the host forbids, and what a skill takes away, stays forbidden.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Approved {
    /// The rules, in the order of the skills and of their lists.
    pub rules: Vec<ApprovedRule>,
}

/// A rule that approves calls of one of the host's tools.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ApprovedRule {
    /// The id of the skill.
    pub skill: String,
    /// The host's name of the tool.
    pub tool: String,
    /// The rule, with the name that [`ToolNames`](crate::ToolNames) gives to the tool.
    pub rule: ToolRule,
    #[cfg_attr(feature = "serde", serde(skip))]
    /// The kind by which the inputs of the tool are read.
    pub kind: ToolKind,
    /// The patterns of `disallowed-tools` for this tool.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub denied: Vec<ToolRule>,
}

impl Approved {
    /// Returns whether the rules approve a call. `tool` is the host's name of the tool. `input` is what
    /// the call acts on: the command line of a shell, the path of a file relative to the project, the
    /// address of a page.
    ///
    /// What cannot be read with certainty is not admitted, and the gate asks:
    ///
    /// - A shell gets one simple command, written for a POSIX shell: no operator, redirect, expansion,
    ///   glob, assignment, comment or line end, and quotes only around whole words. This holds also for a
    ///   rule without a pattern. `git log:*` and `git log *` admit a command of these words with or without
    ///   further words. Among these, an option is admitted only if it is on the list of the harmless options
    ///   of its program and sub-command: `git status --short`, `ls -la`, `cargo test --lib`. Other programs get
    ///   no options, no `NAME=VALUE` and no `@file` that the rule does not name. `*` and `:*` are not patterns.
    /// - A path has no `..`, no `~`, no backslash and no glob. `src/**` admits paths below `src`. An absolute
    ///   path is admitted only by a pattern that begins with `/` or `//`, also as the folder of
    ///   `${SKILL_DIR}`. A tool that writes gets a hidden file, such as `.git/hooks/pre-commit`, only if the pattern
    ///   spells each name that begins with a dot.
    /// - An address begins with `http://` or `https://`. `domain:example.com` admits this host alone,
    ///   `domain:*.example.com` the hosts below it.
    /// - Any other pattern admits an input of the same text.
    ///
    /// Links are not followed here: a host that reads through links compares the path that it ends at.
    ///
    /// # Cost
    ///
    /// At most the product of the lengths of the input and the patterns.
    ///
    /// ```
    /// use skills_permit::{Rules, ToolKind};
    ///
    /// let rules = Rules::parse("Read Bash(git log:*)", "");
    /// assert!(rules.approves("run", ToolKind::Shell, "git log --since=monday"));
    /// assert!(!rules.approves("run", ToolKind::Shell, "git log; rm -rf ."), "the gate asks");
    /// assert!(!rules.approves("run", ToolKind::Shell, "git push"), "the gate asks");
    /// ```
    pub fn admits(&self, tool: &str, input: &str) -> bool {
        let mut of_tool = self.rules.iter().filter(|rule| rule.tool == tool);
        of_tool.any(|rule| rule.admits(input))
    }
}

impl ApprovedRule {
    fn admits(&self, input: &str) -> bool {
        let takes = |rule: &ToolRule| may_match(rule.pattern.as_deref().unwrap_or("*"), input);
        !self.denied.iter().any(takes) && self.is_in_pattern(input)
    }

    fn is_in_pattern(&self, input: &str) -> bool {
        let pattern = self.rule.pattern.as_deref();
        match self.kind {
            ToolKind::Shell => is_approved_command(pattern, input),
            ToolKind::Read | ToolKind::Search | ToolKind::List => is_approved_path(pattern, input),
            ToolKind::Write | ToolKind::Edit | ToolKind::Notebook => {
                is_approved_path(pattern, input) && spells_hidden(pattern, input)
            }
            ToolKind::Fetch => is_approved_address(pattern, input),
            // What the input of the other kinds means is not known: only the text of the rule is admitted.
            _ => {
                pattern.is_none_or(|pattern| pattern == input && !input.contains(char::is_control))
            }
        }
    }
}

/// Returns the parts of a path, without a leading `./`. `None`: the path has another meaning for some
/// system or tool than its text shows.
fn parts(path: &str) -> Option<(bool, Vec<&str>)> {
    let is_plain = |c: char| match c {
        '\\' | ':' | '$' | '`' | '%' | '*' | '?' | '[' | ']' | '{' | '}' | '~' | '<' | '>'
        | '|' | '"' => false,
        ' '..='\u{7e}' => true,
        c => c.is_alphanumeric(),
    };
    let (is_absolute, relative) = match path.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, path.strip_prefix("./").unwrap_or(path)),
    };
    // Windows drops dots and spaces at the end of a name.
    let is_named =
        |part: &&str| !part.is_empty() && !part.ends_with(['.', ' ']) && !part.starts_with(' ');
    let parts: Vec<&str> = relative.split('/').collect();
    let is_read = path.chars().all(is_plain) && parts.iter().all(is_named);
    is_read.then_some((is_absolute, parts))
}

fn is_approved_path(pattern: Option<&str>, input: &str) -> bool {
    let Some((is_absolute, path)) = parts(input) else {
        return false;
    };
    let Some(pattern) = pattern else {
        // `Read` asks for the files of the project. An absolute path can be any file of the computer, and whether the
        // path leads into the project is not known here.
        return !is_absolute;
    };
    // `//` is the root in programs in which a single `/` stands for the project.
    let root = pattern.strip_prefix("//");
    let (of_absolute, pattern) = match root.or_else(|| pattern.strip_prefix('/')) {
        Some(rest) => (true, rest),
        // A pattern that begins with `~` matches nothing: no path that is read has a `~`.
        None => (false, pattern.strip_prefix("./").unwrap_or(pattern)),
    };
    let is_other = |c: char| matches!(c, '?' | '[' | ']' | '{' | '}' | '!' | '\\' | ':');
    let pattern: Vec<&str> = pattern.split('/').collect();
    let is_read = |part: &&str| {
        let stars = part.matches('*').count();
        !part.is_empty() && *part != "." && *part != ".." && (stars < 2 || *part == "**")
    };
    of_absolute == is_absolute
        && pattern.iter().all(is_read)
        && !pattern.iter().any(|part| part.contains(is_other))
        && matches_parts(&pattern, &path, is_like)
}

/// Returns whether the pattern spells each hidden part of a path. Hidden files are programs and settings of other
/// programs: who writes `.git/hooks/pre-commit` or `.vscode/tasks.json` runs a command later.
fn spells_hidden(pattern: Option<&str>, path: &str) -> bool {
    let named = |part: &str| pattern.is_some_and(|pattern| pattern.split('/').any(|it| it == part));
    let mut parts = path.split('/');
    parts.all(|part| part == "." || !part.starts_with('.') || named(part))
}

fn is_approved_address(pattern: Option<&str>, input: &str) -> bool {
    let Some(host) = host(input) else {
        return false;
    };
    let Some(pattern) = pattern else {
        return true;
    };
    let Some(domain) = pattern.strip_prefix("domain:") else {
        return pattern == input;
    };
    match domain.strip_prefix("*.") {
        Some(domain) => {
            let below = host.strip_suffix(&*domain.to_ascii_lowercase());
            below.is_some_and(|below| below.ends_with('.'))
        }
        None => host == domain.to_ascii_lowercase(),
    }
}

/// Returns the host of an address, in lower case. `None`: programs can disagree about the host.
fn host(address: &str) -> Option<String> {
    let rest = address
        .strip_prefix("https://")
        .or_else(|| address.strip_prefix("http://"))?;
    if !address.chars().all(|c| c.is_ascii_graphic() && c != '\\') {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest.get(..end)?;
    let (host, port) = authority.split_once(':').unwrap_or((authority, "443"));
    let is_label = |label: &str| {
        let is_in = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.bytes().all(is_in)
    };
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_port && host.split('.').all(is_label)).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests;
