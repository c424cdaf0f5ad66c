//! Draws the picture of README.md: a compile error, as a terminal shows it.

use crate::repository;
use std::fmt::Write as _;
use std::fs;

/// The output that the compiler gives, kept and compared by the tests of `skills-baking`.
const OUTPUT: &str = "tests/baking/ui/yaml-syntax.stderr";
const PICTURE: &str = "docs/compile-error.svg";
/// The size of a character and of a line, in units of the picture.
const CHARACTER: usize = 8;
const LINE: usize = 20;
const MARGIN: usize = 20;

#[test]
fn the_picture_shows_what_the_compiler_says() {
    let root = repository();
    let output = fs::read_to_string(root.join(OUTPUT)).expect("the output");
    let expected = drawn(&output.replace("\r\n", "\n"));
    let file = root.join(PICTURE);
    if std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1") {
        fs::write(&file, &expected).expect("the picture");
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        found.replace("\r\n", "\n") == expected,
        "{PICTURE} differs: `UPDATE_DOCS=1 cargo test -p skills-tests --test structure` draws it"
    );
}

fn drawn(output: &str) -> String {
    let lines: Vec<&str> = std::iter::once("$ cargo build")
        .chain(output.lines())
        .collect();
    let longest = lines.iter().map(|line| line.chars().count()).max();
    let width = 2 * MARGIN + CHARACTER * longest.unwrap_or_default();
    let height = 2 * MARGIN + LINE * lines.len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\">\n<title>A compile error of a skill</title>\n<style>text {{ font: 13px ui-monospace, 'DejaVu Sans Mono', \
         Menlo, Consolas, monospace; white-space: pre; fill: #d4d4d4 }} .error {{ fill: #ff6b68; font-weight: bold }} .strong \
         {{ fill: #ffffff; font-weight: bold }} .mark {{ fill: #6cb6ff; font-weight: bold }}</style>\n<rect width=\"{width}\" \
         height=\"{height}\" rx=\"8\" fill=\"#1e1e1e\"/>\n"
    );
    for (at, line) in lines.iter().enumerate() {
        let y = MARGIN + LINE * at + LINE * 3 / 4;
        for (from, text, class) in pieces(line) {
            let (x, length) = (MARGIN + CHARACTER * from, CHARACTER * text.chars().count());
            let class = class.map_or_else(String::new, |class| format!(" class=\"{class}\""));
            // The length keeps the columns together, whatever the font of the reader.
            writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\"{class}>{}</text>",
                escaped(text)
            )
            .expect("text");
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Cuts a line into pieces, each with its column and its class, as the compiler colours them.
fn pieces(line: &str) -> Vec<(usize, &str, Option<&'static str>)> {
    let indent = line.chars().take_while(|c| *c == ' ').count();
    let text = line.trim_start();
    let split = |at: usize, first: &'static str, rest: Option<&'static str>| {
        let (before, after) = text.split_at(at);
        let space = after.chars().take_while(|c| *c == ' ').count();
        let column = indent + before.chars().count() + space;
        let mut pieces = vec![(indent, before, Some(first))];
        if !after.trim().is_empty() {
            pieces.push((column, after.trim_start(), rest));
        }
        pieces
    };
    if text.is_empty() {
        Vec::new()
    } else if text.starts_with("error") {
        split("error".len(), "error", Some("strong"))
    } else if text.starts_with("-->") {
        split("-->".len(), "mark", None)
    } else if text.starts_with('=') {
        split(1, "mark", None)
    } else if let Some(bar) = text.find('|').filter(|bar| {
        let before = text.get(..*bar).unwrap_or_default().trim();
        before.chars().all(|c| c.is_ascii_digit())
    }) {
        let is_mark = text
            .get(bar + 1..)
            .unwrap_or_default()
            .trim_start()
            .starts_with('^');
        split(bar + 1, "mark", is_mark.then_some("error"))
    } else {
        vec![(indent, text, None)]
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
