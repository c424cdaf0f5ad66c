//! Fixes applied to texts and trees.

use crate::check::fixed_file::put;
use crate::check::guard::{MAX_TRIES, Reading};
use crate::check::{check, check_bytes};
use crate::view::scope::Scope;
use skills_check::Config;
use skills_format::diagnostic::patch::Patch;
use skills_format::diagnostic::{Diagnostic, Edit, Fix, FixedFile};
use skills_format::tree::{Tree, join};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The maximum number of rounds of [`fix`]. A fix that overlaps another fix waits for the next round; two fixes that
/// undo each other would never end.
const MAX_ROUNDS: usize = 16;

/// The kinds of fixes that are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixLevel {
    /// Fixes that keep the meaning.
    Safe,
    /// Every fix, also a fix that guesses a name, a path or a misspelt key.
    All,
}

/// A text with fixes applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedText {
    /// The new text.
    pub text: String,
    /// The number of fixed findings.
    pub applied: usize,
    /// The number of findings whose fix was not applied: the edits overlap applied edits, the file would read worse,
    /// or the level does not allow the fix.
    pub left: usize,
    /// The other files that the applied fixes create or rewrite.
    pub files: Vec<FixedFile>,
}

/// Applies the fixes of one file's findings, in their order.
///
/// If two fixes overlap, or the file would read worse after both, the first fix is applied. A check of the new text
/// reports the second finding again, if the fault is still there.
pub fn apply(text: &str, findings: &[Diagnostic], fixes: FixLevel) -> FixedText {
    let gathered = gathered(findings, fixes, &|_, _| true);
    let path = findings.first().map_or("", |finding| &finding.path);
    let reading = Reading::new(path, text);
    // Fixes that are right alone can be wrong together. The later one is tried again in the next round, alone.
    if gathered.applied > 1 && reading.reads_worse(&gathered.edits) {
        let tries = Cell::new(MAX_TRIES);
        let is_harmless = |edits: &[Edit], fix: &Fix| {
            if !reading.is_at_stake(&fix.edits) {
                return true;
            }
            if tries.get() == 0 {
                return false;
            }
            tries.set(tries.get() - 1);
            let joined: Vec<Edit> = edits.iter().chain(&fix.edits).cloned().collect();
            !reading.reads_worse(&joined)
        };
        return self::gathered(findings, fixes, &is_harmless).on(text);
    }
    gathered.on(text)
}

/// The fixes of one file that are applied together.
#[derive(Default)]
struct Gathered {
    edits: Vec<Edit>,
    files: Vec<FixedFile>,
    applied: usize,
    left: usize,
}

impl Gathered {
    fn on(self, text: &str) -> FixedText {
        FixedText {
            text: Patch::new(text, &self.edits).text,
            applied: self.applied,
            left: self.left,
            files: self.files,
        }
    }
}

/// Gathers the fixes that do not overlap, and that a test allows beside the edits of earlier fixes.
fn gathered(
    findings: &[Diagnostic],
    fixes: FixLevel,
    is_allowed: &dyn Fn(&[Edit], &Fix) -> bool,
) -> Gathered {
    let mut all = Gathered::default();
    let mut taken = BTreeMap::new();
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        let is_asked = fix.safe || fixes == FixLevel::All;
        let is_free = fix.edits.iter().all(|edit| is_free(edit, &taken))
            && !fix.files.iter().any(|file| has(&all.files, file));
        if is_asked && is_free && is_allowed(&all.edits, fix) {
            taken.extend(fix.edits.iter().map(|edit| (edit.start, edit.end)));
            all.edits.extend(fix.edits.iter().cloned());
            all.files.extend(fix.files.iter().cloned());
            all.applied += 1;
        } else {
            all.left += 1;
        }
    }
    all
}

fn has(files: &[FixedFile], file: &FixedFile) -> bool {
    files.iter().any(|known| known.path == file.path)
}

/// Returns whether an edit overlaps no taken place. `taken` maps starts to ends, without overlaps. Two insertions at
/// one place overlap, since their order is not known.
fn is_free(edit: &Edit, taken: &BTreeMap<usize, usize>) -> bool {
    // Taken places do not overlap, so only the last place that begins before the edit's end can reach the edit.
    let before = taken.range(..edit.end.max(edit.start + 1)).next_back();
    before.is_none_or(|(start, end)| *start != edit.start && *end <= edit.start)
}

/// The result of [`fix`].
#[derive(Clone, Debug)]
pub struct FixedTree {
    /// The paths of the changed files, relative to the tree's root. The tree holds their new bytes.
    pub changed: Vec<String>,
    /// The number of fixed findings in each changed file, in the order of the files. A file that is rewritten for a finding
    /// of another file can have 0.
    pub counts: Vec<usize>,
    /// The number of fixed findings.
    pub applied: usize,
    /// The findings of the changed tree.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a tree and applies fixes, until no fix is left or 16 rounds are done.
///
/// Only the tree in memory changes. The caller writes the changed files back to the disk.
///
/// # Cost
///
/// One check of the whole tree before the first round, and one after each round of fixes.
pub fn fix(root: &str, tree: &mut Tree, config: &Config, fixes: FixLevel) -> FixedTree {
    let ask = |tree: &Tree| check(root, tree, config).diagnostics;
    fix_with(root, tree, fixes, &ask)
}

/// Fixes one bundle of a repository, as [`fix`] fixes a folder. The tree holds the bytes of its skills.
///
/// # Cost
///
/// The cost of [`fix`].
pub fn fix_bundle(
    root: &str,
    tree: &mut Tree,
    config: &Config,
    scope: Scope<'_>,
    fixes: FixLevel,
) -> FixedTree {
    let ask = |tree: &Tree| check_bytes(root, tree, config, scope).diagnostics;
    fix_with(root, tree, fixes, &ask)
}

/// Applies fixes to a tree, until no fix is left or 16 rounds are done. `ask` returns the findings of the tree.
///
/// # Cost
///
/// One call of `ask` before the first round, and one after each round of fixes.
pub fn fix_with(
    root: &str,
    tree: &mut Tree,
    fixes: FixLevel,
    ask: &dyn Fn(&Tree) -> Vec<Diagnostic>,
) -> FixedTree {
    let mut changed = BTreeMap::new();
    let mut applied = 0;
    let mut diagnostics = ask(tree);
    for _ in 0..MAX_ROUNDS {
        let round = fix_once(root, tree, &diagnostics, fixes, &mut changed);
        if round == 0 {
            break;
        }
        applied += round;
        diagnostics = ask(tree);
    }
    FixedTree {
        counts: changed.values().copied().collect(),
        changed: changed.into_keys().collect(),
        applied,
        diagnostics,
    }
}

fn fix_once(
    root: &str,
    tree: &mut Tree,
    diagnostics: &[Diagnostic],
    fixes: FixLevel,
    changed: &mut BTreeMap<String, usize>,
) -> usize {
    let mut by_path: BTreeMap<&str, Vec<Diagnostic>> = BTreeMap::new();
    for finding in diagnostics.iter().filter(|finding| finding.fix.is_some()) {
        by_path
            .entry(&finding.path)
            .or_default()
            .push(finding.clone());
    }
    let mut applied = 0;
    let mut others: Vec<(String, FixedFile, usize)> = Vec::new();
    for file in &mut tree.files {
        let findings = by_path.get(join(root, &file.path).as_str());
        let text = file.bytes.as_deref().map(std::str::from_utf8);
        let (Some(findings), Some(Ok(text))) = (findings, text) else {
            continue;
        };
        let new = apply(text, findings, fixes);
        if new.files.is_empty() && new.text == text {
            continue;
        }
        applied += new.applied;
        let is_edited = new.text != text;
        others.extend(
            new.files
                .into_iter()
                .map(|other| (file.path.clone(), other, usize::from(!is_edited))),
        );
        if is_edited {
            file.size = new.text.len() as u64;
            file.bytes = Some(new.text.into_bytes());
            *changed.entry(file.path.clone()).or_default() += new.applied;
        }
    }
    for (beside, other, count) in others {
        let path = put(&mut tree.files, &beside, &other);
        *changed.entry(path).or_default() += count;
    }
    applied
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Severity;
    use skills_format::diagnostic::rule_id::RuleId;
    use skills_format::text::span::Span;

    fn finding(fix: Fix) -> Diagnostic {
        Diagnostic::new(RuleId::TextForm, Severity::Error, "f", "m").fix(fix)
    }

    #[test]
    fn the_first_of_two_that_overlap() {
        let replace = |start, end, text| vec![Edit::replace(Span::new(start, end), text)];
        let findings = [
            finding(Fix::safe(replace(0, 1, "A"))),
            finding(Fix::safe(replace(0, 2, "no"))),
            finding(Fix::guess(replace(2, 3, "C"))),
        ];
        let safe = apply("abc", &findings, FixLevel::Safe);
        assert_eq!((safe.text.as_str(), safe.applied, safe.left), ("Abc", 1, 2));
        let all = apply("abc", &findings, FixLevel::All);
        assert_eq!((all.text.as_str(), all.applied, all.left), ("AbC", 2, 1));
    }

    /// Each of the fixes leaves one of two restraints.
    #[test]
    fn the_second_of_two_that_are_wrong_together() {
        let text = "---\nname: s\nuser-invocable: false\nuser_invocable: false\n---\nGo.\n";
        let rename = |key: &str| {
            let start = text.find(key).expect("the key");
            let edit = Edit::replace(Span::new(start, start + key.len()), "other");
            let fix = Fix::safe(vec![edit]);
            Diagnostic::new(RuleId::FieldType, Severity::Error, "s/SKILL.md", "m").fix(fix)
        };
        let findings = [rename("user-invocable"), rename("user_invocable")];
        let fixed = apply(text, &findings, FixLevel::Safe);
        let one = "---\nname: s\nother: false\nuser_invocable: false\n---\nGo.\n";
        assert_eq!(
            (fixed.text.as_str(), fixed.applied, fixed.left),
            (one, 1, 1)
        );
    }

    #[test]
    fn many_edits_of_two_fixes_take_little_time() {
        const COUNT: usize = 200_000;
        let of = |first: usize, text: &'static str| {
            let places = (0..COUNT).map(|n| Span::new(3 * n + first, 3 * n + first + 1));
            Fix::safe(places.map(|place| Edit::replace(place, text)).collect())
        };
        let text = "abc".repeat(COUNT);
        let findings = [of(0, "A"), of(2, "C"), of(1, "B")].map(finding);
        let fixed = apply(&text, &findings, FixLevel::Safe);
        assert_eq!((fixed.applied, fixed.left), (3, 0));
        assert_eq!(fixed.text, "ABC".repeat(COUNT));
    }

    #[test]
    fn what_overlaps() {
        let taken = BTreeMap::from([(2, 4), (6, 6), (8, 9)]);
        let free = |start, end| is_free(&Edit::replace(Span::new(start, end), ""), &taken);
        for (start, end) in [(0, 2), (1, 1), (4, 6), (4, 4), (5, 5), (7, 8), (9, 20)] {
            assert!(free(start, end), "{start}..{end}");
        }
        for (start, end) in [
            (0, 3),
            (2, 2),
            (3, 3),
            (3, 5),
            (5, 7),
            (6, 6),
            (6, 7),
            (8, 8),
        ] {
            assert!(!free(start, end), "{start}..{end}");
        }
        assert!(!free(0, 20) && !free(7, 20));
    }
}
