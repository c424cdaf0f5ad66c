//! Makes names of skills, and texts that people type for them.

#![allow(dead_code, unreachable_pub, reason = "no test uses all of it")]

use std::collections::{BTreeMap, BTreeSet};

const VERBS: &str = "analyze audit build check clean code commit compare convert create debug deploy \
    design document draft edit evaluate explain extract fix format generate import improve \
    interview lint manage map merge migrate monitor optimize organize plan prepare profile publish \
    read refactor release rename render report research review rewrite run scan schedule search \
    send setup sign simplify split style summarize sync tag test trace translate triage tune update \
    upgrade validate verify visualize watch write";

const NOUNS: &str = "accessibility agent android animation ansible api architecture article audio \
    auth aws azure backend backup bash benchmark blog brand browser bug cache calendar changelog \
    chart ci cli cloud cluster color component compose config container contract cookie copy crash \
    css csv customer dashboard data database dataset dependency deployment diagram diff docker \
    docs docx domain email embedding endpoint error event excel experiment expense feature \
    feedback figma file firewall flask flutter font form frontend game git github gitlab go graph \
    graphql helm html http icon image incident index infra invoice issue java javascript jira json \
    jupyter kafka kernel kotlin kubernetes landing latex layout legal license linear linux log \
    logo machine markdown memory menu message metrics migration mobile model module mysql network \
    newsletter nextjs node notebook notion oauth onboarding openapi pandas password payment pdf \
    performance php pipeline plugin podcast policy postgres pptx presentation pricing privacy \
    product profile project prompt proposal protocol python pytorch query queue rails react \
    recipe redis regex release repo request resume rest retro roadmap router ruby rust schema \
    script sdk secret security seo server service session shell skill slack slide snapshot social \
    spec spreadsheet sql ssh stack standup state story stripe supabase survey swift table task \
    team template terraform test theme thread ticket timeline token tool tracker transcript type \
    typescript ui unit url user ux vector video view vue web webhook website weekly wiki workflow \
    workspace worktree yaml youtube";

const ENDINGS: &str = "assistant best-practices builder checklist coach debugging design development \
    driven-development engineering expert generator guide guidelines helper integration manager \
    optimization patterns planner planning report review reviewer standards strategy testing toolkit \
    tools triage workflow writer writing";

/// Returns `count` different names, in order.
pub fn names(count: usize) -> Vec<String> {
    let lists = [VERBS, NOUNS, ENDINGS].map(|list| list.split_whitespace().collect::<Vec<_>>());
    let [verbs, nouns, endings] = &lists;
    let mut dice = Dice(count as u64);
    let mut names = BTreeSet::new();
    let mut tries = 0;
    while names.len() < count {
        tries += 1;
        let shape = dice.below(20);
        let mut word = |list: &[&'static str]| list[dice.below(list.len())];
        let words: Vec<&str> = match shape {
            0 => vec![word(nouns)],
            1..=5 => vec![word(verbs), word(nouns)],
            6..=8 => vec![word(nouns), word(nouns)],
            9..=13 => vec![word(nouns), word(endings)],
            14..=15 => vec![word(verbs), word(nouns), word(nouns)],
            16..=18 => vec![word(nouns), word(nouns), word(endings)],
            _ => vec![word(nouns), word(verbs), word(nouns), word(endings)],
        };
        let mut name = words.join("-");
        if tries > 4 * count {
            name = format!("{name}-{}", tries % 100);
        }
        names.insert(name);
    }
    names.into_iter().collect()
}

/// The texts that are typed for a name: (text, name).
pub type Typed = (String, String);

/// Returns texts that people type for every `every`-th name, by their difference from the name. A text
/// that is itself a name, or not a mention, is left out.
pub fn typed(names: &[String], every: usize) -> BTreeMap<&'static str, Vec<Typed>> {
    let known: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let mut dice = Dice(7);
    let mut all: BTreeMap<_, Vec<Typed>> = BTreeMap::new();
    let mut add = |kind, typed: String, name: &String| {
        // An id does not end with a hyphen.
        let id = typed.trim_end_matches('-');
        if typed.starts_with(char::is_alphabetic) && !known.contains(id) {
            all.entry(kind).or_default().push((typed, name.clone()));
        }
    };
    let own_initials = only(names.iter().map(|name| initials(name)));
    for name in names.iter().step_by(every) {
        add("one edit", dice.edited(name, 1), name);
        if name.len() > 7 {
            add("two edits", dice.edited(name, 2), name);
        }
        add("order", dice.reordered(name), name);
        if let Some(prefix) = own_prefix(name, &known) {
            add("prefix", prefix, name);
        }
        let initials = initials(name);
        if initials.len() > 1 && own_initials.contains(&initials) {
            add("initials", initials, name);
        }
    }
    all
}

fn initials(name: &str) -> String {
    name.split('-')
        .filter_map(|word| word.chars().next())
        .collect()
}

/// Returns the texts that occur once.
fn only(texts: impl Iterator<Item = String>) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    texts.for_each(|text| *counts.entry(text).or_default() += 1);
    counts
        .into_iter()
        .filter(|(_, count)| *count == 1)
        .map(|(text, _)| text)
        .collect()
}

/// Returns the shortest prefix of at least four characters that no other name has.
fn own_prefix(name: &str, known: &BTreeSet<&str>) -> Option<String> {
    let ends = (4..name.len()).filter(|&end| name.is_char_boundary(end));
    let mut prefixes = ends.map(|end| &name[..end]);
    let own = prefixes.find(|prefix| {
        let with = known.range::<&str, _>(*prefix..);
        let with = with.take_while(|other| other.starts_with(*prefix));
        with.count() == 1 && !prefix.ends_with('-')
    });
    own.map(str::to_owned)
}

/// Generates repeatable pseudo-random numbers.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % count
    }

    /// Makes a typing error: an added, missing or changed letter, or two swapped letters.
    fn edited(&mut self, name: &str, edits: usize) -> String {
        let mut letters: Vec<char> = name.chars().collect();
        for _ in 0..edits {
            let at = self.below(letters.len());
            let other = char::from(b'a' + u8::try_from(self.below(26)).unwrap_or_default());
            match self.below(4) {
                0 => letters.insert(at, other),
                1 if letters.len() > 4 => {
                    letters.remove(at);
                }
                2 if at > 0 => letters.swap(at - 1, at),
                _ => letters[at] = other,
            }
        }
        letters.iter().collect()
    }

    fn reordered(&mut self, name: &str) -> String {
        let mut words: Vec<&str> = name.split('-').collect();
        let turn = 1 + self.below(words.len().max(2) - 1);
        let count = words.len();
        words.rotate_left(turn % count);
        words.join("-")
    }
}
