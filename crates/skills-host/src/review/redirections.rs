//! Links and submodules that are new, or lead elsewhere than before.

use crate::review::difference::PowerChanges;
use crate::review::leads::{Leads, resolved};
use crate::review::side::Side;
use serde::Serialize;

/// A link or a submodule outside of the skills that leads to skills which the comparison does not show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Redirection {
    /// The path.
    pub path: String,
    /// Where the path led before, in words. `None` if it led nowhere else.
    pub before: Option<String>,
    /// Where the path leads now, in words.
    pub now: String,
}

/// Returns the links and submodules that are new or lead elsewhere than before. A link to skills of the same side is
/// left out if the comparison shows everything that these skills may do.
pub fn redirections(old: &Side, new: &Side) -> Vec<Redirection> {
    let changed = new
        .links
        .iter()
        .filter(|(path, leads)| old.links.get(*path) != Some(*leads));
    let told = changed.filter(|(path, leads)| !is_compared(path, leads, old, new));
    told.map(|(path, leads)| Redirection {
        path: path.clone(),
        before: old.links.get(path).map(ToString::to_string),
        now: leads.to_string(),
    })
    .collect()
}

/// Returns whether the comparison shows what the skills behind a link may do.
fn is_compared(path: &str, leads: &Leads, old: &Side, new: &Side) -> bool {
    let target = match leads {
        Leads::To(target) => resolved(path, target),
        Leads::At(_) => None,
        Leads::Nowhere => return true,
    };
    let Some(target) = target.filter(|target| !passes_a_link(target, new)) else {
        return false;
    };
    let find = |folder: &str| old.skills.iter().find(|skill| skill.folder == folder);
    let behind = new.skills.iter().filter_map(|skill| {
        let rest = skill.folder.strip_prefix(&target)?;
        (rest.is_empty() || target.is_empty() || rest.starts_with('/')).then_some((skill, rest))
    });
    behind.into_iter().all(|(skill, rest)| {
        let rest = rest.trim_start_matches('/');
        let before = match rest {
            "" => find(path),
            rest => find(&format!("{path}/{rest}")),
        };
        match before {
            // The link replaced the skill.
            Some(before) => PowerChanges::between(&before.powers(), &skill.powers())
                .gained
                .is_empty(),
            // An added skill is compared with nothing.
            None => find(&skill.folder).is_none() || skill.powers().iter().next().is_none(),
        }
    })
}

fn passes_a_link(target: &str, side: &Side) -> bool {
    let ends = target.match_indices('/').map(|(at, _)| at);
    let mut above = ends
        .chain([target.len()])
        .filter_map(|end| target.get(..end));
    above.any(|above| side.links.contains_key(above))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::side::ReviewedSkill;
    use skills_store::files::snapshot::FileBytes;

    fn side(skills: &[(&str, &str)], links: &[(&str, &str)]) -> Side {
        let skills = skills.iter().map(|(folder, body)| ReviewedSkill {
            folder: (*folder).to_owned(),
            files: [(
                "SKILL.md".to_owned(),
                FileBytes::new(
                    format!("---\nname: a\ndescription: b\n---\n{body}\n").into_bytes(),
                    false,
                ),
            )]
            .into(),
            links: [].into(),
        });
        let links = links
            .iter()
            .map(|(path, target)| ((*path).to_owned(), Leads::To((*target).to_owned())));
        Side {
            skills: skills.collect(),
            links: links.collect(),
            ..Side::default()
        }
    }

    const RUNS: &str = "Run `git push`.";

    #[test]
    fn links_are_told_unless_the_skills_behind_are_compared() {
        let told = |old: &Side, new: &Side| redirections(old, new).len();
        let none = side(&[], &[]);
        // Out of the folder, absolute, and through another link.
        for target in ["../x", "/etc", "y/z"] {
            let new = side(&[], &[("a", target), ("y", "../x")]);
            let both = side(&[], &[("y", "../x")]);
            assert_eq!(told(&both, &new), 1, "{target}");
        }
        // A skill that was there for no client, with a power and without one.
        let link = [("skills", "fixtures")];
        let before = side(&[("fixtures/a", RUNS)], &[]);
        assert_eq!(told(&before, &side(&[("fixtures/a", RUNS)], &link)), 1);
        let before = side(&[("fixtures/a", "Hi.")], &[]);
        assert_eq!(told(&before, &side(&[("fixtures/a", "Hi.")], &link)), 0);
        // An added skill, and a folder that moved.
        assert_eq!(told(&none, &side(&[("fixtures/a", RUNS)], &link)), 0);
        let moved = side(&[("skills/a", RUNS)], &[]);
        assert_eq!(told(&moved, &side(&[("fixtures/a", RUNS)], &link)), 0);
        let replaced = side(&[("skills/a", "Hi."), ("fixtures/a", RUNS)], &[]);
        assert_eq!(told(&replaced, &side(&[("fixtures/a", RUNS)], &link)), 1);
        // As before.
        let same = side(&[("fixtures/a", RUNS)], &[("skills", "../x")]);
        assert_eq!(told(&same, &same), 0);
        let retargeted = side(&[("fixtures/a", RUNS)], &[("skills", "../y")]);
        let redirection = &redirections(&same, &retargeted)[0];
        assert_eq!(
            (redirection.before.as_deref(), redirection.now.as_str()),
            (Some("a link to ../x"), "a link to ../y")
        );
    }
}
