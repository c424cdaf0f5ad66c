//! How many tokens a text is, without a tokenizer.

/// Estimates the tokens of a text: four ASCII characters, two characters of an alphabet beyond it,
/// or one character of a script without spaces make a token.
///
/// ```
/// assert_eq!(skills_format::estimate_tokens("eight by"), 2);
/// ```
pub fn estimate_tokens(text: &str) -> usize {
    // In quarters of a token.
    let quarters: usize = if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(quarters).sum()
    };
    quarters.div_ceil(4)
}

fn quarters(c: char) -> usize {
    match u32::from(c) {
        0..0x80 => 1,
        0x80..0x0E00 => 2,
        _ => 4,
    }
}
