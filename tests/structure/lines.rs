//! The size of each package: lines of code without blank lines, comments and tests, and the most that it may have.
//!
//! A change that needs more raises its bound, and says why in its commit.

use crate::packages::PACKAGES;
use crate::repository;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of each package, and the most bytes of a line on average: lines are not saved by longer ones.
const BOUNDS: &[(&str, usize, usize)] = &[
    ("skills-format", 8_125, 28),
    ("skills-permit", 1_825, 31),
    ("skills-rank", 285, 31),
    ("skills-render", 785, 30),
    ("skills-check", 3_230, 30),
    ("skills-lint", 15_000, 32),
    ("skills-clients", 2_230, 35),
    ("skills-arguments", 1_605, 31),
    ("skills-compiler", 2_197, 30),
    ("skills-repository", 4_940, 30),
    ("skills-macros", 10, 32),
    ("skills-runtime", 5_870, 28),
    ("skills-session", 4_010, 30),
    ("skills-profiles", 1_025, 28),
    ("bundled-skills", 30, 32),
    ("skills-clap", 710, 25),
    ("skills-provision", 460, 27),
    ("skills-fields", 170, 32),
    ("skills-store", 1_420, 30),
    ("skills-host", 11_155, 30),
    ("skills-agent", 3_340, 30),
    ("skills-server", 1_700, 32),
    ("skills-lsp", 2_802, 29),
    ("skills-play", 900, 30),
    ("skills-tool", 14_165, 31),
];

/// Lines of code, and their bytes without indents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    lines: usize,
    bytes: usize,
}

#[test]
#[expect(clippy::print_stdout, reason = "the table of a run")]
fn packages_stay_within_their_bounds() {
    let mut over = Vec::new();
    let mut all = 0;
    for package in PACKAGES {
        let name = package.name();
        let size = of_package(&repository().join(package.folder));
        let bound = BOUNDS.iter().find(|(bounded, ..)| *bounded == name);
        let Some((_, lines, bytes)) = bound else {
            panic!("{name} has no bound: it has {} lines", size.lines);
        };
        let average = size.bytes.div_ceil(size.lines.max(1));
        let row = format!(
            "{:6} of {lines:6} lines, of {average} of {bytes} bytes: {name}",
            size.lines
        );
        println!("{row}");
        if size.lines > *lines || average > *bytes {
            over.push(row);
        }
        all += size.lines;
    }
    println!("{all:6} lines of code in all");
    assert!(over.is_empty(), "too long:\n{}", over.join("\n"));
}

fn of_package(folder: &Path) -> Size {
    let files = code(folder);
    let lines = files.iter().flat_map(|(_, lines)| lines);
    lines.fold(Size::default(), |all, line| Size {
        lines: all.lines + 1,
        bytes: all.bytes + line.len(),
    })
}

/// Returns the lines of code of each source file of a package, without indents.
pub(crate) fn code(folder: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let (mut files, mut tests) = (Vec::new(), Vec::new());
    let mut open = vec![folder.join("src")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let (lines, modules) = code_lines(&text);
            tests.extend(modules.into_iter().map(|module| below(&path).join(module)));
            files.push((path, lines.into_iter().map(str::to_owned).collect()));
        }
    }
    // `tests.rs` and `tests/`, which a line `mod tests;` for tests names.
    files.retain(|(path, _)| {
        !tests
            .iter()
            .any(|test| path.starts_with(test) || *path == test.with_extension("rs"))
    });
    files
}

/// Returns the folder of the modules of a file.
fn below(file: &Path) -> PathBuf {
    let is_root = ["mod", "lib", "main"]
        .iter()
        .any(|name| file.file_stem().is_some_and(|stem| stem == *name));
    if is_root {
        file.parent().unwrap_or(file).to_owned()
    } else {
        file.with_extension("")
    }
}

/// Returns the lines of code of a text without its tests, and the names of the modules of tests in other files.
fn code_lines(text: &str) -> (Vec<&str>, Vec<String>) {
    let (mut code, mut modules) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(whole) = lines.next() {
        let line = whole.trim();
        if line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test") {
            modules.extend(skip_item(whole.len() - line.len(), &mut lines));
        } else if !line.is_empty() && !line.starts_with("//") {
            code.push(line);
        }
    }
    (code, modules)
}

/// Skips the item after an attribute: rustfmt writes its last line at the indent of the attribute. Returns its name if it is a
/// module in another file.
fn skip_item<'t>(indent: usize, lines: &mut impl Iterator<Item = &'t str>) -> Option<String> {
    let mut lines = lines.skip_while(|line| line.trim_start().starts_with(['#', '/']));
    let first = lines.next()?.trim();
    let module = first
        .strip_suffix(';')
        .and_then(|line| line.split_once("mod "));
    let is_last = |line: &str| {
        line.len() - line.trim_start().len() == indent && line.ends_with(['}', ';', ','])
    };
    if !first.ends_with(['}', ';', ',']) {
        lines.find(|line| is_last(line));
    }
    module.map(|(_, name)| name.to_owned())
}

#[test]
fn tests_comments_and_blank_lines_do_not_count() {
    let text = "//! Docs.\n\nuse a::b;\n#[cfg(test)]\nuse c::{\n    d,\n};\n#[cfg(test)]\nmod tests;\n\
                fn f() {\n    // Why.\n    g()\n}\n#[cfg(test)]\nmod here {\n    fn h() {}\n}\nstatic I: u8 = 1;\n";
    let (code, modules) = code_lines(text);
    assert_eq!(
        code,
        ["use a::b;", "fn f() {", "g()", "}", "static I: u8 = 1;"]
    );
    assert_eq!(modules, ["tests"]);
}
