//! Estimates of tokens, without a tokenizer.

/// Estimates the tokens of a text: four ASCII characters, two characters of an alphabet beyond it,
/// or one character of a script without spaces make a token.
///
/// ```
/// assert_eq!(skills_format::estimate_tokens("eight by"), 2);
/// ```
pub fn estimate_tokens(text: &str) -> usize {
    estimate_quarter_tokens(text).div_ceil(4)
}

/// Estimates the quarters of a token. Quarters add up: the sum for two texts is the estimate for
/// both texts together.
pub fn estimate_quarter_tokens(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(quarters).sum()
    }
}

fn quarters(c: char) -> usize {
    match u32::from(c) {
        0..0x80 => 1,
        0x80..0x0E00 => 2,
        _ => 4,
    }
}
