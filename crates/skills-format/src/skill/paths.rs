//! `paths` of Claude Code: a skill that has some is closed to the model until a file that they match is opened.
//!
//! `powers`, `diff` and the list of Claude Code ask here, so that they agree on what is a restraint.

use crate::yaml::node::{Node, Value};

/// The globs that Claude Code takes for every file.
const EVERY_FILE: [&str; 4] = ["", "/**", "**", "**/**"];

/// Returns the globs of `paths` as they are written, in their order: commas outside of braces stand between them. A value
/// that is not a text is not a glob.
pub fn globs(paths: &Node) -> Vec<&str> {
    let mut found = Vec::new();
    collect(paths, &mut found);
    found
}

/// Returns whether globs close a skill. Globs that match every file close nothing, and neither does an empty list. A glob with
/// braces counts as narrower, whatever its words are.
pub fn close(globs: &[&str]) -> bool {
    globs.iter().any(|glob| !EVERY_FILE.contains(glob))
}

fn collect<'n>(node: &'n Node, found: &mut Vec<&'n str>) {
    match &node.value {
        Value::Sequence(items) => {
            for item in items {
                collect(item, found);
            }
        }
        Value::Scalar(scalar) if node.kind() == "text" => {
            let mut depth = 0_i32;
            let parts = scalar.text.split(|c| {
                depth += match c {
                    '{' => 1,
                    '}' => -1,
                    _ => 0,
                };
                c == ',' && depth == 0
            });
            found.extend(parts.map(trimmed).filter(|part| !part.is_empty()));
        }
        _ => {}
    }
}

/// Returns a text without the white space around it, as JavaScript knows white space.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c == '\u{feff}' || c.is_whitespace() && c != '\u{85}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    #[test]
    fn globs_as_they_are_written() {
        for (paths, expected) in [
            ("src/**", &["src/**"][..]),
            ("src/**, \"lib\"/*,", &["src/**", "\"lib\"/*"]),
            (
                "\"{src, lib}/*, docs/a b.md\"",
                &["{src, lib}/*", "docs/a b.md"],
            ),
            ("[a, [\"b,c\", 5, {d: e}], ~, \" \"]", &["a", "b", "c"]),
            ("{a: b}", &[]),
            ("5", &[]),
            ("~", &[]),
        ] {
            let node = yaml::parse(paths).expect(paths).expect(paths);
            assert_eq!(globs(&node), expected, "{paths}");
        }
    }

    /// As Claude Code 2.1.330 lists the skill or does not.
    #[test]
    fn paths_that_close_a_skill() {
        let open = [
            "[]",
            "\"\"",
            "''",
            "~",
            "[~]",
            "\"**\"",
            "[\"**\"]",
            "[\" ** \"]",
            "\"/**\"",
            "\"**/**\"",
            "{a: b}",
            "[{a: b}]",
            "5",
            "[5]",
            "0x1F",
            "0o17",
            "012",
            "+1",
            "1e3",
            ".5",
            "true",
            "[true, \"**\"]",
            "[[[\"**\"]], 7]",
            "\" \"",
            "\",\"",
            "\"  ,  \"",
            "\"**,**\"",
            "[\"**,/**\"]",
            "\"\\u00a0\"",
            "[\"\\u00a0**\"]",
            "\"\\ufeff**\"",
        ];
        let closed = [
            "\"**/*\"",
            "\"*\"",
            "\"/\"",
            "\"/**/\"",
            "\"/**/**\"",
            "\"**/**/**\"",
            "[\"**\", \"src/*\"]",
            "\"./**\"",
            "\"src/**\"",
            "[[a]]",
            "\"src/*, **\"",
            "[\"src/**\", \"\"]",
            "\"{src,lib}/*\"",
            "\"{**,src}\"",
            "\"{{**,**},**}\"",
            "\"a}b,c{d\"",
            "\"}, **\"",
            "\"}{\"",
            "\"{}\"",
            "\"{a\"",
            "\"{**,**/**\"",
            "\"**}\"",
            "\"***\"",
            "\"**/\"",
            "\"** **\"",
            "|\n  **\n  **",
            "1_000",
            "0b1",
            "12:30",
            "2026-11-28",
            "yes",
            "\".inf\"",
            "\"\\u0085**\"",
            "\"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\"",
        ];
        let open = open.into_iter().map(|paths| (paths, false));
        for (paths, expected) in open.chain(closed.map(|paths| (paths, true))) {
            let node = yaml::parse(paths).expect(paths).expect(paths);
            assert_eq!(close(&globs(&node)), expected, "{paths}");
        }
    }
}
