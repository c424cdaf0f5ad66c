//! What git says of its failure.

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
    let of_remote = lines.iter().copied().filter(|line| is_of_remote(line));
    let mut remote: Vec<&str> = of_remote.collect();
    if own.is_empty() && remote.is_empty() {
        own.push(
            lines
                .last()
                .unwrap_or(&"git ended with an error and said nothing"),
        );
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

    #[test]
    fn a_remote_cannot_hide_the_cause() {
        let many = "remote: a\nremote: b\nremote: c\nremote: d\nremote: e\nfatal: the cause\n";
        assert_eq!(
            said(many),
            "remote: c; remote: d; remote: e; fatal: the cause"
        );
        assert_eq!(said("remote: Not found.\n"), "remote: Not found.");
    }
}
