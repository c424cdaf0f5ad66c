//! Markdown for a person. On a terminal, paragraphs are broken at words. Code and tables stay whole, so
//! that they can be copied.

use crate::output::Output;
use crate::output::fit::wrapped;
use std::io;
use unicode_width::UnicodeWidthStr as _;

/// Prints Markdown. Without a terminal the text is unchanged.
pub(crate) fn print(text: &str, output: &mut Output) -> io::Result<()> {
    let text = match output.width() {
        Some(width) => broken(text, width),
        None => text.to_owned(),
    };
    output.foreign(&text)?;
    output.foreign("\n")
}

/// Breaks the paragraphs of Markdown. Further lines are indented like their list item or quote.
fn broken(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let marks = fence_of(line);
        let is_code = fence.is_some() || line.starts_with("    ") || line.starts_with(['\t', '|']);
        match (fence, marks) {
            (None, Some(marks)) => fence = Some(marks),
            (Some(open), Some(marks)) if marks.starts_with(open) && line.trim() == marks => {
                fence = None;
            }
            _ => {}
        }
        if is_code || marks.is_some() || line.width() <= width {
            lines.push(line.to_owned());
            continue;
        }
        let (head, rest) = line.split_at(head(line));
        let hang = if head.contains('>') {
            head.to_owned()
        } else {
            " ".repeat(head.width())
        };
        let room = width.saturating_sub(head.width());
        for (at, part) in wrapped(rest, Some(room)).into_iter().enumerate() {
            lines.push(format!("{}{part}", if at == 0 { head } else { &hang }));
        }
    }
    lines.join("\n")
}

/// Returns the marks of a line that opens or closes a block of code.
fn fence_of(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let is_mark = |c: char| c == '`' || c == '~';
    let end = text.find(|c| !is_mark(c)).unwrap_or(text.len());
    text.get(..end).filter(|marks| marks.len() >= 3)
}

/// Returns the byte at which the text of a list item or a quote begins.
fn head(line: &str) -> usize {
    let text = line.trim_start_matches([' ', '>']);
    let start = line.len() - text.len();
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - number.len();
    let is_item = |rest: &str, marks: &[char]| {
        let mut chars = rest.chars();
        chars.next().is_some_and(|mark| marks.contains(&mark)) && chars.next() == Some(' ')
    };
    match digits {
        0 if is_item(text, &['-', '*', '+']) => start + 2,
        1..=4 if is_item(number, &['.', ')']) => start + digits + 2,
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn paragraphs_are_broken_and_code_is_not() {
        let text = "See the rules of the house.\n\n- an item that is long\n12. a number that is long\n\
                    > a quote that is long\n\n```sh\nskills check --fix --unsafe\n```\n検査する検査する検査する";
        let expected = "See the rules\nof the house.\n\n- an item that\n  is long\n12. a number\n    that is\n    long\n\
                        > a quote that\n> is long\n\n```sh\nskills check --fix --unsafe\n```\n検査する検査す\nる検査する";
        assert_eq!(broken(text, 14), expected);
        assert_eq!(broken(text, 100), text);
    }
}
