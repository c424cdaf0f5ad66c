//! Programs that run what they read.

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

/// Whether a word is the name or the path of a program that runs what it reads.
pub(super) fn is_shell(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    SHELLS.contains(&name)
}
