//! Merges three versions of a skill: the installed, the present and the new one.

use crate::install::conflict::{Answer, Answers, Conflict, is_text};
use skills_store::files::relative_path::RelativePath;
use skills_store::files::snapshot::{Entry, FileBytes, Snapshot};
use std::collections::BTreeSet;

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
    /// The files that cannot be merged and have no answer.
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
/// source can be a folder or an archive. A conflict takes the answer of the person, if there is one.
pub(crate) fn merge(
    installed: &Snapshot,
    now: &Snapshot,
    new: &Snapshot,
    answers: &Answers,
) -> Merged {
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
        let answer = answers.get(&**path);
        if let Some(Entry::Link(target)) = now.entries.get(path) {
            let is_replaced = matches!(answer, Some(Answer::Theirs | Answer::Text(_)));
            if theirs.is_some() && is_replaced {
                merged.conflict(path, "", (base, None, theirs), answer);
                continue;
            }
            // A skill is installed without links, so a link is a local change.
            if theirs.is_some() && answer.is_none() {
                let why = "a link has been put in its place";
                merged.conflict(path, why, (base, None, theirs), answer);
            }
            let link = Entry::Link(target.clone());
            merged.result.entries.insert(path.clone(), link);
        } else if same(base, ours) {
            merged.take(path, theirs, run_bit(base, ours, theirs));
        } else if same(base, theirs) || same(ours, theirs) {
            let bit = match base {
                Some(_) => run_bit(base, ours, theirs),
                None => ours.is_some_and(|file| file.executable),
            };
            merged.take(path, ours, bit);
        } else {
            merged.both(path, (base, ours, theirs), answer);
        }
    }
    merged.settle_overlaps(now, answers);
    merged.result = merged.result.with_empty_of(now);
    merged
}

/// Merges the executable bit: a local change of the bit wins.
fn run_bit(base: Option<&FileBytes>, ours: Option<&FileBytes>, theirs: Option<&FileBytes>) -> bool {
    let bit = |file: Option<&FileBytes>| file.map(|file| file.executable);
    let by_hand = ours.is_some() && base.is_some() && bit(base) != bit(ours);
    bit(if by_hand { ours } else { theirs }).unwrap_or(false)
}

impl Merged {
    /// Merges a file that both sides changed.
    fn both(&mut self, path: &RelativePath, sides: Sides<'_>, answer: Option<&Answer>) {
        let (base, ours, theirs) = sides;
        match sides {
            (Some(_), Some(ours), None) => {
                self.kept.push(path.to_string());
                self.take(path, Some(ours), ours.executable);
            }
            (Some(_), None, Some(_)) => {
                let why = "it was removed here and changed in the source";
                self.conflict(path, why, sides, answer);
            }
            (None, Some(_), Some(_)) => {
                let why = "it was added here and in the source, with other bytes";
                self.conflict(path, why, sides, answer);
            }
            (Some(old), Some(mine), Some(new)) => {
                match merge_text(&old.bytes, &mine.bytes, &new.bytes) {
                    Ok(bytes) => {
                        let executable = run_bit(base, ours, theirs);
                        let file = FileBytes::new(bytes, executable);
                        self.take(path, Some(&file), executable);
                    }
                    Err(why) => self.conflict(path, why, sides, answer),
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

    /// Decides between a file or a link `scripts` and a file `scripts/run.sh`, which would be written through it.
    fn settle_overlaps(&mut self, now: &Snapshot, answers: &Answers) {
        let paths: Vec<RelativePath> = self.result.entries.keys().cloned().collect();
        for path in paths {
            let mut above = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
            let Some(above) = above.find(|above| self.result.entries.contains_key(*above)) else {
                continue;
            };
            // One of the two is local, and the other is in the source: both versions are folders that exist.
            let is_local = now.entries.contains_key(&path);
            let dropped = match answers.get(&*path) {
                Some(Answer::Ours) if is_local => above,
                Some(Answer::Theirs) if !is_local => above,
                Some(Answer::Ours | Answer::Theirs) => &*path,
                _ => {
                    self.conflicts.push(Conflict {
                        path: path.to_string(),
                        reason: "a file or a link stands in the place of its folder",
                        text: false,
                    });
                    continue;
                }
            };
            self.result.entries.remove(dropped);
        }
    }

    /// Takes the answer to a conflict, or reports the conflict.
    fn conflict(
        &mut self,
        path: &RelativePath,
        reason: &'static str,
        sides: Sides<'_>,
        answer: Option<&Answer>,
    ) {
        let (base, ours, theirs) = sides;
        let bit = run_bit(base, ours, theirs);
        match answer {
            Some(Answer::Ours) => self.take(path, ours, ours.is_some_and(|file| file.executable)),
            Some(Answer::Theirs) => self.take(path, theirs, bit),
            Some(Answer::Text(text)) => {
                self.take(path, Some(&FileBytes::new(text.clone(), bit)), bit);
            }
            None => {
                let both = ours.zip(theirs);
                self.conflicts.push(Conflict {
                    path: path.to_string(),
                    reason,
                    text: both.is_some_and(|(ours, theirs)| is_text(ours) && is_text(theirs)),
                });
            }
        }
    }
}

/// The most lines between the first and the last difference of two versions. The library takes time in proportion to
/// lines times differences: two versions of 5,000 lines without a common line take a second.
const MOST_LINES: usize = 5_000;

/// Merges a text as `git merge-file` does; else says why it cannot be merged.
fn merge_text(base: &[u8], ours: &[u8], theirs: &[u8]) -> Result<Vec<u8>, &'static str> {
    if [base, ours, theirs].iter().any(|side| side.contains(&0)) {
        return Err("both sides changed it, and it is not text");
    }
    if !is_mergeable(base, ours, theirs) {
        return Err("both sides changed it, and it has too many lines to be merged");
    }
    diffy::merge_bytes(base, ours, theirs).map_err(|_| "both sides changed the same lines")
}

/// Returns whether a merge takes a bearable time.
pub(crate) fn is_mergeable(base: &[u8], ours: &[u8], theirs: &[u8]) -> bool {
    let mut sides = [ours, theirs].into_iter();
    sides.all(|side| region(base, side) <= MOST_LINES)
}

/// Counts the lines between the first and the last difference of two texts.
fn region(one: &[u8], other: &[u8]) -> usize {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    let (one, other) = (lines(one), lines(other));
    let shorter = one.len().min(other.len());
    let same = |(a, b): &(&Vec<u8>, &Vec<u8>)| a == b;
    let head = one.iter().zip(&other).take_while(same).count();
    let tail = one
        .iter()
        .rev()
        .zip(other.iter().rev())
        .take_while(same)
        .count()
        .min(shorter - head);
    one.len().max(other.len()) - head - tail
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
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn different_lines_merge_as_git_merges_them(texts in versions()) {
            let [base, ours, theirs] = &texts;
            let merged = merge_text(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            prop_assert_eq!(merged.ok(), by_git(&texts));
        }
    }

    #[test]
    fn what_is_not_merged_says_why() {
        let why = |base: &str, ours: &str, theirs: &str| {
            merge_text(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap_err()
        };
        assert!(why("a\n", "b\n", "c\n").contains("the same lines"));
        assert!(why("a\0\nb\n", "a\0\nc\n", "x\0\nb\n").contains("not text"));
        let many = |word: &str| {
            let lines = (0..=MOST_LINES).map(|n| format!("{word} {n}\n"));
            lines.collect::<Vec<String>>().concat()
        };
        assert!(why(&many("a"), &many("b"), &many("c")).contains("too many lines"));
        // A change of one line in a long file is merged.
        let long = many("a") + "middle\n" + &many("z");
        let (ours, theirs) = (
            long.replace("a 0\n", "ours\n"),
            long.replace("a 9\n", "theirs\n"),
        );
        assert_eq!(region(long.as_bytes(), theirs.as_bytes()), 1);
        let merged = merge_text(long.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
        assert_eq!(merged, ours.replace("a 9\n", "theirs\n").as_bytes());
    }
}
