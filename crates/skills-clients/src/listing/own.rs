//! The skills that a client brings along, and its names for folders.

use crate::listing::list::Row;
use crate::listing::{Listed, Listing, OwnSkill};
use std::borrow::Cow;

/// The folders of skills that a client names `r0`, `r1` and so on.
pub(super) struct RootNames<'a> {
    roots: Vec<Cow<'a, str>>,
}

impl<'a> RootNames<'a> {
    /// Names the client's own folder, and then the folders of the skills in the order of the list.
    pub(super) fn of(listing: &'a Listing, home: Option<&str>, skills: &[Listed<'a>]) -> Self {
        let Some(names) = &listing.roots else {
            return Self { roots: Vec::new() };
        };
        let own = names.own.strip_prefix('~').zip(home);
        let own = own.map_or(Cow::Borrowed(names.own.as_str()), |(path, home)| {
            format!("{home}{path}").into()
        });
        let mut roots = vec![own];
        for skill in skills.iter().filter(|skill| !skill.root.is_empty()) {
            if !roots.iter().any(|root| root == skill.root) {
                roots.push(skill.root.into());
            }
        }
        Self { roots }
    }

    /// Returns the path of a skill with the name of its folder.
    pub(super) fn shortened(&self, skill: &Listed<'a>) -> Cow<'a, str> {
        let number = self.roots.iter().position(|root| root == skill.root);
        let below = skill.location.strip_prefix(skill.root);
        match number.zip(below) {
            Some((number, below)) => format!("r{number}{below}").into(),
            None => skill.location.into(),
        }
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let roots = self.roots.iter().enumerate();
        roots
            .map(|(number, root)| format!("- `r{number}` = `{root}`"))
            .collect()
    }

    /// Returns the cost of the lines in tokens of four bytes. The text around a list with names is shorter than the
    /// text around a list without, so that some bytes cost nothing.
    pub(super) fn cost(&self, listing: &Listing) -> usize {
        let free = listing.roots.as_ref().map_or(0, |names| names.free);
        (self.lines().join("\n").len()).saturating_sub(free) / 4
    }
}

impl<'a> Row<'a> {
    /// Creates the row of a skill that the client brings along: only its lengths are known.
    pub(super) fn own(own: &'a OwnSkill) -> Self {
        Self {
            skill: Listed {
                name: &own.name,
                ..Listed::default()
            },
            location: format!("r0/{}/SKILL.md", own.name).into(),
            keeps: own.keeps,
            description: "x".repeat(own.description),
            trigger: None,
            is_part: false,
        }
    }
}
