//! Recognizes paths outside of a skill: below the home folder and the root.

/// The folders below the root that exist. Other words that begin with `/` are commands, routes and options.
const ROOTS: &str = "etc var usr opt root home Users proc sys dev tmp mnt srv boot bin sbin lib lib64 private Library \
                     System Applications run media Volumes";
/// Paths that give nothing.
const HARMLESS: &str = "/dev/null /dev/stdin /dev/stdout /dev/stderr /dev/tty /usr/bin/env /dev/zero /dev/fd /dev/tcp /dev/udp";
/// Beginnings that stand for the home folder.
const HOMES: [&str; 8] = [
    "~",
    "$HOME",
    "${HOME}",
    "$env:USERPROFILE",
    "%USERPROFILE%",
    "$env:HOME",
    "%APPDATA%",
    "$env:APPDATA",
];
/// Files and folders of keys that stand in the home folder and in no project: a command can have gone there before.
const SECRETS: &str = ".ssh .netrc .aws .gnupg .kube .git-credentials .pypirc .docker .azure";
/// The most parts of a path that a power names.
const MAX_PARTS: usize = 4;

/// Returns the place of keys that a word names without its folder, in short form: `.netrc` is `~/.netrc`.
pub(super) fn place_of_keys(word: &str) -> Option<String> {
    let word = word.trim_end_matches(['"', '\'', '`', ',', ';', ')', ':', '.']);
    let first = word.split(['/', '\\']).next().unwrap_or_default();
    let mut known = SECRETS.split_ascii_whitespace();
    known.any(|known| known == first).then(|| short("~", word))
}

/// Returns the path outside of the skill that a word names, in short form.
pub(super) fn outside(word: &str) -> Option<String> {
    // `/Users/...` stands for any path of a person.
    if word.contains("/...") || word.contains("/…") {
        return None;
    }
    let word = word.trim_start_matches(['"', '\'', '`', '(', '[']);
    let word = word.trim_end_matches(['"', '\'', '`', ',', ';', ')', ']', ':', '.']);
    for home in HOMES {
        if let Some(rest) = word.strip_prefix(home)
            && (rest.is_empty() || rest.starts_with(['/', '\\']))
        {
            return Some(short("~", rest));
        }
    }
    // `~root/.ssh`: the home folder of another user.
    if let Some((user, below)) = word.strip_prefix('~').and_then(|rest| rest.split_once('/'))
        && user.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        return Some(short(&format!("~{user}"), below));
    }
    let users = ["/home/", "/Users/", "C:\\Users\\", "c:/Users/"];
    for beginning in users {
        if let Some(rest) = word.strip_prefix(beginning) {
            let (_, below) = rest.split_once(['/', '\\']).unwrap_or((rest, ""));
            return Some(short("~", below));
        }
    }
    if word == "/" || word == "/*" {
        return Some("/".to_owned());
    }
    if let Some(rest) = word.strip_prefix('/') {
        let first = rest.split('/').next().unwrap_or_default();
        let is_root = ROOTS.split_ascii_whitespace().any(|root| root == first);
        let harmless = HARMLESS.split_ascii_whitespace();
        let is_harmless = harmless.into_iter().any(|path| {
            word.strip_prefix(path)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        return (is_root && !is_harmless).then(|| short("", rest));
    }
    let climbs = word.split('/').take_while(|part| *part == "..").count();
    if climbs >= 2 {
        return Some(vec![".."; climbs].join("/"));
    }
    let bytes = word.as_bytes();
    let is_drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), Some(b'\\' | b'/'))
        && !word.contains("://");
    is_drive.then(|| {
        word.split(['\\', '/'])
            .take(MAX_PARTS)
            .collect::<Vec<_>>()
            .join("\\")
    })
}

/// Returns a path up to its first computed part, and at most [`MAX_PARTS`] parts.
fn short(root: &str, below: &str) -> String {
    let parts = below
        .split(['/', '\\'])
        .filter(|part| !part.is_empty() && *part != ".");
    let is_computed = |part: &&str| part.contains(['$', '*', '<', '{', '[', '?', '%', ' ', '\n']);
    let mut path = root.to_owned();
    // `~/x/../.ssh` is `~/.ssh`.
    let mut known: Vec<&str> = Vec::new();
    for part in parts.take_while(|part| !is_computed(part)) {
        if part == ".." {
            known.pop();
        } else {
            known.push(part);
        }
    }
    for part in known.into_iter().take(MAX_PARTS) {
        path.push('/');
        path.push_str(part.trim_end_matches([',', '.', ';', ')', '"', '\'', '`', ':']));
    }
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
