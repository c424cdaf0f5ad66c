//! From a text to what it means: one resolver for every place where text can name a skill.

use crate::catalog::Catalog;
use crate::compose;
use crate::entry::Entry;
use crate::near::{Near, Nearness};
use crate::resolution::{Mention, Outcome, Plugins, Policy, Resolution, Surface};
use crate::source::SourceKind;
use skills_format::{Candidate, CandidateKind, Link, nfc, scan};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

impl Catalog {
    /// Says what a text means: every mention with its outcome, the skills to activate, what to tell
    /// the person, and the message as it is sent.
    ///
    /// Pure: prints nothing, reads nothing, loads no body. Linear in the text; a text without `$`
    /// costs a search for one byte. Near matches are searched for at most `policy.limit` ids.
    pub fn resolve(&self, text: &str, surface: Surface, policy: &Policy) -> Resolution {
        let resolver = Resolver {
            catalog: self,
            surface,
            policy: *policy,
        };
        if !policy.mentions {
            return compose::resolution(&resolver, text, Vec::new());
        }
        let candidates = scan(text, &|id| resolver.is_exact(id));
        let found = resolver.mentions(text, candidates);
        compose::resolution(&resolver, text, found)
    }
}

/// A catalog as one surface sees it under one policy.
pub(crate) struct Resolver<'c> {
    pub(crate) catalog: &'c Catalog,
    pub(crate) surface: Surface,
    pub(crate) policy: Policy,
}

/// A mention, and the skill behind it where it is found.
pub(crate) struct Found<'c> {
    pub(crate) mention: Mention,
    /// The id as it was typed.
    pub(crate) id: String,
    /// The bytes that it takes up: those of a whole link.
    pub(crate) extent: skills_format::Span,
    pub(crate) entry: Option<Entry<'c>>,
}

/// What one id means.
#[derive(Clone)]
pub(crate) struct Meaning<'c> {
    pub(crate) outcome: Outcome,
    pub(crate) entry: Option<Entry<'c>>,
}

impl<'c> Resolver<'c> {
    fn mentions(&self, text: &str, candidates: Vec<Candidate<'_>>) -> Vec<Found<'c>> {
        let mut seen: HashMap<Cow<'_, str>, Meaning<'c>> = HashMap::new();
        let mut activated: Vec<Entry<'c>> = Vec::new();
        let mut searches = 0;
        let mut head = Head { text, end: 0 };
        let mut found = Vec::new();
        for candidate in candidates
            .into_iter()
            .filter(|candidate| candidate.masked.is_none())
        {
            let id = candidate.id();
            let mut meaning = match &candidate.kind {
                CandidateKind::Escaped => Outcome::Escaped.into(),
                CandidateKind::Reserved => Outcome::Reserved.into(),
                CandidateKind::Linked(link) => self.linked(link),
                _ => match seen.get(id) {
                    Some(meaning) => meaning.clone(),
                    None => {
                        let meaning = self.exact(id).unwrap_or_else(|| {
                            searches += 1;
                            if searches <= self.policy.limit {
                                self.near(id)
                            } else {
                                Outcome::Unknown.into()
                            }
                        });
                        seen.insert(id.into(), meaning.clone());
                        meaning
                    }
                },
            };
            if let Some(entry) = meaning.entry
                && !activated.contains(&entry)
            {
                if activated.len() < self.policy.limit {
                    activated.push(entry);
                } else {
                    meaning = Outcome::TooMany {
                        skill: self.id(entry),
                    }
                    .into();
                }
            }
            let leads = head.leads(&candidate);
            found.push(Found {
                mention: Mention {
                    span: candidate.span,
                    raw: candidate.raw.to_owned(),
                    leads,
                    outcome: meaning.outcome,
                },
                id: match &candidate.kind {
                    CandidateKind::Linked(link) => link_id(link),
                    _ => id.to_owned(),
                },
                extent: candidate.extent,
                entry: meaning.entry,
            });
        }
        found
    }

    /// What one id means, as a mention of it alone would.
    pub(crate) fn meaning(&self, id: &str) -> Meaning<'c> {
        self.exact(id).unwrap_or_else(|| self.near(id))
    }

    /// Whether an id is exactly a name, an alias or a qualified id, whatever its state.
    fn is_exact(&self, id: &str) -> bool {
        match id.split_once(':') {
            Some((source, name)) => self.qualified(source, name).is_some(),
            None => self
                .catalog
                .named(id)
                .chain(self.catalog.aliased(id))
                .any(|entry| self.answers_to_bare_names(entry)),
        }
    }

    /// What an id means that a skill has to the letter.
    fn exact(&self, id: &str) -> Option<Meaning<'c>> {
        if let Some((source, name)) = id.split_once(':') {
            return self
                .qualified(source, name)
                .map(|entry| self.checked(entry));
        }
        let named = || {
            self.catalog
                .named(id)
                .filter(|entry| self.answers_to_bare_names(*entry))
        };
        let aliased = || {
            self.catalog
                .aliased(id)
                .filter(|entry| self.answers_to_bare_names(*entry) && entry.shadowed_by().is_none())
        };
        self.choose(named().filter(Entry::is_trusted))
            .or_else(|| self.choose(aliased().filter(Entry::is_trusted)))
            .or_else(|| {
                named()
                    .chain(aliased())
                    .next()
                    .map(|entry| self.checked(entry))
            })
    }

    /// The highest of several skills that have an id; ambiguous when the next is of equal rank.
    fn choose(&self, entries: impl Iterator<Item = Entry<'c>>) -> Option<Meaning<'c>> {
        let mut entries = entries.peekable();
        let first = *entries.peek()?;
        let mut equals: Vec<Entry<'c>> = Vec::new();
        for entry in entries.take_while(|entry| entry.source().rank() == first.source().rank()) {
            if first.is_sealed() && !equals.is_empty() {
                break;
            }
            if equals
                .iter()
                .all(|equal| equal.source != entry.source || equal.name() != entry.name())
            {
                equals.push(entry);
            }
        }
        let enabled: Vec<Entry<'c>> = equals.iter().copied().filter(Entry::is_enabled).collect();
        match enabled.as_slice() {
            [] => Some(self.checked(first)),
            [one] => Some(self.checked(*one)),
            several => Some(ambiguous(
                several.iter().map(|entry| self.id(*entry)).collect(),
                None,
            )),
        }
    }

    fn qualified(&self, source: &str, name: &str) -> Option<Entry<'c>> {
        self.catalog.in_source(source, name).or_else(|| {
            self.catalog
                .aliased(name)
                .find(|entry| entry.source().name() == source)
        })
    }

    /// A skill that is hit: whether this surface may start it now.
    fn checked(&self, entry: Entry<'c>) -> Meaning<'c> {
        let skill = self.id(entry);
        if !entry.is_trusted() {
            return Outcome::Untrusted { skill }.into();
        }
        if !entry.is_enabled() {
            return Outcome::Disabled { skill }.into();
        }
        if !entry.is_eligible() {
            let needs = entry.missing();
            return Outcome::Ineligible { skill, needs }.into();
        }
        if !self.may_start(entry) {
            return Outcome::NotInvocable { skill }.into();
        }
        let source = entry.source().name().to_owned();
        Meaning {
            outcome: Outcome::Found { skill, source },
            entry: Some(entry),
        }
    }

    fn linked(&self, link: &Link) -> Meaning<'c> {
        let entry = match link {
            Link::Skill(address) => skill_address(address)
                .and_then(|(source, name)| self.catalog.in_source(&source, &name)),
            Link::File(path) => {
                let path = path.strip_prefix("file://").unwrap_or(path);
                self.catalog.by_path(Path::new(path))
            }
            _ => None,
        };
        entry.map_or_else(|| Outcome::Unknown.into(), |entry| self.checked(entry))
    }

    fn near(&self, id: &str) -> Meaning<'c> {
        let whole = id.contains(':');
        let near = Near::new(id);
        let mut best: Option<Nearness> = None;
        let mut entries: Vec<Entry<'c>> = Vec::new();
        for entry in self.catalog.iter() {
            let nearness = if whole && !self.answers_to_bare_names(entry) {
                near.to(&entry.qualified_id())
            } else {
                near.to(entry.name())
            };
            let Some(nearness) = nearness else { continue };
            if best.is_some_and(|best| nearness > best) || !self.is_offered(entry) {
                continue;
            }
            if best != Some(nearness) {
                entries.clear();
                best = Some(nearness);
            }
            entries.push(entry);
        }
        let Some(Nearness { kind, .. }) = best else {
            return Outcome::Unknown.into();
        };
        let mut ids: Vec<String> = entries.into_iter().map(|entry| self.id(entry)).collect();
        ids.sort_by(|a, b| (a.contains(':'), a).cmp(&(b.contains(':'), b)));
        ids.dedup();
        match <[String; 1]>::try_from(ids) {
            Ok([suggestion]) => Outcome::Suggestion { suggestion, kind }.into(),
            Err(ids) => ambiguous(ids, Some(kind)),
        }
    }

    /// Whether a near match may be this skill: this surface could start it by the id that is shown.
    fn is_offered(&self, entry: Entry<'c>) -> bool {
        entry.is_trusted()
            && entry.is_enabled()
            && entry.is_eligible()
            && self.may_start(entry)
            && (!self.answers_to_bare_names(entry) || entry.shadowed_by().is_none())
    }

    fn may_start(&self, entry: Entry<'c>) -> bool {
        match self.surface {
            Surface::User | Surface::Palette => entry.is_user_invocable(),
            Surface::Model => entry.is_model_invocable(),
        }
    }

    fn answers_to_bare_names(&self, entry: Entry<'c>) -> bool {
        self.policy.plugins == Plugins::Merged || entry.source().kind() != SourceKind::Plugin
    }

    /// The id that finds the skill when it is typed.
    pub(crate) fn id(&self, entry: Entry<'c>) -> String {
        if self.policy.plugins == Plugins::Merged {
            return entry.id().into_owned();
        }
        let mut named = self.catalog.named(entry.name());
        let first = named.find(|other| self.answers_to_bare_names(*other));
        if first == Some(entry) {
            entry.name().to_owned()
        } else {
            entry.qualified_id()
        }
    }
}

/// The front of a text, as far as it holds only white space and mentions.
struct Head<'t> {
    text: &'t str,
    end: usize,
}

impl Head<'_> {
    fn leads(&mut self, candidate: &Candidate<'_>) -> bool {
        let between = self
            .text
            .get(self.end..candidate.extent.start)
            .unwrap_or("x");
        let between = if self.end == 0 {
            between
        } else {
            between.strip_prefix([',', ':']).unwrap_or(between)
        };
        let leads = between.trim().is_empty() && !matches!(candidate.kind, CandidateKind::Escaped);
        self.end = if leads {
            candidate.extent.end
        } else {
            usize::MAX
        };
        leads
    }
}

fn ambiguous<'c>(
    candidates: Vec<String>,
    kind: Option<crate::resolution::NearKind>,
) -> Meaning<'c> {
    let use_id = candidates
        .iter()
        .find(|id| id.contains(':'))
        .or_else(|| candidates.first())
        .cloned()
        .unwrap_or_default();
    Outcome::Ambiguous {
        candidates,
        use_id,
        kind,
    }
    .into()
}

/// The id that an address stands for: what a notice names it by.
fn link_id(link: &Link) -> String {
    match link {
        Link::Skill(address) => skill_address(address).map_or_else(
            || address.clone(),
            |(source, name)| format!("{source}:{name}"),
        ),
        Link::File(path) => path.clone(),
        _ => String::new(),
    }
}

/// The source and the name of `source/name`, `source/folder/name` or `source/name/SKILL.md`.
fn skill_address(address: &str) -> Option<(String, String)> {
    let address = percent_decoded(address);
    let path = address.strip_suffix("/SKILL.md").unwrap_or(&address);
    let (source, path) = path.split_once('/')?;
    let name = path.rsplit('/').next().unwrap_or(path);
    Some((source.to_owned(), name.to_owned()))
}

/// The text behind the escapes of an address.
pub(crate) fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return nfc(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let decoded = (byte == b'%')
            .then(|| after.get(..2).and_then(|hex| std::str::from_utf8(hex).ok()))
            .flatten()
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(decoded.unwrap_or(byte));
        rest = if decoded.is_some() {
            after.get(2..).unwrap_or_default()
        } else {
            after
        };
    }
    nfc(&String::from_utf8_lossy(&bytes)).into_owned().into()
}

impl From<Outcome> for Meaning<'_> {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            entry: None,
        }
    }
}

#[cfg(all(test, feature = "discover"))]
mod tests {
    use super::*;
    use crate::state::State;
    use std::fs;

    /// The catalog of the worked cases.
    fn catalog() -> Catalog {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, more: &str| {
            let dir = root.path().join(path);
            let name = path.rsplit('/').next().unwrap_or_default();
            fs::create_dir_all(&dir).expect("created");
            fs::write(
                dir.join("SKILL.md"),
                format!("---\nname: {name}\ndescription: Does it.\n{more}---\nbody\n"),
            )
            .expect("written");
        };
        for name in [
            "systematic-debugging",
            "root-cause-debugging",
            "code-review",
            "aleph",
        ] {
            write(&format!("user/{name}"), "");
        }
        write(
            "user/test-driven-development",
            "metadata:\n  aliases: tdd\n",
        );
        write("superpowers/systematic-debugging", "");
        write("github/gh-fix-ci", "");
        Catalog::builder()
            .directory("user", root.path().join("user"))
            .directory("superpowers", root.path().join("superpowers"))
            .directory("github", root.path().join("github"))
            .state(["aleph"].into_iter().collect::<State>())
            .load()
            .catalog
    }

    #[test]
    fn worked_cases() {
        let catalog = catalog();
        for (text, outcomes, notices, task) in [
            (
                "$systematic-debugging fix it",
                "found",
                "Using skill: systematic-debugging",
                "fix it",
            ),
            (
                "$github:gh-fix-ci inspect",
                "found",
                "Using skill: gh-fix-ci",
                "inspect",
            ),
            (
                "$nope do a thing",
                "unknown",
                "No skill named 'nope'. Run /skill list to see available skills.",
                "$nope do a thing",
            ),
            (
                "copy $nope to $there",
                "unknown unknown",
                "",
                "copy $nope to $there",
            ),
            (
                "$debugging look",
                "ambiguous",
                "$debugging matched 2 skills: root-cause-debugging, systematic-debugging — use $root-cause-debugging.",
                "$debugging look",
            ),
            (
                "please use $code-reveiw",
                "suggestion",
                "No exact skill 'code-reveiw'. Did you mean $code-review?",
                "please use $code-reveiw",
            ),
            ("please use $code", "suggestion", "", "please use $code"),
            (
                "$superpowers:systematic-debugging x",
                "found",
                "Using skill: superpowers:systematic-debugging",
                "x",
            ),
            (
                "$aleph search",
                "disabled",
                "Skill 'aleph' is disabled. Enable it with /skill enable aleph.",
                "$aleph search",
            ),
            (
                "$tdd $systematic-debugging go",
                "found found",
                "Choose one skill to lead this turn: $test-driven-development or $systematic-debugging.",
                "$tdd $systematic-debugging go",
            ),
            (
                "$code-review: the parser",
                "found",
                "Using skill: code-review",
                "the parser",
            ),
            (
                "[$review](skill://github/gh-fix-ci) x",
                "found",
                "Using skill: gh-fix-ci",
                "x",
            ),
            (
                "[$code-review](skill://github/code-review)",
                "unknown",
                "No skill named 'github:code-review'. Run /skill list to see available skills.",
                "[$code-review](skill://github/code-review)",
            ),
            (
                "$code-review's list",
                "found",
                "Using skill: code-review",
                "$code-review's list",
            ),
        ] {
            let resolution = catalog.resolve(text, Surface::User, &Policy::DEFAULT);
            let found: Vec<&str> = resolution
                .mentions
                .iter()
                .map(|mention| mention.outcome.as_str())
                .collect();
            let told: Vec<String> = resolution.notices.iter().map(ToString::to_string).collect();
            assert_eq!(
                (
                    found.join(" ").as_str(),
                    told.join("|").as_str(),
                    resolution.task.as_str()
                ),
                (outcomes, notices, task),
                "{text}"
            );
        }
    }
}
