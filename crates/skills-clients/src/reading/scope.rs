//! `paths` of Claude Code: a skill that has some is closed to the model until a file that they match is opened.

use skills_format::yaml::{Node, Value};

/// The most texts that braces make of one: the program then takes the text as it is.
const EXPANDED: usize = 1000;

/// Returns whether the paths close a skill. Paths that match every file close nothing, and neither does a value that
/// holds no text.
pub(super) fn is_restricted(paths: Option<&Node>) -> bool {
    let mut globs = Vec::new();
    if let Some(paths) = paths {
        collect(paths, &mut globs);
    }
    let bare = globs
        .iter()
        .map(|glob| glob.strip_suffix("/**").unwrap_or(glob));
    bare.filter(|glob| !glob.is_empty())
        .any(|glob| glob != "**")
}

/// Collects the globs of a text or a list: commas outside of braces stand between them.
fn collect(node: &Node, globs: &mut Vec<String>) {
    match &node.value {
        Value::Sequence(items) => {
            for item in items {
                collect(item, globs);
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
            for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
                expand(part, globs);
            }
        }
        _ => {}
    }
}

/// Writes a glob once for each word of its braces.
fn expand(glob: &str, globs: &mut Vec<String>) {
    let mut open = vec![glob.to_owned()];
    let mut made = Vec::new();
    while let Some(next) = open.pop() {
        let parts = next.split_once('{').and_then(|(before, rest)| {
            let (words, after) = rest
                .split_once('}')
                .filter(|(words, _)| !words.is_empty())?;
            let words = words.split(',');
            Some(
                words
                    .map(|word| format!("{before}{}{after}", word.trim()))
                    .collect::<Vec<_>>(),
            )
        });
        match parts {
            Some(parts) => open.extend(parts),
            None => made.push(next),
        }
        if open.len() + made.len() > EXPANDED {
            globs.push(glob.to_owned());
            return;
        }
    }
    globs.extend(made);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Claude Code 2.1.330 lists the skill or does not.
    #[test]
    fn paths_that_close_a_skill() {
        for (paths, expected) in [
            ("[]", false),
            ("\"\"", false),
            ("~", false),
            ("\"**\"", false),
            ("[\"**\"]", false),
            ("\"/**\"", false),
            ("\"**/**\"", false),
            ("{a: b}", false),
            ("5", false),
            ("true", false),
            ("\" \"", false),
            ("\"{**,**/**}\"", false),
            ("\"**/*\"", true),
            ("\"*\"", true),
            ("[\"**\", \"src/*\"]", true),
            ("\"./**\"", true),
            ("\"src/**\"", true),
            ("[[a]]", true),
            ("\"src/*, **\"", true),
            ("[\"src/**\", \"\"]", true),
            ("\"{src,lib}/*\"", true),
            ("\"***\"", true),
            ("\"**/\"", true),
            (
                "\"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\"",
                true,
            ),
        ] {
            let node = skills_format::yaml::parse(paths)
                .expect(paths)
                .expect(paths);
            assert_eq!(is_restricted(Some(&node)), expected, "{paths}");
        }
        assert!(!is_restricted(None));
    }
}
