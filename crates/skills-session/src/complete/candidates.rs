//! Collects and sorts the candidates of a completion, and matches them with the typed text.

use crate::dialect::Dialect;
use crate::listed::listed;
use crate::scheduled::{scheduled, scheduled_skill};
use skills_format::mention::{Near, NearKind, Nearness};
use skills_runtime::{Catalog, Skill};

/// The candidates: plain names before qualified ids, each group sorted by name; then scheduled skills.
#[derive(Debug)]
pub(crate) struct Candidates {
    all: Vec<Candidate>,
}

/// A skill and the text that is typed for it.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// An id or a command's name.
    pub(crate) text: Box<str>,
    /// The offset in `text` where the name begins.
    name: usize,
    /// The skill's id, if `text` is another name.
    skill: Option<Box<str>>,
    /// The id of the skill with its source.
    qualified: Box<str>,
    kind: Kind,
}

/// The catalog that holds the skill of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// In the catalog.
    OfCatalog,
    /// Among the scheduled skills beside the catalog.
    Scheduled,
}

/// The text after `$` or `/`.
pub(crate) struct Query<'q> {
    /// The text up to and including the `:`.
    source: Option<&'q str>,
    name: Near,
}

impl Candidates {
    /// Returns the ids of the skills that a person may start.
    pub(crate) fn listed(catalog: &Catalog) -> Self {
        let skills = listed(catalog).filter(|skill| skill.entry.fields().user_invocable);
        Self::sorted(skills.map(|skill| Candidate::new(&skill.id, skill.entry)))
    }

    /// Returns the qualified ids of the skills that a person may start, including shadowed skills.
    pub(crate) fn qualified(catalog: &Catalog) -> Self {
        let skills = catalog
            .iter()
            .filter(|skill| skill.is_trusted() && skill.fields().user_invocable)
            // If a source has several skills with one name, the nearest has the id.
            .filter(|skill| catalog.get(&skill.to_string()) == Some(*skill));
        Self::sorted(skills.map(|skill| Candidate::new(&skill.to_string(), skill)))
    }

    /// Returns the names of slash commands, then the ids of the skills that have no command now, such as disabled ones.
    pub(crate) fn commands(catalog: &Catalog, dialect: &dyn Dialect) -> Self {
        let options = dialect.options();
        if !options.commands {
            return Self { all: Vec::new() };
        }
        let mut all = Vec::new();
        let mut commands = dialect.commands(catalog);
        let scheduled = commands.split_off(commands.iter().take_while(|it| !it.scheduled).count());
        let mut commands = commands.into_iter().peekable();
        for skill in listed(catalog) {
            if !skill.entry.fields().user_invocable {
                continue;
            }
            let candidate = Candidate::new(&skill.id, skill.entry);
            // Commands are in the order of the listed skills, so one pass pairs them.
            match commands.next_if(|command| command.skill == *skill.id) {
                Some(command) if command.name != *skill.id => {
                    all.push(candidate.called(command.name));
                }
                None if options.is_reserved(&skill.id) => {}
                _ => all.push(candidate),
            }
        }
        for command in scheduled {
            if let Some(entry) = scheduled_skill(catalog, &command.skill) {
                all.push(Candidate {
                    kind: Kind::Scheduled,
                    ..Candidate::new(&command.skill, entry).called(command.name)
                });
            }
        }
        Self::sorted(all.into_iter())
    }

    fn sorted(candidates: impl Iterator<Item = Candidate>) -> Self {
        let mut all: Vec<Candidate> = candidates.collect();
        let rank = |it: &Candidate| (it.kind as usize, it.name > 0);
        all.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.text.cmp(&b.text)));
        Self { all }
    }

    /// Returns the first `most` matching candidates, the nearest kind first, and the number of further
    /// matches.
    pub(crate) fn matching(
        &self,
        query: &Query<'_>,
        most: usize,
    ) -> (Vec<(&Candidate, Option<NearKind>)>, usize) {
        let mut all = self
            .all
            .iter()
            .filter(|candidate| query.has_source(candidate));
        if query.name.is_empty() {
            let first = all.by_ref().take(most);
            let first = first.map(|candidate| (candidate, None)).collect();
            return (first, all.count());
        }
        let mut found: Vec<_> = all
            .filter_map(|candidate| {
                let Nearness { kind, edits } = query.name.to_unfinished(candidate.name_part())?;
                Some((kind, edits, candidate))
            })
            .collect();
        found.sort_by_key(|(kind, edits, candidate)| (candidate.kind as usize, *kind, *edits));
        let left_out = found.len().saturating_sub(most);
        found.truncate(most);
        let found = found
            .into_iter()
            .map(|(kind, _, candidate)| (candidate, Some(kind)));
        (found.collect(), left_out)
    }
}

impl Candidate {
    fn new(id: &str, entry: Skill<'_>) -> Self {
        Self {
            text: id.into(),
            name: id.find(':').map_or(0, |colon| colon + 1),
            skill: None,
            qualified: entry.to_string().into(),
            kind: Kind::OfCatalog,
        }
    }

    /// Returns whether the candidate runs a scheduled skill by hand.
    pub(crate) fn is_scheduled(&self) -> bool {
        self.kind == Kind::Scheduled
    }

    fn called(self, name: String) -> Self {
        Self {
            skill: Some(self.text),
            text: name.into(),
            name: 0,
            ..self
        }
    }

    /// Returns the skill's id.
    pub(crate) fn skill(&self) -> &str {
        self.skill.as_deref().unwrap_or(&self.text)
    }

    pub(crate) fn entry<'c>(&self, catalog: &'c Catalog) -> Option<Skill<'c>> {
        match self.kind {
            Kind::OfCatalog => catalog.get(&self.qualified),
            Kind::Scheduled => scheduled(catalog)?.get(&self.qualified),
        }
    }

    fn name_part(&self) -> &str {
        self.text.get(self.name..).unwrap_or_default()
    }
}

impl<'q> Query<'q> {
    pub(crate) fn new(typed: &'q str) -> Self {
        let (source, name) = match typed.find(':') {
            Some(colon) => typed.split_at(colon + 1),
            None => ("", typed),
        };
        Self {
            source: (!source.is_empty()).then_some(source),
            name: Near::new(name),
        }
    }

    /// Returns whether the candidate is from the typed source.
    fn has_source(&self, candidate: &Candidate) -> bool {
        let Some(source) = self.source else {
            return true;
        };
        let of = candidate.text.get(..candidate.name).unwrap_or_default();
        of.eq_ignore_ascii_case(source)
    }
}
