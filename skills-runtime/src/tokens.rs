//! How many tokens a text costs a model, estimated.

/// Estimated tokens: four characters of ASCII, two of other alphabets, or one ideograph make one.
pub(crate) fn tokens(text: &str) -> usize {
    quarters(text).div_ceil(4)
}

/// The same in quarters, which add up.
pub(crate) fn quarters(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars()
        .map(|c| match c {
            '\0'..='\u{7f}' => 1,
            '\u{80}'..='\u{2e7f}' => 2,
            _ => 4,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("Reviews code."), 4);
        assert_eq!(tokens("検査"), 2);
    }
}
