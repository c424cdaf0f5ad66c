//! What git says of its failure.

use skills_format::{Prose, prose};

/// The maximum number of lines that are kept.
const MOST: usize = 4;
/// The maximum number of characters of a line.
const MOST_CHARS: usize = 500;

/// The beginnings of git's own lines about a failure.
const OWN: [&str; 3] = ["fatal:", "error:", "ERROR:"];
/// The beginning of a line that the other side of a connection wrote.
const REMOTE: &str = "remote:";

/// Returns the important lines of git's errors, joined, without progress.
pub(crate) fn said(errors: &str) -> String {
    let lines: Vec<&str> = lines(errors).collect();
    let mut own: Vec<&str> = lines.iter().copied().filter(|line| is_own(line)).collect();
    let mut remote: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| is_of_remote(line))
        .collect();
    if own.is_empty() && remote.is_empty() {
        own = lines.last().copied().into_iter().collect();
    }
    if own.is_empty() && remote.is_empty() {
        return "git ended with an error and said nothing".to_owned();
    }
    // The other side of a connection chooses its `remote:` lines. Without a bound, one error could fill a terminal, or a
    // record of a schedule. Git's own lines have the cause, so they come first where not all have room.
    own.truncate(MOST);
    let gone = remote.len().saturating_sub(MOST - own.len());
    remote.drain(..gone);
    let short = |line: &str| match line.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or(line)),
        None => line.to_owned(),
    };
    let told: Vec<String> = remote.into_iter().chain(own).map(short).collect();
    told.join("; ")
}

/// Returns what helps if the cause of a failure is this machine's disk. What a remote says of its disk is not meant.
pub(crate) fn remedy(errors: &str) -> Option<Prose> {
    // Some of git's own lines about files begin with the path.
    let mut own = lines(errors).filter(|line| !line.starts_with(REMOTE));
    own.find_map(remedy_of_cause)
}

/// Returns what helps if a line says that this machine's disk is the cause.
fn remedy_of_cause(line: &str) -> Option<Prose> {
    const FULL: [&str; 3] = [
        "No space left on device",
        "Disk quota exceeded",
        "Out of diskspace",
    ];
    if FULL.iter().any(|words| line.contains(words)) {
        return Some(prose!(
            "free space on the disk of the folder of data: `skills restore --empty` deletes what is in the trash, and versions that no skill needs"
        ));
    }
    line.contains("Read-only file system")
        .then(|| "the disk is mounted for reading only: mount it for writing".into())
}

fn lines(errors: &str) -> impl Iterator<Item = &str> {
    errors
        .lines()
        .filter_map(|line| line.rsplit('\r').find(|part| !part.trim().is_empty()))
        .map(str::trim)
}

fn is_own(line: &str) -> bool {
    OWN.iter().any(|mark| line.starts_with(mark))
}

/// Returns whether the other side wrote a line that is not progress: `remote: Counting objects: 100% (5/5), done.`
fn is_of_remote(line: &str) -> bool {
    line.strip_prefix(REMOTE).is_some_and(|text| {
        let text = text.trim();
        let is_progress = text.contains("% (")
            || text.ends_with(", done.")
            || text.starts_with("Total ") && text.contains("pack-reused");
        !is_progress && !text.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_that_matter() {
        assert_eq!(said("x\r50%\rfatal: no\nhint: a\n"), "fatal: no");
        assert_eq!(said("a\nb\n"), "b");
        assert_eq!(said(""), "git ended with an error and said nothing");
        assert!(said(&"x".repeat(1 << 20)).len() < 1000);
    }

    /// A fetch on a full disk, as git 2.39 says it.
    const FULL: &str = "remote: Enumerating objects: 10, done.        \n\
        remote: Counting objects:  10% (1/10)        \rremote: Counting objects: 100% (10/10), done.        \n\
        remote: Compressing objects: 100% (9/9), done.        \n\
        remote: Total 10 (delta 0), reused 10 (delta 0), pack-reused 0        \n\
        fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n";

    #[test]
    fn a_full_disk_is_named_with_its_remedy() {
        let cause = "fatal: write error: No space left on device; fatal: fetch-pack: invalid index-pack output";
        assert_eq!(said(FULL), cause);
        assert!(remedy(FULL).is_some_and(|help| help.starts_with("free space")));
        assert!(remedy("error: open: Read-only file system\n").is_some());
        // While git writes an index of a pack, and while it makes a repository.
        let index = "fatal: sha1 file '/d/tmp_rev' write error. Out of diskspace\nfatal: index-pack failed\n";
        assert!(remedy(index).is_some());
        assert!(remedy("/d/git/refs/tags: No space left on device\n").is_some());
    }

    #[test]
    fn a_remote_cannot_hide_the_cause() {
        let many = "remote: a\nremote: b\nremote: c\nremote: d\nremote: e\nfatal: the cause\n";
        assert_eq!(
            said(many),
            "remote: c; remote: d; remote: e; fatal: the cause"
        );
        assert_eq!(said("remote: Not found.\n"), "remote: Not found.");
        // The disk of the server.
        let theirs = "remote: fatal: write error: No space left on device\nfatal: early EOF\n";
        assert!(remedy(theirs).is_none());
    }
}
