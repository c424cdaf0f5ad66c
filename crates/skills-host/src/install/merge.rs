//! Merges three versions of a skill: the installed, the present and the new one.

use crate::files::relative_path::RelativePath;
use crate::files::snapshot::{Entry, FileBytes, Snapshot};
use serde::Serialize;
use std::collections::BTreeSet;

/// A file that both sides changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// The path, relative to the skill's folder.
    pub path: String,
    /// The reason.
    pub reason: &'static str,
    /// True if the merge writes git's conflict markers into the file; false if the file cannot be merged.
    pub marked: bool,
}

/// The local changes of an installed skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByHand {
    /// The files that were not installed.
    pub(crate) added: Vec<RelativePath>,
    /// The installed files that were changed or removed.
    pub(crate) changed: Vec<String>,
}

/// The installed, the present and the new version of a file.
type Sides<'f> = (
    Option<&'f FileBytes>,
    Option<&'f FileBytes>,
    Option<&'f FileBytes>,
);

/// The result of a merge.
pub(crate) struct Merged {
    pub(crate) result: Snapshot,
    /// The files that both sides changed. With markers, they are in the result.
    pub(crate) conflicts: Vec<Conflict>,
    /// The files that the source removed and the user changed, which are kept.
    pub(crate) kept: Vec<String>,
}

impl ByHand {
    pub(crate) fn between(installed: &Snapshot, now: &Snapshot) -> Self {
        let bytes = |of: &Snapshot, path: &str| of.get(path).map(|file| file.bytes.clone());
        Self {
            added: now
                .entries
                .keys()
                .filter(|path| !installed.entries.contains_key(*path))
                .cloned()
                .collect(),
            changed: installed
                .files()
                .map(|(path, _)| path)
                .filter(|path| bytes(installed, path) != bytes(now, path))
                .map(ToString::to_string)
                .collect(),
        }
    }
}

/// Merges a new version into the present files. Texts that both sides changed are merged line by line, without git: a
/// source can be a folder or an archive.
pub(crate) fn merge(installed: &Snapshot, now: &Snapshot, new: &Snapshot) -> Merged {
    let mut merged = Merged {
        result: Snapshot::default(),
        conflicts: Vec::new(),
        kept: Vec::new(),
    };
    let all = [installed, now, new];
    let paths: BTreeSet<&RelativePath> = all.iter().flat_map(|side| side.entries.keys()).collect();
    for path in paths {
        let (base, ours, theirs) = (installed.get(path), now.get(path), new.get(path));
        let bytes = |file: Option<&FileBytes>| file.map(|file| file.bytes.clone());
        let same = |a: Option<&FileBytes>, b: Option<&FileBytes>| bytes(a) == bytes(b);
        if let Some(Entry::Link(target)) = now.entries.get(path) {
            // A skill is installed without links, so a link is a local change.
            if theirs.is_some() {
                merged.conflict(path, "a link has been put in its place");
            }
            let link = Entry::Link(target.clone());
            merged.result.entries.insert(path.clone(), link);
        } else if same(base, ours) {
            merged.take(path, theirs, run_bit(ours, theirs));
        } else if same(base, theirs) || same(ours, theirs) {
            merged.take(path, ours, run_bit(ours, theirs));
        } else {
            merged.both(path, (base, ours, theirs));
        }
    }
    merged.report_overlaps();
    merged
}

/// A file is executable if it is on either side: a version of before tells no bits.
fn run_bit(ours: Option<&FileBytes>, theirs: Option<&FileBytes>) -> bool {
    let mut sides = ours.into_iter().chain(theirs);
    sides.any(|file| file.executable)
}

impl Merged {
    /// Merges a file that both sides changed.
    fn both(&mut self, path: &RelativePath, sides: Sides<'_>) {
        match sides {
            (Some(_), Some(ours), None) => {
                self.kept.push(path.to_string());
                self.take(path, Some(ours), ours.executable);
            }
            (Some(_), None, Some(_)) => {
                self.conflict(path, "it was removed here and changed in the source");
            }
            (base, Some(mine), Some(new)) => {
                let old = base.map_or(&[][..], |old| &old.bytes);
                let bit = run_bit(Some(mine), Some(new));
                match merge_text(old, &mine.bytes, &new.bytes) {
                    Ok(bytes) => self.take(path, Some(&FileBytes::new(bytes, bit)), bit),
                    Err(Unmerged { reason, marked }) => {
                        self.conflicts.push(Conflict {
                            path: path.to_string(),
                            reason,
                            marked: marked.is_some(),
                        });
                        let file = marked.map(|bytes| FileBytes::new(bytes, bit));
                        self.take(path, file.as_ref(), bit);
                    }
                }
            }
            _ => {}
        }
    }

    fn take(&mut self, path: &RelativePath, file: Option<&FileBytes>, executable: bool) {
        if let Some(file) = file {
            let bytes = file.bytes.clone();
            let file = Entry::File(FileBytes { bytes, executable });
            self.result.entries.insert(path.clone(), file);
        }
    }

    /// Reports a file or a link `scripts` beside a file `scripts/run.sh`, which would be written through it.
    fn report_overlaps(&mut self) {
        let mut entries = self.result.entries.keys();
        let has_above = |path: &&RelativePath| {
            let mut above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            above.any(|above| self.result.entries.contains_key(above))
        };
        let found = entries.by_ref().filter(has_above).cloned();
        for path in found.collect::<Vec<_>>() {
            self.conflict(&path, "a file or a link is in place of its folder");
        }
    }

    fn conflict(&mut self, path: &RelativePath, reason: &'static str) {
        self.conflicts.push(Conflict {
            path: path.to_string(),
            reason,
            marked: false,
        });
    }
}

/// Says the first conflict, and the number of the others.
pub(crate) fn reason(conflicts: &[Conflict]) -> String {
    let more = match conflicts.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    conflicts.first().map_or_else(String::new, |first| {
        format!("{}: {}{more}", first.path, first.reason)
    })
}

/// A text that was not merged.
#[derive(Debug)]
struct Unmerged {
    reason: &'static str,
    /// The text with git's conflict markers.
    marked: Option<Vec<u8>>,
}

/// The most lines of a text that is merged. The library takes time in proportion to lines times differences: two versions of
/// 5,000 lines without a common line take a second.
const MOST_LINES: usize = 5_000;

/// Merges a text as `git merge-file` does.
fn merge_text(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Vec<u8>, Unmerged> {
    let unmerged = |reason| {
        Err(Unmerged {
            reason,
            marked: None,
        })
    };
    if [base, ours, theirs].iter().any(|side| side.contains(&0)) {
        return unmerged("both sides changed it, and it is not text");
    }
    let lines = |side: &&[u8]| side.split(|byte| *byte == b'\n').count();
    if [base, ours, theirs]
        .iter()
        .any(|side| lines(side) > MOST_LINES)
    {
        return unmerged("both sides changed it, and it has too many lines to be merged");
    }
    let mut options = diffy::MergeOptions::new();
    options.set_conflict_style(diffy::ConflictStyle::Merge);
    // A marker stands on a line of its own: a last line without its line feed would share its line.
    let merge = |ends: &[u8]| {
        let whole = |text: &[u8]| {
            let is_whole = text.is_empty() || text.ends_with(b"\n");
            [text, if is_whole { b"" } else { ends }].concat()
        };
        options.merge_bytes(&whole(base), &whole(ours), &whole(theirs))
    };
    merge(b"").map_err(|_| Unmerged {
        reason: "both sides changed the same lines",
        marked: Some(merge(b"\n").unwrap_or_else(|marked| marked)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fs;

    /// A text and two changed versions.
    fn versions() -> impl Strategy<Value = [String; 3]> {
        // Where a line occurs often, a difference has several readings, and two programs may merge differently.
        let line = || 0..100_000_u32;
        let edits = || proptest::collection::vec((0..3_u8, 0..100_usize, line()), 0..3);
        let base = proptest::collection::vec(line(), 1..15);
        (base, edits(), edits(), any::<[bool; 3]>()).prop_map(|(base, ours, theirs, ends)| {
            let text = |edits: &[(u8, usize, u32)], ends: bool| {
                let mut lines = base.clone();
                for (kind, at, line) in edits {
                    let at = at % (lines.len() + 1);
                    match kind {
                        0 => lines.insert(at, *line),
                        1 if at < lines.len() => drop(lines.remove(at)),
                        _ => lines
                            .iter_mut()
                            .skip(at)
                            .take(1)
                            .for_each(|old| *old = *line),
                    }
                }
                let lines: Vec<String> =
                    lines.iter().map(|line| format!("line {line}\n")).collect();
                let text = lines.concat();
                if ends {
                    text
                } else {
                    text.trim_end().to_owned()
                }
            };
            [
                text(&[], ends[0]),
                text(&ours, ends[1]),
                text(&theirs, ends[2]),
            ]
        })
    }

    /// What git makes of it; `None`: a conflict.
    #[expect(clippy::disallowed_methods, reason = "the oracle is git")]
    fn by_git([base, ours, theirs]: &[String; 3]) -> Option<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let mut git = std::process::Command::new("git");
        git.args(["merge-file", "-p", "ours", "base", "theirs"]);
        let done = git.current_dir(folder.path()).output().unwrap();
        done.status.success().then_some(done.stdout)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn different_lines_merge_as_git_merges_them(texts in versions()) {
            let [base, ours, theirs] = &texts;
            let merged = merge_text(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            prop_assert_eq!(merged.ok(), by_git(&texts));
        }
    }

    #[test]
    fn a_conflict_has_markers_on_lines_of_their_own() {
        for (base, ours, theirs) in [
            ("a\nb\nc\n", "a\nX\nc\n", "a\nY\nc\n"),
            ("a\nb", "a\nX", "a\nY"),
            ("a\r\nb\r\n", "a\r\nX\r\n", "a\r\nY\r\n"),
            ("", "X", "Y"),
        ] {
            let merged = merge_text(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            let marked = merged.unwrap_err().marked.unwrap();
            let shown = String::from_utf8(marked).unwrap();
            for line in ["<<<<<<< ours", "=======", ">>>>>>> theirs"] {
                assert!(
                    shown.lines().any(|found| found.trim_end() == line),
                    "{shown}"
                );
            }
        }
    }

    #[test]
    fn what_is_not_merged_says_why() {
        let why = |base: &str, ours: &str, theirs: &str| {
            let unmerged = merge_text(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            unmerged.unwrap_err().reason
        };
        assert!(why("a\n", "b\n", "c\n").contains("the same lines"));
        assert!(why("a\0\nb\n", "a\0\nc\n", "x\0\nb\n").contains("not text"));
        let many = |word: &str| {
            let lines = (0..=MOST_LINES).map(|n| format!("{word} {n}\n"));
            lines.collect::<Vec<String>>().concat()
        };
        assert!(why(&many("a"), &many("b"), &many("c")).contains("too many lines"));
    }
}
