//! The table of options of npm, `npx skills`, gh, cargo, git, uv, pip and linters.

/// An option of another program.
pub(super) struct Row {
    pub(super) names: &'static [&'static str],
    pub(super) takes_value: bool,
    /// What the option is here: the first that makes the line a call.
    pub(super) means: &'static [Mean],
}

/// What an option is for some commands.
pub(super) struct Mean {
    /// The commands. Empty: every command.
    pub(super) of: &'static [&'static str],
    /// The words in the place of the option, with `{}` for its value. `@NAME` is another command instead. Empty: the option
    /// is left out.
    pub(super) words: &'static str,
    pub(super) why: &'static str,
}

const fn flag(names: &'static [&'static str], means: &'static [Mean]) -> Row {
    Row {
        names,
        takes_value: false,
        means,
    }
}

const fn value(names: &'static [&'static str], means: &'static [Mean]) -> Row {
    Row {
        names,
        takes_value: true,
        means,
    }
}

const fn any(words: &'static str, why: &'static str) -> Mean {
    Mean {
        of: &[],
        words,
        why,
    }
}

const fn only(of: &'static [&'static str], words: &'static str, why: &'static str) -> Mean {
    Mean { of, words, why }
}

/// The commands that only read. Of another command, an option that keeps it from writing is not left out.
const READING: &[&str] = &[
    "list", "show", "resolve", "select", "overlap", "prompt", "explain", "diff", "powers",
    "doctor", "history", "log",
];

/// The commands that work on several folders, with `--to all`.
pub(super) const TO_ALL: &[&str] = &["install", "update", "uninstall", "pin", "unpin", "export"];

const ASKS_NOTHING: &str = "the command asks nothing";

pub(super) const ROWS: &[Row] = &[
    flag(
        &["--json"],
        &[any("--format json", "a document for programs")],
    ),
    value(
        &[
            "--output",
            "-o",
            "--output-format",
            "--reporter",
            "--report",
        ],
        &[
            any("--format {}", "the form of what is printed"),
            only(&["check"], "--output-file {}", "the file of the report"),
        ],
    ),
    flag(
        &["--global", "-g", "--user", "--system"],
        &[
            only(&["list"], "--source user", "the skills of the person"),
            any("--to user", "the skills of the person, in every project"),
        ],
    ),
    flag(
        &["--local", "--project", "--workspace"],
        &[
            only(&["list"], "--source project", "the skills of the project"),
            any("--to project", "the skills of the project"),
        ],
    ),
    value(
        &[
            "--agent",
            "-a",
            "--client",
            "--target",
            "-t",
            "--scope",
            "--dir",
            "-d",
            "--directory",
            "--prefix",
            "--destination",
        ],
        &[
            only(
                &["check", "overlap", "prompt", "test"],
                "--client {}",
                "the client that is meant",
            ),
            any(
                "--to {}",
                "a client of this machine, `user`, `project`, or a folder",
            ),
            any("--profile {}", "the client that is meant"),
        ],
    ),
    flag(
        &["--all", "-A", "--all-agents"],
        &[
            only(
                &["list", "check"],
                "--everywhere",
                "the skills of every client",
            ),
            only(
                &["update"],
                "",
                "without a name, every installed skill is updated",
            ),
            only(&["check"], "", "skills are found at any depth"),
            only(TO_ALL, "--to all", "every client of this machine"),
        ],
    ),
    flag(
        &[
            "--yes",
            "-y",
            "--no-interaction",
            "--no-input",
            "--non-interactive",
            "--assume-yes",
            "--no-prompt",
            "--batch",
        ],
        &[
            any("--yes", "the question is answered"),
            any("", ASKS_NOTHING),
        ],
    ),
    value(
        &["-n", "--tail", "--lines", "--limit", "--max-count"],
        &[
            only(&["log"], "--last {}", "the latest runs"),
            only(&["history"], "", "the latest version is first"),
        ],
    ),
    flag(
        &["-n", "--dry-run", "--simulate", "--dryrun", "--what-if"],
        &[
            any("--dry-run", "nothing is changed"),
            only(&["check"], "--diff", "the fixes are shown, and not made"),
            only(READING, "", "the command changes nothing"),
        ],
    ),
    flag(
        &["--force", "--overwrite"],
        &[
            any("--force", "what is in the way goes to the trash"),
            any("--yes", "the question is answered"),
            only(READING, "", "nothing is in the way of the command"),
        ],
    ),
    // Of other commands, it is a `--format` without its value.
    flag(
        &["-f"],
        &[
            any("--force", "what is in the way goes to the trash"),
            any("--yes", "the question is answered"),
        ],
    ),
    flag(
        &["--quiet", "-q", "--silent"],
        &[
            any("--quiet", "only findings are printed"),
            any("", "progress is shown on a terminal only"),
        ],
    ),
    flag(
        &["-v", "--verbose", "--debug", "-vv"],
        &[
            only(&["skills"], "-V", "the version"),
            any("-v", "every problem of every skill is printed"),
            any("", "no command prints more than its answer"),
        ],
    ),
    flag(
        &[
            "--locked",
            "--frozen",
            "--frozen-lockfile",
            "--immutable",
            "--ci",
        ],
        &[
            any("--frozen", "exactly what skills.lock names"),
            any("--check", "what differs from the lock is an error"),
            only(
                &["install"],
                "",
                "skills.lock records the source, and names no other version of it",
            ),
        ],
    ),
    flag(
        &[
            "--dev",
            "-D",
            "--save",
            "-S",
            "--save-dev",
            "--save-exact",
            "-E",
            "--no-save",
            "--editable",
            "-e",
        ],
        &[only(
            &["install", "uninstall", "update"],
            "",
            "skills.lock records what is installed",
        )],
    ),
    flag(
        &["--upgrade", "-U", "--latest"],
        &[
            only(&["install"], "@update", "an installed skill is updated"),
            only(&["update"], "", "a branch is followed to its latest commit"),
        ],
    ),
    value(
        &["--skill", "-s", "--name", "--package"],
        &[only(
            &["install"],
            "{}",
            "names are written after the source",
        )],
    ),
    flag(
        &["--list", "-l"],
        &[
            only(
                &["install"],
                "--dry-run",
                "the skills of the source are shown, and nothing is installed",
            ),
            only(
                &["trust", "disable", "enable"],
                "@list",
                "the skills and their state",
            ),
        ],
    ),
    flag(
        &["--copy", "--symlink", "--link"],
        &[only(
            &["install"],
            "",
            "skills are copied, and never linked",
        )],
    ),
    flag(
        &["--ignore-scripts", "--no-scripts", "--no-build"],
        &[only(
            &["install", "update"],
            "",
            "no code of a source is run",
        )],
    ),
    value(
        &[
            "--branch",
            "-b",
            "--tag",
            "--ref",
            "--revision",
            "--version",
            "--commit",
        ],
        &[only(
            &["install", "update"],
            "--rev {}",
            "a branch, a tag or a commit",
        )],
    ),
    value(
        &["--subdir", "--subdirectory", "--subpath", "--folder"],
        &[only(
            &["install"],
            "--path {}",
            "the folder of the skills in the source",
        )],
    ),
    flag(
        &["--write", "-w", "--autofix", "--fix-all"],
        &[only(&["check"], "--fix", "the fixes are made")],
    ),
    flag(
        &["--no-color", "--no-colour", "--nocolor"],
        &[any("--color never", "also NO_COLOR=1")],
    ),
    value(&["--colour"], &[any("--color {}", "auto, always or never")]),
    flag(
        &["--recursive", "-r", "-R"],
        &[
            only(
                &["check", "powers", "page"],
                "",
                "skills are found at any depth",
            ),
            only(&["uninstall"], "", "a skill is its whole folder"),
        ],
    ),
    flag(
        &["--purge"],
        &[only(
            &["uninstall"],
            "",
            "the trash keeps it until `skills restore --empty`",
        )],
    ),
    flag(
        &["--interactive", "-i"],
        &[any("", "on a terminal, the command asks what it must know")],
    ),
];
