//! Recognizes paths outside of a skill: below the home folder and the root.

use crate::powers::tables::has;

/// The folders below the root that exist. Other words that begin with `/` are commands, routes and options.
const ROOTS: &str = "etc var usr opt root home Users proc sys dev tmp mnt srv boot bin sbin lib lib64 private Library \
                     System Applications run media Volumes";
/// Paths that give nothing.
const HARMLESS: &str = "/dev/null /dev/stdin /dev/stdout /dev/stderr /dev/tty /usr/bin/env /dev/zero /dev/fd /dev/tcp /dev/udp";
/// Beginnings that stand for the home folder.
const HOMES: &str =
    "~ $HOME ${HOME} $env:USERPROFILE %USERPROFILE% $env:HOME %APPDATA% $env:APPDATA";
/// Files and folders of keys that stand in the home folder and in no project: a command can have gone there before.
const SECRETS: &str = ".ssh .netrc .aws .gnupg .kube .git-credentials .pypirc .docker .azure";
/// What can stand after a path in a text.
const ENDS: [char; 9] = ['"', '\'', '`', ',', ';', ')', ']', ':', '.'];
/// The most parts of a path that a power names.
const MAX_PARTS: usize = 4;

/// Returns the place of keys that a word names without its folder, in short form: `.netrc` is `~/.netrc`.
pub(super) fn place_of_keys(word: &str) -> Option<String> {
    let word = word.trim_end_matches(ENDS);
    let first = word.split(['/', '\\']).next().unwrap_or_default();
    has(SECRETS, first).then(|| short("~", word))
}

/// Returns the path outside of the skill that a word names, in short form.
pub(super) fn outside(word: &str) -> Option<String> {
    // `/Users/...` stands for any path of a person.
    if word.contains("/...") || word.contains("/…") {
        return None;
    }
    let word = word.trim_start_matches(['"', '\'', '`', '(', '[']);
    // `**~/.ssh**` of Markdown; `**/x` is a pattern.
    let bare = word.trim_start_matches(['*', '_', ':', '{', '→']);
    let word = if bare.starts_with('~') { bare } else { word };
    let word = if word.starts_with('~') {
        word.trim_end_matches(['*', '_', '}'])
    } else {
        word
    };
    if word.ends_with("/..") && climbs(word) >= 2 {
        return Some(above(climbs(word)));
    }
    let word = word.trim_end_matches(ENDS);
    let is_below = |rest: &&str| rest.is_empty() || rest.starts_with(['/', '\\']);
    let mut homes = HOMES.split(' ').filter_map(|home| word.strip_prefix(home));
    if let Some(rest) = homes.find(is_below) {
        return Some(short("~", rest));
    }
    // `~root/.ssh`: the home folder of another user.
    if let Some((user, below)) = word.strip_prefix('~').and_then(|rest| rest.split_once('/'))
        && user.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        return Some(short(&format!("~{user}"), below));
    }
    let users = ["/home/", "/Users/", "C:\\Users\\", "c:/Users/"];
    if let Some(rest) = users.iter().find_map(|users| word.strip_prefix(users)) {
        let (_, below) = rest.split_once(['/', '\\']).unwrap_or((rest, ""));
        return Some(short("~", below));
    }
    if word == "/" || word == "/*" {
        return Some("/".to_owned());
    }
    if let Some(rest) = word.strip_prefix('/') {
        let rest = rest.trim_start_matches("./");
        let mut harmless = HARMLESS.split_ascii_whitespace();
        let is_harmless =
            harmless.any(|path| word.strip_prefix(path).as_ref().is_some_and(is_below));
        let first = rest.split('/').next().unwrap_or_default();
        return (has(ROOTS, first) && !is_harmless).then(|| short("", rest));
    }
    let climbs = climbs(word);
    if climbs >= 2 {
        return Some(above(climbs));
    }
    let is_drive =
        matches!(word.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    (is_drive && !word.contains("://")).then(|| {
        let parts: Vec<&str> = word.split(['\\', '/']).take(MAX_PARTS).collect();
        parts.join("\\")
    })
}

/// Returns the path of a folder above, of which more parts say no more.
fn above(climbs: usize) -> String {
    vec![".."; climbs.min(MAX_PARTS)].join("/")
}

/// Returns how many folders above its start a path leads: `./a/../../../x` leads 2 above.
fn climbs(path: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    let path = path.strip_prefix("$PWD/").unwrap_or(path);
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if depth == 0 => most += 1,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    most
}

/// Returns a path up to its first computed part, and at most [`MAX_PARTS`] parts.
fn short(root: &str, below: &str) -> String {
    // `~/x/../.ssh` is `~/.ssh`.
    let mut known: Vec<&str> = Vec::new();
    for part in below.split(['/', '\\']) {
        match part {
            _ if part.contains(['$', '*', '<', '{', '[', '?', '%', ' ', '\n']) => break,
            "" | "." => {}
            ".." => drop(known.pop()),
            _ => known.push(part),
        }
    }
    let parts = known.iter().take(MAX_PARTS);
    let path = parts.fold(root.to_owned(), |path, part| {
        format!("{path}/{}", part.trim_end_matches(ENDS))
    });
    if path.is_empty() {
        "/".to_owned()
    } else {
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (word, expected) in [
            ("~/.ssh/id_rsa", Some("~/.ssh/id_rsa")),
            ("$HOME/.aws", Some("~/.aws")),
            (
                "${HOME}/.config/gh/hosts.yml",
                Some("~/.config/gh/hosts.yml"),
            ),
            ("/home/me/.ssh", Some("~/.ssh")),
            ("~", Some("~")),
            ("~/x/../.ssh", Some("~/.ssh")),
            ("/etc/passwd", Some("/etc/passwd")),
            ("/tmp/$USER/x", Some("/tmp")),
            ("/", Some("/")),
            ("../../x", Some("../..")),
            ("./a/../../../x", Some("../..")),
            ("../..", Some("../..")),
            ("a/../b", None),
            ("**~/.ssh/id_rsa**", Some("~/.ssh/id_rsa")),
            ("C:\\Users\\me\\x", Some("~/x")),
            ("D:\\data\\x", Some("D:\\data\\x")),
            ("/dev/null", None),
            ("/usr/bin/env", None),
            ("/code-review", None),
            ("scripts/x.sh", None),
            ("~10", None),
            ("~root/.ssh/id_rsa", Some("~root/.ssh/id_rsa")),
        ] {
            assert_eq!(outside(word).as_deref(), expected, "{word}");
        }
        for (word, expected) in [
            (".netrc", Some("~/.netrc")),
            (".ssh/id_rsa", Some("~/.ssh/id_rsa")),
            (".env", None),
            (".github/workflows", None),
            ("docs/.ssh", None),
        ] {
            assert_eq!(place_of_keys(word).as_deref(), expected, "{word}");
        }
    }
}
