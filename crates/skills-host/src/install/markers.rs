//! Conflict markers in a text, as git writes them.

use crate::install::merge::is_mergeable;

/// The lines that begin and end a conflict.
const MARKERS: [&[u8]; 2] = [b"<<<<<<< ours", b">>>>>>> theirs"];

/// Returns the first line with a conflict marker. Lines of the two versions do not count: a skill can be about conflicts.
pub(crate) fn marker_left(text: &[u8], versions: &[&[u8]]) -> Option<usize> {
    let lines = |text| -> Vec<&[u8]> { lines_of(text).map(<[u8]>::trim_ascii_end).collect() };
    let known: Vec<&[u8]> = versions.iter().flat_map(|text| lines(text)).collect();
    let is_marker = |line: &&[u8]| MARKERS.contains(line) && !known.contains(line);
    let at = lines(text).iter().position(is_marker)?;
    Some(at + 1)
}

fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n')
}

/// Writes conflict markers around the lines that both sides changed, as git does.
pub(crate) fn marked(base: &[u8], ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let mut options = diffy::MergeOptions::new();
    options.set_conflict_style(diffy::ConflictStyle::Merge);
    let is_small = is_mergeable(base, ours, theirs);
    let merged = if is_small {
        // Without a conflict in it, the file conflicts by another rule.
        options.merge_bytes(base, ours, theirs).err()
    } else {
        None
    };
    // A last line without its line feed would stand on the line of a marker.
    let is_whole = |text: &Vec<u8>| {
        let found = |marker: &[u8]| lines_of(text).any(|line| line.trim_ascii_end() == marker);
        MARKERS.iter().all(|marker| found(marker))
    };
    merged.filter(is_whole).unwrap_or_else(|| {
        let line = |text: &[u8]| {
            let end: &[u8] = if text.is_empty() || text.ends_with(b"\n") {
                b""
            } else {
                b"\n"
            };
            [text, end].concat()
        };
        let [begin, end] = MARKERS;
        [
            &[begin, b"\n"].concat()[..],
            &line(ours),
            b"=======\n",
            &line(theirs),
            end,
            b"\n",
        ]
        .concat()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_conflict_has_whole_markers() {
        for (base, ours, theirs) in [
            ("a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n"),
            ("a\nb", "a\nX", "a\nY"),
            ("a\r\nb\r\n", "a\r\nX\r\n", "a\r\nY\r\n"),
            ("", "X", "Y"),
            ("b", "", "Y"),
            ("b\n", "\u{fffd}\n", "Y\n"),
        ] {
            let text = marked(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            let shown = String::from_utf8_lossy(&text).into_owned();
            assert!(
                marker_left(&text, &[ours.as_bytes(), theirs.as_bytes()]).is_some(),
                "{shown}"
            );
            for line in ["<<<<<<< ours", "=======", ">>>>>>> theirs"] {
                let mut lines = shown.lines();
                assert!(lines.any(|found| found.trim_end() == line), "{shown}");
            }
        }
    }

    #[test]
    fn a_skill_about_conflicts_is_not_a_conflict() {
        let text = b"a\n<<<<<<< ours\nb\n";
        assert_eq!(marker_left(text, &[]), Some(2));
        assert_eq!(marker_left(text, &[b"<<<<<<< ours\n"]), None);
    }
}
