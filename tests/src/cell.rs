//! The contents of table cells.

use crate::block::Cell;

/// Returns the text of a cell with one code span, in which `⏎` is a line feed and `⇥` a tab. The cell `(empty)` is
/// the empty text; an empty cell is `None`.
pub(crate) fn literal(cell: &Cell) -> Result<Option<String>, String> {
    match &cell.code[..] {
        [] if cell.text.is_empty() => Ok(None),
        [] if cell.text == "(empty)" => Ok(Some(String::new())),
        [code] if *code == cell.text => Ok(Some(plain(code))),
        _ => Err(format!("`{}` is not one code span", cell.text)),
    }
}

/// Splits a text at commas.
pub(crate) fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(|part| part.trim().to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Returns the code spans of a cell that contains nothing else, each read like [`literal`].
pub(crate) fn spans(cell: &Cell) -> Result<Vec<String>, String> {
    let rest = cell.code.iter().fold(cell.text.clone(), |text, code| {
        text.replacen(code.as_str(), "", 1)
    });
    if rest.trim().is_empty() {
        Ok(cell.code.iter().map(|code| plain(code)).collect())
    } else {
        Err(format!("`{}` stands outside the code spans", rest.trim()))
    }
}

fn plain(code: &str) -> String {
    code.replace('⏎', "\n").replace('⇥', "\t")
}

/// Splits a text at spaces.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
