//! Leaves out the findings of a rule beyond the first 100 of a skill.

use crate::rules::rule::MAX_SHOWN;
use skills_format::diagnostic::Diagnostic;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// Returns the findings, which are sorted, without those of a rule beyond the first 100 of a skill. The last finding of
/// the rule that is left counts the rest. `skills` returns the printed folders of skills; a path outside of them counts
/// alone. It is called only if something may have to be left out.
///
/// Only what is shown is cut: totals and baselines hold every finding, otherwise the repair of one finding would show
/// the 101st as new.
pub fn folded<'d>(
    diagnostics: &'d [Diagnostic],
    skills: &dyn Fn() -> BTreeSet<String>,
) -> Cow<'d, [Diagnostic]> {
    if diagnostics.len() <= MAX_SHOWN {
        return Cow::Borrowed(diagnostics);
    }
    let skills = &skills();
    // For each rule of a skill: the number of findings, and where the last shown finding lies among the shown.
    let mut counts: HashMap<(&str, &str), (usize, usize)> = HashMap::new();
    let mut shown: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        let skill = skill_of(&diagnostic.path, skills);
        let (count, last) = counts.entry((diagnostic.rule.as_str(), skill)).or_default();
        *count += 1;
        if *count <= MAX_SHOWN {
            *last = shown.len();
            shown.push(diagnostic.clone());
        }
    }
    for (count, last) in counts.into_values() {
        let rest = count.saturating_sub(MAX_SHOWN);
        if let Some(last) = shown.get_mut(last).filter(|_| rest > 0) {
            let message = last.message.clone();
            last.message = message.words(&format!(", and {rest} more like it"));
        }
    }
    Cow::Owned(shown)
}

/// Returns the nearest folder of a skill around a path, or the path.
fn skill_of<'p>(path: &'p str, skills: &BTreeSet<String>) -> &'p str {
    let folders = memchr::memrchr_iter(b'/', path.as_bytes()).filter_map(|end| path.get(..end));
    let mut around = std::iter::once(path).chain(folders);
    around
        .find(|folder| skills.contains(*folder))
        .unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::diagnostic::Severity;
    use skills_format::diagnostic::rule_id::RuleId;

    fn found(path: &str, rule: RuleId, count: usize) -> Vec<Diagnostic> {
        (0..count)
            .map(|n| Diagnostic::new(rule, Severity::Warning, path, format!("finding {n}")))
            .collect()
    }

    #[test]
    fn one_rule_of_one_skill_is_cut_and_the_rest_is_counted() {
        let mut all = found("a/SKILL.md", RuleId::LinkBroken, 60);
        all.extend(found("a/more.md", RuleId::LinkBroken, 45));
        all.extend(found("a/more.md", RuleId::HiddenText, 3));
        all.extend(found("b/SKILL.md", RuleId::LinkBroken, 100));
        let shown = folded(&all, &|| ["a".to_owned(), "b".to_owned()].into());
        assert_eq!(shown.len(), 100 + 3 + 100);
        assert_eq!(
            shown[99].to_string(),
            "a/more.md:1:1: warning[link-broken]: finding 39, and 5 more like it"
        );
        let cut = shown
            .iter()
            .filter(|it| it.to_string().contains("more like it"));
        assert_eq!(cut.count(), 1, "100 of b are all shown");
    }

    #[test]
    fn paths_are_skills_of_their_own_where_the_skill_is_not_known() {
        let mut all = found("a", RuleId::LinkBroken, 101);
        all.extend(found("b", RuleId::LinkBroken, 2));
        let shown = folded(&all, &BTreeSet::new);
        assert_eq!(shown.len(), 102);
    }
}
