//! `paths` of Claude Code: a skill that has some is closed to the model until a file that they match is opened.
//!
//! `powers`, `diff` and the list of Claude Code ask here, so that they agree on what is a restraint.

use crate::yaml::node::{Node, Value};

/// The globs that Claude Code takes for every file.
const EVERY_FILE: [&str; 4] = ["", "/**", "**", "**/**"];
/// The most globs that braces make of all globs together, and the most bytes that are written for them: Claude Code then
/// takes a glob as it is, and a brace matches few files.
const MADE: usize = 1000;
const WRITTEN: usize = 4 << 20;

/// Returns the globs of `paths` as they are written, in their order: commas outside of braces stand between them. A value
/// that is not a text is not a glob.
pub fn globs(paths: &Node) -> Vec<&str> {
    let mut found = Vec::new();
    collect(paths, &mut found);
    found
}

/// Returns whether globs close a skill. Globs that match every file close nothing, and neither does an empty list.
pub fn close(globs: &[&str]) -> bool {
    let mut work = Work::default();
    globs.iter().any(|glob| work.is_narrow(glob))
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

/// What the braces of all globs have made.
#[derive(Default)]
struct Work {
    made: usize,
    written: usize,
}

impl Work {
    /// Returns whether a glob, written once for each word of its braces, matches fewer files than all.
    fn is_narrow(&mut self, glob: &str) -> bool {
        // Only what braces make counts.
        if !glob.contains('{') {
            return !EVERY_FILE.contains(&glob);
        }
        self.written += glob.len();
        let mut open = vec![glob.to_owned()];
        while let Some(next) = open.pop() {
            let Some((before, words, after)) = braced(&next) else {
                if !EVERY_FILE.contains(&&*next) {
                    return true;
                }
                self.made += 1;
                continue;
            };
            for word in words.split(',') {
                let glob = [before, trimmed(word), after].concat();
                self.written += glob.len();
                open.push(glob);
                if self.made + open.len() > MADE || self.written > WRITTEN {
                    return true;
                }
            }
        }
        false
    }
}

/// Splits a glob at its first braces, as far as the first brace that closes.
fn braced(glob: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = glob.split_once('{')?;
    let (words, after) = rest.split_once('}')?;
    (!words.is_empty()).then_some((before, words, after))
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
            "\"{**,**/**}\"",
            "\"{**/**}\"",
            "\"**, {**,/**}\"",
            "\"{,}\"",
            "\"{,}{,}\"",
            "\"{**, }\"",
            "\"{ , **}\"",
            "\"{,**}/**\"",
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

    /// Where Claude Code 2.1.330 stops, and foreign text must.
    #[test]
    fn braces_have_an_end() {
        let words = |count: usize| format!("{{{}}}", ",".repeat(count - 1));
        let single = |count: usize| "{ }".repeat(count);
        for (globs, expected) in [
            (vec![words(2).repeat(9)], false),
            (vec![words(2).repeat(10)], true),
            (vec![words(1000)], false),
            (vec![words(1001)], true),
            (vec![words(2) + &words(500)], false),
            (vec![words(2) + &words(501)], true),
            (vec![words(500) + &words(2)], false),
            (vec![words(500); 2], false),
            (vec![words(501); 2], true),
            (vec!["**".to_owned(); 1100], false),
            (vec![single(1670)], false),
            (vec![single(1672)], true),
            (vec![single(1500)], false),
            (vec![single(1500); 2], true),
            (vec!["{,}".repeat(9) + &single(20_000)], true),
        ] {
            let globs: Vec<&str> = globs.iter().map(String::as_str).collect();
            assert_eq!(close(&globs), expected, "{globs:.8?}");
        }
    }
}
