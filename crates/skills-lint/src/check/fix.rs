//! Fixes applied to texts and trees.

use skills_format::diagnostic::{Diagnostic, Edit};
use skills_format::skill::file::SkillFile;
use skills_format::tree::{Tree, join};
use skills_format::yaml::node::Node;
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FixedText {
    /// The new text.
    pub text: String,
    /// The number of fixed findings.
    pub applied: usize,
    /// The number of findings whose fix was not applied: the edits overlap applied edits, the file would lose a part of its
    /// front matter, or the level does not allow the fix.
    pub left: usize,
}

/// Applies the fixes of one file's findings, in their order.
///
/// If two fixes overlap, the first is applied. A check of the new text reports the second finding again, if the fault is
/// still there. No fix of a file is applied if its front matter would lose a field, a restraint or a part of the body.
pub fn apply(text: &str, findings: &[Diagnostic], fixes: FixLevel) -> FixedText {
    let mut result = FixedText::default();
    let mut edits: Vec<Edit> = Vec::new();
    let mut taken = BTreeMap::new();
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        let is_asked = fix.safe || fixes == FixLevel::All;
        if is_asked && fix.edits.iter().all(|edit| is_free(edit, &taken)) {
            taken.extend(fix.edits.iter().map(|edit| (edit.start, edit.end)));
            edits.extend(fix.edits.iter().cloned());
            result.applied += 1;
        } else {
            result.left += 1;
        }
    }
    result.text = Edit::apply(text, &edits);
    let path = findings.first().map_or("", |finding| &finding.path);
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.eq_ignore_ascii_case("SKILL.md") && loses(text, &result.text, &edits) {
        return FixedText {
            text: text.to_owned(),
            left: result.applied + result.left,
            ..FixedText::default()
        };
    }
    result
}

/// Returns whether an edit overlaps no taken place. `taken` maps starts to ends, without overlaps. Two insertions at
/// one place overlap, since their order is not known.
fn is_free(edit: &Edit, taken: &BTreeMap<usize, usize>) -> bool {
    // Taken places do not overlap, so only the last place that begins before the edit's end can reach the edit.
    let before = taken.range(..edit.end.max(edit.start + 1)).next_back();
    before.is_none_or(|(start, end)| *start != edit.start && *end <= edit.start)
}

/// Returns whether a `SKILL.md` loses something of its front matter by edits: the front matter itself, a field, or a
/// restraint. A last line of defence, since such a skill would be lost, or opened, in silence.
fn loses(text: &str, new: &str, edits: &[Edit]) -> bool {
    let before = SkillFile::read("SKILL.md", "", text.as_bytes());
    // Without front matter, nothing can be lost.
    let Some(Ok(document)) = &before.document else {
        return false;
    };
    if edits
        .iter()
        .all(|edit| edit.start >= document.body.start && !document.body.is_empty())
    {
        return false;
    }
    let after = SkillFile::read("SKILL.md", "", new.as_bytes());
    let Some(Ok(new_document)) = &after.document else {
        return true;
    };
    let is_above_body = edits.iter().all(|edit| edit.end <= document.yaml.end);
    if is_above_body && new_document.body.of(new) != document.body.of(text) {
        return true;
    }
    let Some(Ok(old)) = &before.front_matter else {
        return false;
    };
    let Some(Ok(node)) = &after.front_matter else {
        return true;
    };
    let fields = |node: &Node| {
        let entries = node.entries().iter();
        entries.filter(|(_, value)| !value.is_null()).count()
    };
    let (closed, still) = (before.closed_by(), after.closed_by());
    let is_opened = |is_for_model: bool| {
        closed.iter().any(|one| one.is_for_model() == is_for_model)
            && !still.iter().any(|one| one.is_for_model() == is_for_model)
    };
    fields(node) < fields(old) || is_opened(true) || is_opened(false)
}

/// The result of [`fix`].
#[derive(Clone, Debug)]
pub struct FixedTree {
    /// The paths of the changed files, relative to the tree's root. The tree holds their new bytes.
    pub changed: Vec<String>,
    /// The number of fixed findings in each changed file, in the order of the files.
    pub counts: Vec<usize>,
    /// The number of fixed findings.
    pub applied: usize,
    /// The findings of the changed tree.
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a tree by `check`, and applies fixes until no fix is left or 16 rounds are done. `root` is the path before every
/// path of the tree in a finding.
///
/// Only the tree in memory changes. The caller writes the changed files back to the disk.
///
/// # Cost
///
/// One check of the whole tree before the first round, and one after each round of fixes.
pub fn fix(
    root: &str,
    tree: &mut Tree,
    fixes: FixLevel,
    check: &dyn Fn(&Tree) -> Vec<Diagnostic>,
) -> FixedTree {
    let mut changed = BTreeMap::new();
    let mut applied = 0;
    let mut diagnostics = check(tree);
    for _ in 0..MAX_ROUNDS {
        let round = fix_once(root, tree, &diagnostics, fixes, &mut changed);
        if round == 0 {
            break;
        }
        applied += round;
        diagnostics = check(tree);
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
    for file in &mut tree.files {
        let findings = by_path.get(join(root, &file.path).as_str());
        let text = file.bytes.as_deref().map(std::str::from_utf8);
        let (Some(findings), Some(Ok(text))) = (findings, text) else {
            continue;
        };
        let new = apply(text, findings, fixes);
        if new.text != text {
            applied += new.applied;
            *changed.entry(file.path.clone()).or_default() += new.applied;
            file.size = new.text.len() as u64;
            file.bytes = Some(new.text.into_bytes());
        }
    }
    applied
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Fix;
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

    /// Each of the fixes leaves one of two restraints: together they open the skill.
    #[test]
    fn fixes_that_are_wrong_together_are_dropped() {
        let text = "---\nname: s\nuser-invocable: false\nuser_invocable: false\n---\nGo.\n";
        let rename = |key: &str| {
            let start = text.find(key).expect("the key");
            let edit = Edit::replace(Span::new(start, start + key.len()), "other");
            let fix = Fix::safe(vec![edit]);
            Diagnostic::new(RuleId::FieldType, Severity::Error, "s/SKILL.md", "m").fix(fix)
        };
        let findings = [rename("user-invocable"), rename("user_invocable")];
        let fixed = apply(text, &findings, FixLevel::Safe);
        assert_eq!(
            (fixed.text.as_str(), fixed.applied, fixed.left),
            (text, 0, 2)
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
