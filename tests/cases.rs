//! Runs every case of `tests/cases/**.md`, and of the documents that show sessions of the program.
//!
//! `UPDATE_CASES=1 cargo test -p skills-tests --test cases` writes the present output; `-- cli/install` after it
//! writes only the documents with that word in their path.

use libtest_mimic::{Arguments, Failed, Trial};
use skills_tests::{Case, Document, HOSTILE, documents, is_program, unshown};
use std::path::Path;
use std::process::ExitCode;

/// Documents outside `tests/cases` whose sessions are run.
const SHOWN: &[&str] = &[
    "docs/guide/tour.md",
    "docs/agents.md",
    "docs/exit-codes.md",
    "docs/install.md",
    "docs/improve.md",
    "docs/mcp.md",
    "docs/schedule.md",
    "docs/review.md",
    "docs/guide/first-skill.md",
    "docs/guide/test.md",
    "docs/guide/repository.md",
    "docs/guide/program.md",
    "docs/guide/arguments.md",
    "docs/guide/tools.md",
    "docs/guide/trust.md",
    "docs/guide/profiles.md",
    "docs/systems.md",
    "docs/troubleshooting.md",
];

fn main() -> ExitCode {
    if is_program() {
        return skills_tool::run();
    }
    let done = all().and_then(|documents| {
        if std::env::var_os("UPDATE_CASES").is_some_and(|value| value == "1") {
            // A word after `--` selects the documents to write, by a part of their path.
            let word = Arguments::from_args().filter.unwrap_or_default();
            let is_asked = |document: &&Document| document.path.to_string_lossy().contains(&word);
            let asked: Vec<&Document> = documents.iter().filter(is_asked).collect();
            if asked.is_empty() {
                return Err(format!("no document has '{word}' in its path"));
            }
            asked.into_iter().try_for_each(update)
        } else {
            let mut arguments = Arguments::from_args();
            // Cases mostly wait for the programs that they start.
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            arguments.test_threads.get_or_insert(2 * cores);
            libtest_mimic::run(&arguments, trials(documents)).exit_if_failed();
            Ok(())
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(
                clippy::print_stderr,
                reason = "a test's runner tells why it cannot start"
            )]
            {
                eprintln!("error: {error}");
            }
            ExitCode::FAILURE
        }
    }
}

fn all() -> Result<Vec<Document>, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = here.join("cases");
    let mut all = Vec::new();
    // A README describes the files beside it.
    let documents = documents(&cases)?.into_iter();
    for path in documents.filter(|path| !path.ends_with("README.md")) {
        let name = path
            .strip_prefix(&cases)
            .unwrap_or(&path)
            .with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        let document = Document::read(path, &name)?;
        if document.cases.is_empty() {
            return Err(format!("{}: no case is in it", document.path.display()));
        }
        all.push(document);
    }
    for name in SHOWN {
        all.push(Document::read(here.join("..").join(name), name)?);
    }
    Ok(all)
}

fn trials(documents: Vec<Document>) -> Vec<Trial> {
    let shown = documents
        .iter()
        .filter(|it| it.path.components().any(|part| part.as_os_str() == "json"));
    let shown: Vec<Case> = shown.flat_map(|it| it.cases.clone()).collect();
    let unshown = Trial::test(
        "json::every schema has an example",
        move || match unshown(&shown)?.as_slice() {
            [] => Ok(()),
            names => Err(format!("no example of {}", names.join(", ")).into()),
        },
    );
    documents
        .into_iter()
        .flat_map(|document| document.cases)
        .map(trial)
        .chain(HOSTILE.iter().map(|(name, run)| {
            Trial::test(format!("hostile::{name}"), || run().map_err(Failed::from))
        }))
        .chain([unshown])
        .collect()
}

/// Makes the test of a case. A case that is skipped on this system has a reason.
fn trial(case: Case) -> Trial {
    let skipped = case.skipped();
    let trial = Trial::test(case.name.clone(), move || case.run().map_err(Failed::from));
    match skipped {
        Some(why) => trial.with_kind(why).with_ignored_flag(true),
        None => trial,
    }
}

fn update(document: &Document) -> Result<(), String> {
    std::fs::write(&document.path, document.updated()?)
        .map_err(|error| format!("{}: {error}", document.path.display()))
}
