//! Runs the rules: on each skill alone, on skills among their siblings, and on all skills together.

// One skill at a time: the bytes of a skill are read, checked and dropped. Only the name, the aliases and the length
// of the catalog line are kept. For a rule that compares skills, a skill is read a second time. The macro and build
// scripts keep the bytes, since they bake the bytes.

#[cfg(feature = "program")]
use crate::check::guard;
use crate::check::memory::{Alone, Memory};
use crate::check::offer;
use crate::check::parallel;
use crate::check::suppression::{self, Suppressions};
use crate::rules;
use crate::rules::RULES;
use crate::rules::rule::{Check, Group, Level, MAX_FINDINGS, Rule};
use crate::view::CheckedSkill;
use crate::view::bundle::{BundleView, Gist, Keep, Read};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::tree::TreeView;
use skills_check::Config;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::text::order::sort_by_number;
use skills_format::tree::TreeFault;

/// The findings of all rules.
#[derive(Default)]
pub(crate) struct Told {
    /// The findings, in the order of [`Diagnostic::sort`].
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The findings that a comment suppressed, in the same order.
    pub(crate) suppressed: Vec<Diagnostic>,
    /// The names of all skills. A skill whose name cannot be read has the name of its folder.
    pub(crate) names: Vec<String>,
}

/// Runs every rule whose level is not `allow` on every skill, and on all skills together.
///
/// One skill is read at a time, and the facts that other skills need are kept. If a rule must see a skill when all
/// skills are known, the skill is read again.
pub(crate) fn check(tree: &TreeView<'_>, config: &Config, read: &Read<'_>) -> Told {
    run(tree, config, read, None)
}

/// Runs the rules as [`check`] does. The skills that the memory holds are not read again.
pub(crate) fn check_again(
    tree: &TreeView<'_>,
    config: &Config,
    read: &Read<'_>,
    memory: &mut Memory,
) -> Told {
    run(tree, config, read, Some(memory))
}

fn run(
    tree: &TreeView<'_>,
    config: &Config,
    read: &Read<'_>,
    mut memory: Option<&mut Memory>,
) -> Told {
    let engine = Engine {
        asked: asked(config)
            .filter(|asked| {
                asked.rule.group != Group::Portability || tree.scope.clients.are_known()
            })
            .collect(),
        config,
        tree,
        read,
    };
    let Skills {
        gists,
        faults,
        again,
        mut told,
        mut suppressions,
    } = engine.alone(memory.as_deref_mut());
    let bundle = BundleView::new(tree, read, &gists, &faults);
    if let Some(memory) = memory {
        told.extend(engine.among_siblings_again(&bundle, &again, memory));
    } else {
        let new = engine.among_siblings(&bundle, &again);
        told.extend(new.into_iter().flatten());
    }
    told.extend(engine.together(&bundle));
    offer::without_collisions(&mut told, &bundle);
    // Overrides come first: a comment for a finding that an override turns off counts as unused.
    config.refine(&mut told, &default_level);
    let (mut diagnostics, mut suppressed) = suppressions.apply(told);
    diagnostics.extend(suppressions.unused(config));
    Diagnostic::sort(&mut diagnostics);
    Diagnostic::sort(&mut suppressed);
    Told {
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

/// Returns whether an active rule reads the files beside the `SKILL.md`.
pub(crate) fn look_into_files(config: &Config) -> bool {
    asked(config).any(|asked| matches!(asked.rule.check, Check::Contents(_)))
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

fn asked(config: &Config) -> impl Iterator<Item = Asked> {
    RULES.iter().filter_map(|rule| {
        Some(Asked {
            rule,
            severity: config.most_severe(rule)?,
            may_be_milder: config.is_default(rule),
        })
    })
}

struct Engine<'e> {
    asked: Vec<Asked>,
    config: &'e Config,
    tree: &'e TreeView<'e>,
    read: &'e Read<'e>,
}

/// The facts about all skills, after each skill was read alone.
#[derive(Default)]
struct Skills {
    gists: Vec<Gist>,
    faults: Vec<TreeFault>,
    /// The indices of the skills that are checked again.
    again: Vec<usize>,
    told: Vec<Diagnostic>,
    suppressions: Suppressions,
}

impl Engine<'_> {
    /// Checks each skill alone.
    fn alone(&self, memory: Option<&mut Memory>) -> Skills {
        let compares = |asked: &Asked| matches!(asked.rule.check, Check::Descriptions(_));
        let keep = if self.asked.iter().any(compares) {
            Keep::Descriptions
        } else {
            Keep::Nothing
        };
        let indices: Vec<usize> = (0..self.tree.skills.len()).collect();
        let read = match memory {
            Some(memory) => self.alone_again(&indices, keep, memory),
            None => parallel::map(&indices, |index| self.skill(*index, keep)),
        };
        let mut skills = Skills {
            faults: self.tree.faults().to_vec(),
            ..Skills::default()
        };
        skills.gists.reserve_exact(read.len());
        for (index, skill) in read.into_iter().enumerate() {
            skills.gists.push(skill.gist);
            skills.again.extend(skill.is_asked_again.then_some(index));
            skills.told.extend(skill.told);
            skills.faults.extend(skill.faults);
            skills.suppressions.extend(skill.suppressions);
        }
        skills
    }

    /// Checks alone each skill that the memory does not hold.
    fn alone_again(&self, indices: &[usize], keep: Keep, memory: &mut Memory) -> Vec<Alone> {
        let dir = |index: usize| self.tree.skills.get(index).map_or("", |skill| skill.dir);
        let is_new = |index: &usize| !memory.alone.contains(dir(*index));
        let new: Vec<usize> = indices.iter().copied().filter(is_new).collect();
        let read = parallel::map(&new, |index| self.skill(*index, keep));
        for (index, alone) in new.into_iter().zip(read) {
            memory.alone.insert(dir(index).to_owned(), alone);
        }
        let known = indices.iter().map(|index| memory.alone.get(dir(*index)));
        known
            .map(|alone| alone.cloned().unwrap_or_default())
            .collect()
    }

    fn skill(&self, index: usize, keep: Keep) -> Alone {
        let mut alone = Alone::default();
        alone.faults = (self.read)(index, &mut |skill| {
            let view = SkillView::new(skill, self.tree);
            alone.gist = Gist::of(&view, keep);
            if !alone.gist.is_asked {
                return;
            }
            alone.is_asked_again = self.is_asked_again(&view);
            alone.told = self.found(&view);
            #[cfg(feature = "program")]
            guard::without_damage(&mut alone.told, &|path| {
                let path = self.tree.inside(path);
                skill.files.iter().find(|file| file.path == path)
            });
            let retry = |skill: &CheckedSkill<'_>| self.found(&SkillView::new(skill, self.tree));
            offer::without_harm(&mut alone.told, skill, self.tree, &retry);
            if self.config.honours_comments {
                alone.suppressions = suppression::read(&view);
            }
        });
        alone
    }

    /// Returns the findings of the rules that see one skill alone.
    fn found(&self, view: &SkillView<'_>) -> Vec<Diagnostic> {
        let mut told = Vec::new();
        for asked in &self.asked {
            let found = match asked.rule.check {
                Check::Skill(check) if view.is_readable() => check(view),
                Check::Files(check) | Check::Contents(check) | Check::Tree { files: check, .. } => {
                    check(view)
                }
                Check::InRepository(check) if self.tree.scope.around.is_some() => check(view),
                _ => continue,
            };
            if !found.is_empty() {
                tell(view, found, asked, &mut told);
            }
        }
        told
    }

    fn is_asked_again(&self, view: &SkillView<'_>) -> bool {
        let concerns = |asked: &Asked| match asked.rule.check {
            Check::Siblings { concerns, .. } => concerns(view),
            _ => false,
        };
        view.is_readable() && self.asked.iter().any(concerns)
    }

    /// Checks skills again, now that the other skills are known.
    fn among_siblings(&self, bundle: &BundleView<'_>, again: &[usize]) -> Vec<Vec<Diagnostic>> {
        parallel::map(again, |index| {
            let mut told = Vec::new();
            (self.read)(*index, &mut |skill| {
                let view = SkillView::new(skill, self.tree);
                for asked in &self.asked {
                    if let Check::Siblings { concerns, check } = asked.rule.check
                        && concerns(&view)
                    {
                        tell(&view, check(&view, bundle), asked, &mut told);
                    }
                }
            });
            told
        })
    }

    /// Checks again each skill that the memory does not hold.
    fn among_siblings_again(
        &self,
        bundle: &BundleView<'_>,
        again: &[usize],
        memory: &mut Memory,
    ) -> Vec<Diagnostic> {
        memory.note(bundle);
        let dir = |index: usize| self.tree.skills.get(index).map_or("", |skill| skill.dir);
        let is_new = |index: &usize| !memory.among_siblings.contains(dir(*index));
        let new: Vec<usize> = again.iter().copied().filter(is_new).collect();
        let told = self.among_siblings(bundle, &new);
        for (index, told) in new.into_iter().zip(told) {
            memory.among_siblings.insert(dir(index).to_owned(), told);
        }
        let known = again
            .iter()
            .filter_map(|index| memory.among_siblings.get(dir(*index)));
        known.flatten().cloned().collect()
    }

    /// Checks all skills together.
    fn together(&self, bundle: &BundleView<'_>) -> Vec<Diagnostic> {
        let mut told = Vec::new();
        for asked in &self.asked {
            if let Check::Bundle(check)
            | Check::Descriptions(check)
            | Check::Tree { above: check, .. } = asked.rule.check
            {
                let found = check(bundle).into_iter();
                let found = found.filter(|finding| bundle.is_asked(finding)).collect();
                let found = limited(found, asked.rule).into_iter();
                told.extend(found.map(|finding| {
                    let severity = asked.severity_of(&finding);
                    bundle.placed(&finding, severity)
                }));
            }
        }
        told
    }
}

/// Adds the findings of a rule in a skill.
fn tell(view: &SkillView<'_>, found: Vec<Finding>, asked: &Asked, told: &mut Vec<Diagnostic>) {
    for mut finding in limited(found, asked.rule) {
        // The rules of this group offer the fixes that make front matter parse.
        if asked.rule.group != Group::File {
            view.without_guesswork(&mut finding);
        }
        let severity = asked.severity_of(&finding);
        told.push(view.placed(finding, severity));
    }
}

/// Returns the first findings of a rule in a skill. The last returned finding counts the rest.
fn limited(mut found: Vec<Finding>, rule: &Rule) -> Vec<Finding> {
    // The maximum is for one skill, and the findings of a bundle are about many skills.
    let rest = found.len().saturating_sub(MAX_FINDINGS);
    if rest > 0 && !matches!(rule.check, Check::Bundle(_) | Check::Descriptions(_)) {
        sort_by_number(&mut found, Finding::offset);
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
