//! `selecting [FOLDER]`: how often the skill that a phrase is about is found by its words, beside `rank_bm25` (PyPI)
//! over the same words; and how long ranking takes.
//!
//! The phrases are those that the descriptions of the skills below FOLDER quote. They are taken out of the
//! descriptions before they are asked. `python3` needs `rank_bm25`.

use serde_json::{Value, json};
use skills_benches::api::{Catalog, Options, Ranker, SkillFile, SkillWords, WordIndex};
use skills_benches::{BUNDLED, Temporary, synth, time};
use skills_session::session::call_tool;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Of questions with the words of documents: for each question, the place of the right document.
const PEER: &str = "
import json, sys
from rank_bm25 import BM25Okapi
asked = json.load(sys.stdin)
index = BM25Okapi(asked['skills'])
places = []
for words, skill in asked['phrases']:
    scores = index.get_scores(words)
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    places.append(order.index(skill) if scores[skill] > 0 else None)
json.dump(places, sys.stdout)
";

/// The fewest and most words of a phrase that is asked.
const PHRASE: std::ops::RangeInclusive<usize> = 2..=11;

fn main() -> Result<()> {
    match std::env::args().nth(1) {
        Some(folder) => quality(Path::new(&folder)),
        None => speed(),
    }
}

/// A skill, and the phrases that its description quoted.
struct Skill {
    shown: String,
    words: SkillWords,
    /// Without names, aliases and tags.
    described: SkillWords,
    /// Of name, aliases and tags alone.
    names: SkillWords,
    phrases: Vec<String>,
}

fn quality(folder: &Path) -> Result<()> {
    let mut skills: Vec<Skill> = BUNDLED
        .iter()
        .map(|skill| {
            Skill::new(
                skill.name(),
                skill.name(),
                skill.description(),
                skill.fields(),
            )
        })
        .collect();
    collect(folder, &mut skills)?;
    let phrases: Vec<(&str, usize)> = skills
        .iter()
        .enumerate()
        .flat_map(|(at, skill)| {
            skill
                .phrases
                .iter()
                .map(move |phrase| (phrase.as_str(), at))
        })
        .collect();
    println!("{} skills, {} phrases", skills.len(), phrases.len());
    let named: Vec<(&str, usize)> = phrases
        .iter()
        .copied()
        .filter(|(phrase, at)| skills[*at].is_named(phrase))
        .collect();
    let whole: Vec<SkillWords> = skills.iter().map(|skill| skill.words.clone()).collect();
    let described: Vec<SkillWords> = skills.iter().map(|skill| skill.described.clone()).collect();
    println!("                                                   first  first five");
    let ours = places(&whole, &phrases);
    print("all phrases, ours", &ours);
    print("all phrases, rank_bm25", &peer(&whole, &phrases)?);
    print(
        "all phrases, without names, ours",
        &places(&described, &phrases),
    );
    print(
        "all phrases, without names, rank_bm25",
        &peer(&described, &phrases)?,
    );
    println!(
        "{} phrases with a word of the name, an alias or a tag",
        named.len()
    );
    print("ours", &places(&whole, &named));
    print("rank_bm25", &peer(&whole, &named)?);
    print("rank_bm25, without names", &peer(&described, &named)?);
    let index = WordIndex::new(&whole);
    println!("\nten of the misses:");
    let missed = phrases
        .iter()
        .zip(&ours)
        .filter(|(_, place)| place.is_none_or(|place| place > 0));
    for ((phrase, skill), place) in missed.step_by(8).take(10) {
        let first = index
            .rank(phrase)
            .first()
            .map_or("nothing", |hit| &skills[hit.skill].shown);
        println!(
            "{phrase:?}: {} {place:?}; first {first}",
            skills[*skill].shown
        );
    }
    Ok(())
}

fn places(skills: &[SkillWords], phrases: &[(&str, usize)]) -> Vec<Option<usize>> {
    let index = WordIndex::new(skills);
    let place = |(phrase, skill): &(&str, usize)| {
        index
            .rank(phrase)
            .iter()
            .position(|hit| hit.skill == *skill)
    };
    phrases.iter().map(place).collect()
}

fn print(what: &str, places: &[Option<usize>]) {
    let share = |most: usize| {
        let within = places
            .iter()
            .filter(|place| place.is_some_and(|place| place < most));
        100.0 * within.count() as f64 / places.len().max(1) as f64
    };
    println!("{what:<48} {:>5.1} %  {:>5.1} %", share(1), share(5));
}

fn peer(skills: &[SkillWords], phrases: &[(&str, usize)]) -> Result<Vec<Option<usize>>> {
    let skills: Vec<Vec<&str>> = skills.iter().map(|skill| skill.words().collect()).collect();
    let phrases: Vec<Value> = phrases
        .iter()
        .map(|(phrase, skill)| {
            let words = SkillWords::new([], phrase, "", []);
            json!([words.words().collect::<Vec<_>>(), skill])
        })
        .collect();
    let mut python = Command::new("python3")
        .args(["-c", PEER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let asked = json!({"skills": skills, "phrases": phrases}).to_string();
    python
        .stdin
        .take()
        .ok_or("no input")?
        .write_all(asked.as_bytes())?;
    let output = python.wait_with_output()?;
    let places: Vec<Option<usize>> = serde_json::from_slice(&output.stdout)?;
    Ok(places)
}

fn collect(folder: &Path, skills: &mut Vec<Skill>) -> Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<std::result::Result<_, _>>()?;
    entries.sort_by_key(|entry| entry.path());
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, skills)?;
        } else if entry.file_name() == "SKILL.md" {
            let bytes = fs::read(&path)?;
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let shown = path.display().to_string();
            if let Some(skill) = SkillFile::read(&*shown, &*name, &bytes).strict() {
                skills.push(Skill::new(
                    &shown,
                    skill.name.as_str(),
                    &skill.description,
                    &skill.fields,
                ));
            }
        }
    }
    Ok(())
}

impl Skill {
    fn new(
        shown: &str,
        name: &str,
        description: &str,
        fields: &skills_benches::api::Fields,
    ) -> Self {
        let (rest, phrases) = quoted(description);
        let when = fields.when_to_use.as_deref().unwrap_or_default();
        let (when, more) = quoted(when);
        let aliases = fields.aliases.iter().map(|alias| &**alias);
        let tags = fields.tags.iter().map(|tag| &**tag);
        let names = aliases.clone().chain([name]).chain(tags.clone());
        Self {
            shown: shown.to_owned(),
            words: SkillWords::new(aliases.chain([name]), &rest, &when, tags),
            described: SkillWords::new([], &rest, &when, []),
            names: SkillWords::new(names, "", "", []),
            phrases: phrases.into_iter().chain(more).collect(),
        }
    }
}

impl Skill {
    fn is_named(&self, phrase: &str) -> bool {
        let asked = SkillWords::new([], phrase, "", []);
        asked
            .words()
            .any(|asked| self.names.words().any(|word| word == asked))
    }
}

/// A text without its quoted phrases, and the phrases.
fn quoted(text: &str) -> (String, Vec<String>) {
    let (mut rest, mut phrases) = (String::new(), Vec::new());
    for (at, part) in text.split(['"', '“', '”']).enumerate() {
        if at % 2 == 1 && PHRASE.contains(&part.split_whitespace().count()) {
            phrases.push(part.to_owned());
        } else {
            rest.push_str(part);
        }
        rest.push(' ');
    }
    (rest, phrases)
}

/// Over 10,000 skills of `synth`, whose descriptions have 300 characters.
fn speed() -> Result<()> {
    let folder = Temporary::new("selecting")?;
    synth(folder.path(), 10_000)?;
    let catalog = Catalog::builder().directory("user", folder.path()).load();
    let before = resident()?;
    let ranker = Ranker::new(&catalog);
    let memory = resident()? - before;
    let first = catalog.iter().next().ok_or("no skill")?;
    let question: Vec<&str> = first.description().split(' ').take(8).collect();
    let question = question.join(" ");
    println!(
        "asked: {question:?}, of {} skills",
        ranker.rank(&question).len()
    );
    println!("10,000 skills             ms");
    println!(
        "made                {:>8.1}",
        time(|| Ranker::new(&catalog)).ms()
    );
    println!(
        "a question          {:>8.3}",
        time(|| ranker.rank(&question).take(50).collect::<Vec<_>>()).ms()
    );
    let call = json!({"query": question}).to_string();
    let list = time(|| call_tool(&Options::DEFAULT, &catalog, "list_skills", &call));
    println!("list_skills         {:>8.3}", list.ms());
    println!("memory, MB          {memory:>8.1}");
    Ok(())
}

/// The memory that this process has, in megabytes.
fn resident() -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next());
    Ok(kilobytes.ok_or("no memory is told")?.parse::<f64>()? / 1024.0)
}
