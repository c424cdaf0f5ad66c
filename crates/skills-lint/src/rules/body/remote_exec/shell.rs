//! Programs that run their input.

const SHELLS: [&str; 17] = [
    "sh",
    "bash",
    "zsh",
    "fish",
    "dash",
    "ksh",
    "python",
    "python3",
    "node",
    "perl",
    "ruby",
    "php",
    "iex",
    "Invoke-Expression",
    "pwsh",
    "powershell",
    "deno",
];

/// Returns whether a word is the name or the path of a program that runs its input.
pub(super) fn is_shell(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    SHELLS.contains(&name)
}

/// The maximum number of pipes after a command that are read.
const MAX_PIPES: usize = 8;
/// The maximum number of words after a pipe that are searched for the name of a shell.
const MAX_WORDS: usize = 8;

/// Returns the end of the shell into which a command is piped.
pub(super) fn piped(command: &str) -> Option<usize> {
    let mut start = 0;
    for part in command.split('|').take(MAX_PIPES + 1) {
        let mut words = part
            .split_whitespace()
            .take(MAX_WORDS)
            .filter(|word| !word.starts_with('-') && !word.contains('='));
        let first = words.find(|word| !matches!(*word, "sudo" | "env"));
        let shell = first.unwrap_or_default();
        let shell = shell.trim_end_matches(|c: char| !c.is_alphanumeric());
        if start > 0 && is_shell(shell) && !is_filter(part, shell) {
            return Some(start + part.find(shell)? + shell.len());
        }
        start += part.len() + 1;
    }
    None
}

/// Returns whether an interpreter only reads its input as data: `| python3 -m json.tool`, `| python -c '…'`.
fn is_filter(command: &str, shell: &str) -> bool {
    let is_interpreter = !matches!(
        shell.rsplit('/').next(),
        Some("sh" | "bash" | "zsh" | "dash" | "ksh" | "iex")
    );
    let rest = command
        .split_once(shell)
        .map_or("", |(_, rest)| rest)
        .trim_start();
    is_interpreter
        && ["-c", "-m", "-e", "-n", "-p", "-r", "eval"]
            .iter()
            .any(|flag| rest.starts_with(flag))
}
