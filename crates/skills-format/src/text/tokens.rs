//! Estimates numbers of tokens, without a tokenizer.

/// Estimates the number of tokens of a text. A token is four ASCII characters, two characters below U+0E00 beyond
/// ASCII (most alphabets), or one other character (such as Thai, Chinese or Japanese).
///
/// ```
/// assert_eq!(skills_format::estimate_tokens("eight by"), 2);
/// ```
pub fn estimate_tokens(text: &str) -> usize {
    estimate_quarter_tokens(text).div_ceil(4)
}

/// Estimates the number of quarter tokens of a text. Quarters add up without rounding: the sum for two texts is
/// the estimate for both texts together.
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
