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
