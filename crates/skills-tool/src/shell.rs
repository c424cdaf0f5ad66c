//! Shells that complete the arguments of this program: the script of each shell, and its form of
//! candidates.

use clap::ValueEnum;
use clap_complete::env::{Elvish, EnvCompleter, Fish, Powershell, Zsh};
use std::ffi::OsString;
use std::io;

/// The variable by which a shell asks the program for completions. Its value is the name of the shell.
pub(crate) const VARIABLE: &str = "SKILLS_COMPLETE";

/// A shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

/// The request of a shell.
#[derive(Debug)]
pub(crate) struct ShellRequest {
    pub(crate) shell: Shell,
    /// The words of the line; the first word is the program. Empty when the shell asks for its script.
    pub(crate) words: Vec<OsString>,
    /// The index of the word to complete; the last word if the shell does not report an index.
    pub(crate) index: Option<usize>,
}

/// A value that completes a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) value: String,
    /// One line for a person. Can be empty.
    pub(crate) help: String,
}

/// The script for bash. Bash cuts words at the characters of `COMP_WORDBREAKS`, so an id `user:deploy` is
/// three words. The script joins these words, and returns only the part of a candidate after the last cut.
const BASH: &str = r#"_skills() {
    local line="${COMP_LINE:0:$COMP_POINT}" words=() breaks="" kept="" part candidate i
    for ((i = 0; i <= COMP_CWORD; i++)); do
        part="${COMP_WORDS[i]}"
        if [[ $i -gt 0 && $line != [[:blank:]]* ]]; then
            [[ $i -eq $COMP_CWORD ]] && part="$line"
            words[${#words[@]}-1]+="$part"
        else
            line="${line#"${line%%[![:blank:]]*}"}"
            [[ $i -eq $COMP_CWORD ]] && part="$line"
            words+=("$part")
        fi
        line="${line#"$part"}"
    done
    part="${words[${#words[@]}-1]}"
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=":"
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+="="
    [[ -n $breaks ]] && kept="${part%"${part##*[$breaks]}"}"
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"$kept"}")
    done < <(SKILLS_COMPLETE=bash skills -- "${words[@]}" 2> /dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/:=] ]] && compopt -o nospace 2> /dev/null
    return 0
}
complete -o default -o nosort -F _skills skills 2> /dev/null || complete -o default -F _skills skills
"#;

impl Shell {
    /// Returns the shell with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::from_str(name, false).ok()
    }

    /// Returns the script that the shell reads once.
    pub(crate) fn script(self) -> io::Result<Vec<u8>> {
        let shell: &dyn EnvCompleter = match self {
            Self::Bash => return Ok(BASH.as_bytes().to_vec()),
            Self::Elvish => &Elvish,
            Self::Fish => &Fish,
            Self::Powershell => &Powershell,
            Self::Zsh => &Zsh,
        };
        let mut script = Vec::new();
        shell.write_registration(VARIABLE, "skills", "skills", "skills", &mut script)?;
        Ok(script)
    }

    /// Formats the candidates for the script, a line for each.
    pub(crate) fn lines(self, candidates: &[Candidate]) -> String {
        let line = |Candidate { value, help }: &Candidate| match self {
            Self::Fish | Self::Powershell if !help.is_empty() => format!("{value}\t{help}\n"),
            Self::Bash | Self::Elvish | Self::Fish | Self::Powershell => format!("{value}\n"),
            Self::Zsh => {
                // zsh splits a line at the first `:` without an escape. `\` first: the escape of `:` contains a
                // `\`.
                let value = value.replace('\\', r"\\").replace(':', r"\:");
                let help = help.replace('\\', r"\\");
                let separator = if help.is_empty() { "" } else { ":" };
                format!("{value}{separator}{help}\n")
            }
        };
        candidates.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_lines() {
        let id = Candidate {
            value: "user:deploy".to_owned(),
            help: r"Ships C:\x".to_owned(),
        };
        for (shell, lines) in [
            (Shell::Bash, "user:deploy\n"),
            (Shell::Fish, "user:deploy\tShips C:\\x\n"),
            (Shell::Zsh, "user\\:deploy:Ships C:\\\\x\n"),
        ] {
            assert_eq!(shell.lines(std::slice::from_ref(&id)), lines);
        }
    }

    #[test]
    fn every_shell_asks_by_the_variable() {
        for shell in Shell::value_variants() {
            let script = shell.script().expect("a script");
            let script = String::from_utf8_lossy(&script);
            assert!(script.contains(VARIABLE), "{shell:?}: {script}");
        }
    }
}
