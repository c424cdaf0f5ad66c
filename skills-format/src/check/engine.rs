//! Asks the rules: about each skill by itself, among its siblings, about all together.

use crate::check::parallel;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::RULES;
use crate::rules::rule::{Check, Group, MAX_FINDINGS, Rule};
use crate::tree::TreeFault;
use crate::view::bundle::{BundleView, Gist, Keep, Read};
use crate::view::skill::SkillView;
use crate::view::tree::TreeView;
use std::collections::BTreeSet;

/// Asks every rule that is not allowed about every skill, and about all of them together.
///
/// One skill is read at a time. What others must know of it is kept; where a rule still has to see
/// the skill when all are known, it is read again.
pub(crate) fn check(tree: &TreeView<'_>, config: &Config, read: &Read<'_>) -> Vec<Diagnostic> {
    let engine = Engine {
        asked: asked(config).collect(),
        tree,
        read,
    };
    let (gists, faults, again, mut told) = engine.alone();
    let bundle = BundleView::new(tree, read, &gists, &faults);
    told.extend(engine.among_siblings(&bundle, &again));
    told.extend(engine.together(&bundle));
    told.extend(config.unknown_seals(tree.root, &names(&bundle)));
    Diagnostic::sort(&mut told);
    told
}

/// The names of all skills. A skill whose name cannot be read has its folder's.
fn names<'b>(bundle: &BundleView<'b>) -> BTreeSet<&'b str> {
    let skills = bundle.skills.iter().zip(&bundle.tree.skills);
    skills
        .filter_map(|(gist, files)| match &gist.name {
            Some((name, _)) => Some(name.as_str()),
            None => files.dir.rsplit('/').next(),
        })
        .collect()
}

/// Whether a rule that is asked looks into the files beside the `SKILL.md`.
pub(crate) fn look_into_files(config: &Config) -> bool {
    asked(config).any(|(rule, _)| matches!(rule.check, Check::Contents(_)))
}

fn asked(config: &Config) -> impl Iterator<Item = (&'static Rule, Severity)> {
    RULES
        .iter()
        .filter_map(|rule| Some((rule, config.severity(rule)?)))
}

struct Engine<'e> {
    asked: Vec<(&'static Rule, Severity)>,
    tree: &'e TreeView<'e>,
    read: &'e Read<'e>,
}

/// What is known of a skill when it was read alone.
#[derive(Default)]
struct Alone {
    gist: Gist,
    told: Vec<Diagnostic>,
    faults: Vec<TreeFault>,
    is_asked_again: bool,
}

impl Engine<'_> {
    /// Asks about each skill by itself. Returns a gist of each skill, the files that could not be
    /// read, the skills to ask about again, and the findings.
    fn alone(&self) -> (Vec<Gist>, Vec<TreeFault>, Vec<usize>, Vec<Diagnostic>) {
        let compares = |(rule, _): &(&Rule, _)| matches!(rule.check, Check::Descriptions(_));
        let keep = if self.asked.iter().any(compares) {
            Keep::Descriptions
        } else {
            Keep::Nothing
        };
        let indices: Vec<usize> = (0..self.tree.skills.len()).collect();
        let skills = parallel::map(&indices, |index| self.skill(*index, keep));
        let (mut gists, mut again, mut told) = (Vec::new(), Vec::new(), Vec::new());
        let mut faults = self.tree.faults().to_vec();
        gists.reserve_exact(skills.len());
        for (index, skill) in skills.into_iter().enumerate() {
            gists.push(skill.gist);
            again.extend(skill.is_asked_again.then_some(index));
            told.extend(skill.told);
            faults.extend(skill.faults);
        }
        (gists, faults, again, told)
    }

    fn skill(&self, index: usize, keep: Keep) -> Alone {
        let mut alone = Alone::default();
        alone.faults = (self.read)(index, &mut |skill| {
            let view = SkillView::new(skill, self.tree);
            for (rule, severity) in &self.asked {
                let found = match rule.check {
                    Check::Skill(check) if view.is_readable() => check(&view),
                    Check::Files(check)
                    | Check::Contents(check)
                    | Check::Tree { files: check, .. } => check(&view),
                    Check::Siblings { concerns, .. } => {
                        alone.is_asked_again |= view.is_readable() && concerns(&view);
                        continue;
                    }
                    _ => continue,
                };
                tell(&view, found, rule, *severity, &mut alone.told);
            }
            alone.gist = Gist::of(&view, keep);
        });
        alone
    }

    /// Asks about skills again, now that the others are known.
    fn among_siblings(&self, bundle: &BundleView<'_>, again: &[usize]) -> Vec<Diagnostic> {
        let told = parallel::map(again, |index| {
            let mut told = Vec::new();
            (self.read)(*index, &mut |skill| {
                let view = SkillView::new(skill, self.tree);
                for (rule, severity) in &self.asked {
                    if let Check::Siblings { concerns, check } = rule.check
                        && concerns(&view)
                    {
                        tell(&view, check(&view, bundle), rule, *severity, &mut told);
                    }
                }
            });
            told
        });
        told.into_iter().flatten().collect()
    }

    /// Asks about all skills together.
    fn together(&self, bundle: &BundleView<'_>) -> Vec<Diagnostic> {
        let mut told = Vec::new();
        for (rule, severity) in &self.asked {
            if let Check::Bundle(check)
            | Check::Descriptions(check)
            | Check::Tree { above: check, .. } = rule.check
            {
                told.extend(stamped(check(bundle), rule, *severity));
            }
        }
        told
    }
}

/// Adds what a rule found in a skill.
fn tell(
    view: &SkillView<'_>,
    found: Vec<Diagnostic>,
    rule: &'static Rule,
    severity: Severity,
    told: &mut Vec<Diagnostic>,
) {
    for mut finding in stamped(found, rule, severity) {
        if rule.group != Group::File {
            view.without_guesswork(&mut finding);
        }
        told.push(view.placed(finding));
    }
}

fn stamped(mut found: Vec<Diagnostic>, rule: &Rule, severity: Severity) -> Vec<Diagnostic> {
    let rest = found.len().saturating_sub(MAX_FINDINGS);
    if rest > 0 && !matches!(rule.check, Check::Bundle(_) | Check::Descriptions(_)) {
        found.sort_by_key(|finding| finding.start.offset);
        found.truncate(MAX_FINDINGS);
        if let Some(last) = found.last_mut() {
            last.message = format!("{}, and {rest} more like it", last.message);
        }
    }
    for finding in &mut found {
        finding.rule = rule.id.as_str();
        finding.severity = severity;
    }
    found
}
