//! Finds the skills of a bundle that a `SKILL.md` refers to.

use crate::page::data::{PageLink, Reference};
use skills_format::{CandidateKind, Link, scan};
use skills_lint::{joined, named_places};
use std::collections::{BTreeMap, BTreeSet};

/// The skills of a bundle, by folder and by name.
pub(crate) struct Known<'k> {
    /// The name of each skill, by its folder relative to the bundle.
    pub(crate) folders: BTreeMap<&'k str, &'k str>,
    pub(crate) names: BTreeSet<&'k str>,
}

impl Known<'_> {
    /// Finds the other skills that a body refers to, in order of names. A skill with several references is listed
    /// once, with the strongest kind: link, then mention, then code span.
    pub(crate) fn links(&self, name: &str, dir: &str, body: &str) -> Vec<PageLink> {
        let mut found: BTreeMap<&str, Reference> = BTreeMap::new();
        let mut add = |to: Option<&&str>, how: Reference| {
            if let Some(&to) = to.filter(|to| **to != name) {
                let known = found.entry(self.names.get(to).copied().unwrap_or_default());
                known
                    .and_modify(|known| *known = how.min(*known))
                    .or_insert(how);
            }
        };
        let (addresses, codes) = named_places(body);
        for address in &addresses {
            add(self.at(dir, address), Reference::Link);
        }
        for candidate in scan(body, &|id| self.names.contains(id)) {
            let to = match &candidate.kind {
                CandidateKind::Linked(Link::Skill(address)) => {
                    let name = address.rsplit('/').next().unwrap_or(address);
                    add(self.names.get(name), Reference::Link);
                    continue;
                }
                CandidateKind::Bare => candidate.parts().1,
                _ => continue,
            };
            add(self.names.get(to), Reference::Mention);
        }
        for code in codes {
            // A single word in a code span is usually a command or a variable.
            let name = code.rsplit(':').next().unwrap_or(code);
            if name.contains('-') {
                add(self.names.get(name), Reference::Code);
            }
        }
        let link = |(to, how): (&str, Reference)| PageLink {
            to: to.to_owned(),
            how,
        };
        found.into_iter().map(link).collect()
    }

    /// Returns the skill whose folder holds the file at a relative address.
    fn at(&self, dir: &str, address: &str) -> Option<&&str> {
        let path = address.split(['?', '#']).next().unwrap_or(address);
        if path.starts_with('/') || path.contains("://") {
            return None;
        }
        let joined = joined(dir, path)?;
        let mut folder = joined.as_str();
        while !folder.is_empty() {
            if let Some(name) = self.folders.get(folder) {
                return Some(name);
            }
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
        None
    }
}
