//! Counts the marks in the case files of the profiles: every statement of a reference document has its case.
//!
//! `tests/cases/profiles/README.md` lists the statements and begins with the count.

use crate::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// The start and the end of a mark.
const MARK: (&str, &str) = ("<!-- sentence ", " -->");
/// The first line of the count.
const HEAD: &str =
    "| document | statements | work | differ on purpose | the host's | without a case |";

fn folder() -> PathBuf {
    repository().join("tests/cases/profiles")
}

fn read(name: &str) -> String {
    let path = folder().join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.replace("\r\n", "\n")
}

/// The part of a case file that contains a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Case,
    Host,
    Differs,
}

/// Returns the marks of a case file: each statement with the parts in which it is marked.
fn marks(text: &str) -> BTreeMap<usize, BTreeSet<Part>> {
    let mut marks: BTreeMap<usize, BTreeSet<Part>> = BTreeMap::new();
    let mut part = Part::Case;
    for line in text.lines() {
        match line {
            "# What differs" => part = Part::Differs,
            "# What is left to the host" => part = Part::Host,
            _ => {}
        }
        for (_, rest) in line.match_indices(MARK.0).map(|(at, _)| line.split_at(at)) {
            let number = rest
                .strip_prefix(MARK.0)
                .and_then(|rest| rest.split_once(MARK.1));
            let number = number.and_then(|(number, _)| number.parse().ok());
            let number = number.unwrap_or_else(|| panic!("this mark has no number: {line}"));
            marks.entry(number).or_default().insert(part);
        }
    }
    marks
}

/// Returns the documents in the list, each with the number of its statements.
fn statements(list: &str) -> BTreeMap<String, usize> {
    let mut documents = BTreeMap::new();
    for section in list.split("\n## ").skip(1) {
        let (name, items) = section.split_once('\n').expect("a document has statements");
        let items = items.lines().filter(|line| !line.is_empty());
        let count = items.enumerate().map(|(at, line)| {
            let number = format!("{}. ", at + 1);
            assert!(
                line.starts_with(&number),
                "{name}: expected {number}, found: {line}"
            );
        });
        documents.insert(name.to_owned(), count.count());
    }
    documents
}

/// The numbers of a document's statements, by the kind of their cases.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    all: usize,
    work: usize,
    differ: usize,
    host: usize,
    none: usize,
}

impl Count {
    fn of(all: usize, marks: &BTreeMap<usize, BTreeSet<Part>>) -> Self {
        let mut count = Self {
            all,
            ..Self::default()
        };
        for statement in 1..=all {
            let strongest = marks.get(&statement).and_then(BTreeSet::last);
            *match strongest {
                Some(Part::Differs) => &mut count.differ,
                Some(Part::Host) => &mut count.host,
                Some(Part::Case) => &mut count.work,
                None => &mut count.none,
            } += 1;
        }
        count
    }

    fn row(self, name: &str) -> String {
        let Self {
            all,
            work,
            differ,
            host,
            none,
        } = self;
        format!("| {name} | {all} | {work} | {differ} | {host} | {none} |\n")
    }
}

#[test]
fn every_sentence_of_a_reference_has_its_case() {
    let list = read("README.md");
    let mut table = format!("{HEAD}\n|---|---|---|---|---|---|\n");
    let (mut sum, mut faults) = (Count::default(), String::new());
    for (name, all) in statements(&list) {
        let marks = marks(&read(&format!("{name}.md")));
        for statement in 1..=all {
            if !marks.contains_key(&statement) {
                let _ = writeln!(faults, "{name}: sentence {statement} has no case");
            }
        }
        for unknown in marks.keys().filter(|number| !(1..=all).contains(*number)) {
            let _ = writeln!(faults, "{name}: no sentence has the number {unknown}");
        }
        let count = Count::of(all, &marks);
        table += &count.row(&format!("[{name}]({name}.md)"));
        sum.all += count.all;
        sum.work += count.work;
        sum.differ += count.differ;
        sum.host += count.host;
        sum.none += count.none;
    }
    assert!(faults.is_empty(), "{faults}");
    table += &sum.row("together");
    let start = list.find(HEAD).expect("the count");
    let end = list[start..]
        .find("\n\n")
        .map_or(list.len(), |end| start + end + 1);
    let mut written = list.clone();
    written.replace_range(start..end, &table);
    if std::env::var_os("UPDATE_CASES").is_some_and(|value| value == "1") {
        fs::write(folder().join("README.md"), &written).expect("the list can be written");
    } else {
        assert_eq!(list[start..end], table, "UPDATE_CASES=1 writes the count");
    }
}

#[test]
fn every_case_file_of_a_profile_is_counted() {
    let files = fs::read_dir(folder()).expect("the folder of the case files");
    let names = files.map(|entry| {
        entry
            .expect("a file")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    let names = names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned));
    let names: BTreeSet<String> = names.filter(|name| name != "README").collect();
    assert_eq!(names, statements(&read("README.md")).into_keys().collect());
}

#[test]
fn marks_count_where_they_stand() {
    let text = "## A\n<!-- sentence 1 --> <!-- sentence 2 -->\n# What differs\n| a | b <!-- sentence 2 --> |\n\
                # What is left to the host\n- c <!-- sentence 4 -->\n";
    let marks = marks(text);
    let count = Count::of(4, &marks);
    assert_eq!(
        (count.work, count.differ, count.host, count.none),
        (1, 1, 1, 1),
        "{marks:?}"
    );
}
