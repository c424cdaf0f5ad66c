//! Splits a command line like a shell, as far as the documents need it.

/// Splits a line into words at spaces. Single quotes keep everything. Double quotes keep everything except a
/// backslash before `"`, `\`, `$` or a backtick. Outside of quotes a backslash keeps the next character, and `~/`
/// begins a path of the home folder.
pub(crate) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(c) => word.push(c),
                        None => return Err("a single quote is not closed".to_owned()),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') if chars.peek().is_some_and(|c| "\"\\$`".contains(*c)) => {
                            word.extend(chars.next());
                        }
                        Some('$' | '`') => {
                            return Err(
                                "a shell would replace `$` and a backtick here: use single quotes"
                                    .to_owned(),
                            );
                        }
                        Some(c) => word.push(c),
                        None => return Err("a double quote is not closed".to_owned()),
                    }
                }
            }
            '\\' => {
                let word = word.get_or_insert_default();
                word.push(chars.next().ok_or("nothing follows the last backslash")?);
            }
            '$' | '|' | '&' | ';' | '>' | '*' | '`' | '(' | ')' => {
                return Err(format!(
                    "a shell would act on `{c}` here: put it in single quotes"
                ));
            }
            // A shell replaces `~` only where it is not quoted.
            '~' if word.is_none() && chars.peek() == Some(&'/') => {
                word = Some("[CASE]/home".to_owned());
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn quotes() {
        let read = |line| words(line).unwrap_or_default();
        assert_eq!(
            read(r#"skills  a '$b `c` \n' "d \"e\" \$f" g\ h '' i'j'"#),
            ["skills", "a", r"$b `c` \n", "d \"e\" $f", "g h", "", "ij"]
        );
        assert_eq!(read("~/a '~/a' a~/b"), ["[CASE]/home/a", "~/a", "a~/b"]);
        for line in ["'a", "\"a", "a\\", "$a", "\"$a\"", "a | b"] {
            assert!(words(line).is_err(), "{line}");
        }
    }
}
