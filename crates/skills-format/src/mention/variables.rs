//! Names in capitals: environment variables, and names of skills typed in capitals.

/// Known variables of shells, systems and hosts. In capitals these names are never a skill, even if a skill
/// has the name: `$HOME` in a message is the folder. Sorted.
const KNOWN: &[&str] = &[
    "APPDATA",
    "ARGS",
    "ARGUMENTS",
    "ARGV",
    "AWS",
    "BASH",
    "BASHPID",
    "BROWSER",
    "BUILD",
    "CC",
    "CD",
    "CDPATH",
    "CI",
    "COLUMNS",
    "CONFIG",
    "CWD",
    "CXX",
    "DATA",
    "DATE",
    "DEBUG",
    "DISPLAY",
    "EDITOR",
    "ENV",
    "EUID",
    "FILE",
    "GID",
    "GITHUB",
    "GROUPS",
    "HISTFILE",
    "HOME",
    "HOST",
    "HOSTNAME",
    "IFS",
    "INPUT",
    "JAVA",
    "KEY",
    "LANG",
    "LANGUAGE",
    "LINENO",
    "LINES",
    "LOG",
    "LOGNAME",
    "MAIL",
    "MANPATH",
    "MODE",
    "NAME",
    "NODE",
    "OLDPWD",
    "OPTARG",
    "OPTIND",
    "OS",
    "OSTYPE",
    "OUTPUT",
    "PAGER",
    "PASSWORD",
    "PATH",
    "PATHEXT",
    "PID",
    "PORT",
    "PPID",
    "PROMPT",
    "PS",
    "PWD",
    "PYTHON",
    "RANDOM",
    "REPLY",
    "ROOT",
    "SECONDS",
    "SECRET",
    "SELECTION",
    "SHELL",
    "SHLVL",
    "SRC",
    "SUDO",
    "TARGET",
    "TEMP",
    "TERM",
    "TEST",
    "TIME",
    "TMP",
    "TMPDIR",
    "TOKEN",
    "TZ",
    "UID",
    "URL",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "VERSION",
    "VISUAL",
    "WORKSPACE",
];

/// Returns whether an id has the form of an environment variable: capitals, digits, `-` and `_`, with a letter
/// first.
pub fn is_in_capitals(id: &str) -> bool {
    let is_of_variable = |byte: u8| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
    };
    id.starts_with(|c: char| c.is_ascii_uppercase()) && id.bytes().all(is_of_variable)
}

/// Returns whether an id in capitals is a known variable.
pub(super) fn is_known(id: &str) -> bool {
    KNOWN.binary_search(&id).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_in_capitals() {
        assert!(KNOWN.is_sorted());
        assert!(
            KNOWN
                .iter()
                .all(|name| is_in_capitals(name) && is_known(name))
        );
        assert!(!is_known("ALEPH"));
        for id in ["A1", "X_1", "CODE-REVIEW"] {
            assert!(is_in_capitals(id), "{id}");
        }
        for id in ["", "_X", "1X", "Aleph", "ALEPHé", "USER:ALEPH"] {
            assert!(!is_in_capitals(id), "{id}");
        }
    }
}
