//! The options that an approval with an open end admits.

// A list of the options that run programs and write files would never be complete: programs have thousands, also as
// letters, as beginnings of names and behind other letters. So the options are listed that do neither, whatever their
// value is, of the programs and sub-commands that skills approve most. No option of another program is admitted.

/// The options of each command of cargo that builds.
const CARGO: &str = "--all --all-features --all-targets --benches --bin --bins --example --examples --exclude --features \
    --frozen --jobs --keep-going --lib --locked --message-format --no-default-features --offline --package \
    --profile --quiet --release --test --tests --verbose --workspace -F -j -p -q -r -v";

/// The options of git for differences.
const GIT_DIFF: &str = "-- --abbrev --binary --check --color --color-words --compact-summary --diff-filter --dirstat \
    --find-copies --find-renames --full-index --function-context --histogram --ignore-all-space \
    --ignore-blank-lines --ignore-space-change --minimal --name-only --name-status --no-color --no-ext-diff \
    --no-patch --no-renames --no-textconv --numstat --patch --patience --raw --relative --shortstat --stat \
    --summary --unified --word-diff -C -M -R -U -W -b -p -s -u -w -z";

/// The options of git for the form of commits.
const GIT_LOG: &str = "--abbrev-commit --date --decorate --format --no-decorate --oneline --pretty";

const CARGO_TEST: &str = "-- --doc --exact --ignored --include-ignored --no-fail-fast --no-run --nocapture \
    --show-output --test-threads";
const CAT: &str = "-- --number --number-nonblank --show-all --show-ends --show-tabs --squeeze-blank -A -E -T -b -e \
    -n -s -t -v";
const FIND: &str = "-a -and -atime -ctime -empty -iname -ipath -iregex -maxdepth -mindepth -mmin -mtime -name -newer \
    -not -o -or -path -perm -print -print0 -prune -regex -size -type -user";
const GIT_BRANCH: &str = "--all --color --column --contains --format --list --merged --no-color --no-contains \
    --no-merged --points-at --remotes --show-current --sort --verbose -a -l -r -v";
const GIT_GREP: &str = "-- --count --extended-regexp --files-with-matches --fixed-strings --heading --ignore-case \
    --line-number --perl-regexp --word-regexp -A -B -C -E -F -G -H -I -L -P -c -e -h -i -l -n -o -q -v -w";
const GIT_LOG_ONLY: &str = "--after --all --author --before --branches --cherry --cherry-pick --committer \
    --date-order --first-parent --follow --full-history --graph --grep --invert-grep --left-right --max-count \
    --merges --no-merges --regexp-ignore-case --remotes --reverse --since --skip --source --tags --topo-order \
    --until -E -F -G -L -P -S -i -n";
const GIT_LS_FILES: &str = "-- --cached --deleted --exclude-standard --ignored --modified --others --stage \
    --unmerged -c -d -i -m -o -s -t -u -v -z";
const GIT_REV_PARSE: &str = "--abbrev-ref --is-inside-work-tree --short --show-prefix --show-toplevel \
    --symbolic-full-name --verify";
const GIT_STATUS: &str = "-- --ahead-behind --branch --column --ignored --long --no-renames --porcelain --renames \
    --short --show-stash --untracked-files --verbose -b -s -u -v -z";
const GIT_TAG: &str = "--contains --format --list --merged --no-contains --points-at --sort -l -n";
const GO_TEST: &str = "-bench -benchmem -count -cover -failfast -race -run -short -timeout -v";
const GREP: &str = "-- --after-context --before-context --color --colour --context --count --exclude --exclude-dir \
    --extended-regexp --files-with-matches --files-without-match --fixed-strings --ignore-case --include \
    --invert-match --line-number --line-regexp --max-count --no-filename --no-messages --null --only-matching \
    --perl-regexp --quiet --recursive --regexp --silent --text --with-filename --word-regexp -A -B -C -E -F -G -H -I \
    -L -P -R -Z -a -b -c -e -h -i -l -m -n -o -q -r -s -v -w -x";
const JQ: &str = "--compact-output --exit-status --join-output --null-input --raw-input --raw-output --slurp \
    --sort-keys --tab -C -M -R -S -c -e -j -n -r -s";
const LS: &str = "-- --all --almost-all --classify --color --directory --full-time --group-directories-first \
    --human-readable --inode --recursive --reverse --size --sort --time --time-style -1 -A -F -G -L -R -S -X -a -c \
    -d -f -g -h -i -l -n -o -p -r -s -t -u -x";
const PYTEST: &str = "--durations --exitfirst --failed-first --ff --last-failed --lf --maxfail --no-header --quiet \
    --tb --verbose -k -m -q -s -v -x";
const RG: &str = "-- --after-context --before-context --case-sensitive --color --context --count --count-matches \
    --files --files-with-matches --files-without-match --fixed-strings --follow --glob --heading --hidden --iglob \
    --ignore-case --invert-match --json --line-number --line-regexp --max-count --max-depth --multiline \
    --no-filename --no-heading --no-ignore --no-line-number --only-matching --pcre2 --regexp --replace --smart-case \
    --sort --stats --trim --type --type-list --type-not --vimgrep --with-filename --word-regexp -A -B -C -F -H -I -L \
    -N -P -S -T -U -c -e -g -i -l -m -n -o -r -s -t -u -v -w -x";
const WC: &str = "-- --bytes --chars --lines --max-line-length --words -L -c -l -m -w";

/// The options, by program and sub-command. Each may have any value.
const HARMLESS: &[(&str, &[&str])] = &[
    ("cargo build", &[CARGO]),
    ("cargo check", &[CARGO]),
    ("cargo clippy", &[CARGO, "-- --no-deps -A -D -W"]),
    (
        "cargo fmt",
        &["--all --check --package --quiet --verbose -p -q -v"],
    ),
    ("cargo test", &[CARGO, CARGO_TEST]),
    ("cat", &[CAT]),
    ("date", &["--iso-8601 --rfc-3339 --utc -I -R -u"]),
    ("find", &[FIND]),
    (
        "git add",
        &["-- --all --dry-run --update --verbose -A -n -u -v"],
    ),
    (
        "git blame",
        &["-- --date --porcelain --show-email -C -L -M -e -l -s -w"],
    ),
    ("git branch", &[GIT_BRANCH]),
    (
        "git commit",
        &["--all --message --quiet --signoff --verbose -a -m -q -s -v"],
    ),
    (
        "git diff",
        &[
            GIT_DIFF,
            "--cached --exit-code --merge-base --quiet --staged -q",
        ],
    ),
    ("git grep", &[GIT_GREP]),
    ("git log", &[GIT_DIFF, GIT_LOG, GIT_LOG_ONLY]),
    ("git ls-files", &[GIT_LS_FILES]),
    ("git remote", &["--verbose -v"]),
    ("git rev-parse", &[GIT_REV_PARSE]),
    ("git show", &[GIT_DIFF, GIT_LOG]),
    ("git status", &[GIT_STATUS]),
    ("git tag", &[GIT_TAG]),
    ("go build", &["-race -v"]),
    ("go test", &[GO_TEST]),
    ("grep", &[GREP]),
    (
        "head",
        &["-- --bytes --lines --quiet --silent --verbose -c -n -q -v"],
    ),
    ("jq", &[JQ]),
    ("ls", &[LS]),
    ("mkdir", &["-- --parents --verbose -p -v"]),
    ("npm run", &["--if-present --silent -s"]),
    ("npm test", &["--if-present --silent -s"]),
    ("pytest", &[PYTEST]),
    ("rg", &[RG]),
    ("sed", &["-n"]),
    (
        "tail",
        &["-- --bytes --lines --quiet --silent --verbose -c -n -q -v"],
    ),
    ("wc", &[WC]),
];

/// Returns the harmless options of a program, or of its sub-command. `first` is the program's first argument: the
/// options of a sub-command are known only where it stands directly after the program.
pub(super) fn harmless_options(program: &str, first: &str) -> Option<&'static [&'static str]> {
    let is_it = |named: &str| match named.split_once(' ') {
        Some((of, subcommand)) => of == program && subcommand == first,
        None => named == program,
    };
    let known = HARMLESS.iter().find(|(named, _)| is_it(named));
    known.map(|(_, options)| *options)
}

/// Returns whether an option is among the harmless ones: as `--name`, `--name=value`, as one word such as `-name`, or
/// as letters and digits of which each letter is harmless (`-la`, `-n5`).
pub(super) fn is_harmless(harmless: &[&str], option: &str) -> bool {
    let listed = harmless.iter().flat_map(|options| options.split(' '));
    let is_listed = |name: &str| listed.clone().any(|listed| listed == name);
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    if is_listed(name) && (value.is_none() || name.len() > "-x".len()) {
        return true;
    }
    let letters = option.strip_prefix('-').unwrap_or_default();
    let is_letter =
        |c: char| c.is_ascii_digit() || c.is_ascii_alphabetic() && is_listed(&format!("-{c}"));
    !letters.is_empty() && letters.chars().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_options() {
        let log = harmless_options("git", "log").expect("listed");
        for option in [
            "--",
            "-5",
            "-n5",
            "-p",
            "-pw",
            "--oneline",
            "--format=%h",
            "--since=a=b",
        ] {
            assert!(is_harmless(log, option), "{option}");
        }
        for option in [
            "-",
            "-=",
            "-p=x",
            "-pO",
            "-Oevil",
            "--outp",
            "--output=x",
            "---",
            "--oneline-x",
            "-\u{e9}",
            "--=x",
        ] {
            assert!(!is_harmless(log, option), "{option}");
        }
        let find = harmless_options("find", "src").expect("listed");
        assert!(is_harmless(find, "-name") && !is_harmless(find, "-delete"));
        for (program, first) in [("git", "push"), ("git", "-c"), ("curl", "log"), ("", "")] {
            assert_eq!(harmless_options(program, first), None, "{program} {first}");
        }
    }

    #[test]
    fn each_command_stands_once_with_plain_options() {
        assert!(HARMLESS.is_sorted_by(|(before, _), (after, _)| before < after));
        for (command, options) in HARMLESS {
            for option in options.iter().flat_map(|options| options.split(' ')) {
                assert!(
                    option.starts_with('-') && option.len() > 1,
                    "{command}: {option:?}"
                );
            }
        }
    }
}
