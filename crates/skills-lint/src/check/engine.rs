//! Runs the rules: on each skill alone, on skills among their siblings, and on all skills together.

// One skill at a time: the bytes of a skill are read, checked and dropped. Only the name, the aliases and the length
// of the catalog line are kept. For a rule that compares skills, a skill is read a second time. The macro and build
// scripts keep the bytes, since they bake the bytes.

use crate::check::offer;
use crate::check::parallel;
use crate::check::suppression::{self, Suppressions};
use crate::rules;
use crate::rules::rule::{Check, Group, Level, MAX_FINDINGS, Rule};
use crate::rules::{OF_A_BUILD, RULES};
use crate::view::CheckedSkill;
use crate::view::bundle::{BundleView, Gist, Read};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::tree::TreeView;
use skills_check::Config;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::tree::TreeFault;

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The findings, in the order of [`Diagnostic::sort`].
    pub diagnostics: Vec<Diagnostic>,
    /// The findings that a comment suppressed, in the same order.
    pub suppressed: Vec<Diagnostic>,
    /// The name of each skill, or of its folder if the skill has no readable name.
    pub names: Vec<String>,
}

/// Runs every rule whose level is not `allow` on every skill, and on all skills together.
///
/// One skill is read at a time, and the facts that other skills need are kept. If a rule must see a skill when all
/// skills are known, the skill is read again.
pub(crate) fn check(tree: &TreeView<'_>, config: &Config, read: &Read<'_>) -> Found {
    let engine = Engine {
        asked: asked(config, tree)
            .filter(|asked| {
                asked.rule.group != Group::Portability || tree.scope.clients.are_known()
            })
            .collect(),
        config,
        tree,
        read,
    };
    let indices: Vec<usize> = (0..tree.skills.len()).collect();
    let mut gists = Vec::with_capacity(indices.len());
    let mut faults = tree.faults().to_vec();
    let (mut again, mut found) = (Vec::new(), Vec::new());
    let mut suppressions = Suppressions::default();
    for (index, skill) in parallel::map(&indices, |index| engine.skill(*index))
        .into_iter()
        .enumerate()
    {
        gists.push(skill.gist);
        again.extend(skill.is_asked_again.then_some(index));
        found.extend(skill.found);
        faults.extend(skill.faults);
        suppressions.extend(skill.suppressions);
    }
    let bundle = BundleView::new(tree, read, &gists, &faults);
    let of_siblings = parallel::map(&again, |index| engine.among_siblings(&bundle, *index));
    found.extend(of_siblings.into_iter().flatten());
    found.extend(engine.together(&bundle));
    offer::without_collisions(&mut found, &bundle);
    // Overrides come first: a comment for a finding that an override turns off counts as unused.
    config.refine(&mut found, &default_level);
    let (mut diagnostics, mut suppressed) = suppressions.apply(found);
    diagnostics.extend(suppressions.unused(config));
    Diagnostic::sort(&mut diagnostics);
    Diagnostic::sort(&mut suppressed);
    Found {
        diagnostics,
        suppressed,
        names: names(&bundle),
    }
}

fn names(bundle: &BundleView<'_>) -> Vec<String> {
    let skills = bundle.skills.iter().zip(&bundle.tree.skills);
    let names = skills.map(|(gist, files)| match &gist.name {
        Some((name, _)) => name.clone(),
        None => files.dir.rsplit('/').next().unwrap_or_default().to_owned(),
    });
    names.collect()
}

/// An active rule: a rule whose level is not `allow`.
struct Asked {
    rule: &'static Rule,
    severity: Severity,
    /// True if a finding keeps its own severity when that severity is milder.
    may_be_milder: bool,
}

impl Asked {
    fn severity_of(&self, finding: &Finding) -> Severity {
        if self.may_be_milder {
            self.severity.max(finding.mildest)
        } else {
            self.severity
        }
    }
}

fn asked(config: &Config, tree: &TreeView<'_>) -> impl Iterator<Item = Asked> {
    let around = tree.scope.around;
    let is_published = around.is_some_and(|around| !around.is_shipped(tree.scope.dir));
    RULES.iter().filter_map(move |rule| {
        let severity = config.most_severe(rule)?;
        let may_be_milder = config.is_default(rule);
        let is_of_build = is_published && may_be_milder && OF_A_BUILD.contains(&rule.id);
        Some(Asked {
            rule,
            severity: if is_of_build {
                severity.max(Severity::Warning)
            } else {
                severity
            },
            may_be_milder,
        })
    })
}

struct Engine<'e> {
    asked: Vec<Asked>,
    config: &'e Config,
    tree: &'e TreeView<'e>,
    read: &'e Read<'e>,
}

/// The facts about one skill, after the skill was read alone.
#[derive(Default)]
struct Alone {
    gist: Gist,
    found: Vec<Diagnostic>,
    faults: Vec<TreeFault>,
    is_asked_again: bool,
    suppressions: Suppressions,
}

impl Engine<'_> {
    /// Checks one skill alone.
    fn skill(&self, index: usize) -> Alone {
        let mut alone = Alone::default();
        alone.faults = (self.read)(index, &mut |skill| {
            let view = SkillView::new(skill, self.tree);
            alone.gist = Gist::of(&view);
            if !alone.gist.is_asked {
                return;
            }
            alone.is_asked_again = self.is_asked_again(&view);
            alone.found = self.found(&view);
            let retry = |skill: &CheckedSkill<'_>| self.found(&SkillView::new(skill, self.tree));
            offer::without_harm(&mut alone.found, skill, self.tree, &retry);
            if self.config.honours_comments {
                alone.suppressions = suppression::read(&view);
            }
        });
        alone
    }

    /// Returns the findings of the rules that see one skill alone.
    fn found(&self, view: &SkillView<'_>) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        for asked in &self.asked {
            let found = match asked.rule.check {
                Check::Skill(check) if view.is_readable() => check(view),
                Check::Files(check) | Check::Tree { files: check, .. } => check(view),
                Check::InRepository(check) if self.tree.scope.around.is_some() => check(view),
                _ => continue,
            };
            if !found.is_empty() {
                report(view, found, asked, &mut all);
            }
        }
        all
    }

    fn is_asked_again(&self, view: &SkillView<'_>) -> bool {
        let concerns = |asked: &Asked| match asked.rule.check {
            Check::Siblings { concerns, .. } => concerns(view),
            _ => false,
        };
        view.is_readable() && self.asked.iter().any(concerns)
    }

    /// Checks a skill again, now that the other skills are known.
    fn among_siblings(&self, bundle: &BundleView<'_>, index: usize) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        (self.read)(index, &mut |skill| {
            let view = SkillView::new(skill, self.tree);
            for asked in &self.asked {
                if let Check::Siblings { concerns, check } = asked.rule.check
                    && concerns(&view)
                {
                    report(&view, check(&view, bundle), asked, &mut found);
                }
            }
        });
        found
    }

    /// Checks all skills together.
    fn together(&self, bundle: &BundleView<'_>) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        for asked in &self.asked {
            if let Check::Bundle(check) | Check::Tree { above: check, .. } = asked.rule.check {
                let found = check(bundle).into_iter();
                let found = found.filter(|finding| bundle.is_asked(finding)).collect();
                let found = limited(found, asked.rule).into_iter();
                all.extend(found.map(|finding| {
                    let severity = asked.severity_of(&finding);
                    bundle.placed(&finding, severity)
                }));
            }
        }
        all
    }
}

/// Adds the findings of a rule in a skill.
fn report(view: &SkillView<'_>, found: Vec<Finding>, asked: &Asked, all: &mut Vec<Diagnostic>) {
    for mut finding in limited(found, asked.rule) {
        // The rules of this group offer the fixes that make front matter parse.
        if asked.rule.group != Group::File {
            view.without_guesswork(&mut finding);
        }
        let severity = asked.severity_of(&finding);
        all.push(view.placed(finding, severity));
    }
}

/// Returns the first findings of a rule in a skill. The last returned finding counts the rest.
fn limited(mut found: Vec<Finding>, rule: &Rule) -> Vec<Finding> {
    // The maximum is for one skill, and the findings of a bundle are about many skills.
    let rest = found.len().saturating_sub(MAX_FINDINGS);
    if rest > 0 && !matches!(rule.check, Check::Bundle(_)) {
        found.sort_by_key(Finding::offset);
        found.truncate(MAX_FINDINGS);
        if let Some(last) = found.pop() {
            let message = last.message.clone();
            let message = message.words(&format!(", and {rest} more like it"));
            found.push(Finding { message, ..last });
        }
    }
    found
}

/// Returns the level of a rule that is not set.
pub(crate) fn default_level(rule: RuleId) -> Option<Level> {
    rules::find(rule.as_str()).map(|rule| rule.level)
}
