//! Distinguishes `$1` in a price from a position.

/// Returns whether the `$` at a place of the body, with so many digits after it, is a sum of money. In doubt it
/// is: a position that stays is seen by its author, a price that a word replaces is not.
pub(super) fn is_money(body: &str, dollar: usize, digits: usize) -> bool {
    let before = body.get(..dollar).unwrap_or_default();
    let after = body.get(dollar + 1 + digits..).unwrap_or_default();
    // `US$1`, `$$1`, `<$1`, `~$1`, `-$1`, and more than two digits.
    digits > 2
        || before.ends_with(|c: char| c.is_alphanumeric() || "$<>~+-=".contains(c))
        || is_sum(after)
        || is_price(before)
}

/// Returns whether the text after a number goes on as a sum does: `$1,000`, `$1.50`, `$1/month`, `$2 million`.
fn is_sum(after: &str) -> bool {
    const WORDS: [&str; 26] = [
        "million", "billion", "trillion", "thousand", "hundred", "bn", "k", "m", "per", "each",
        "usd", "dollars", "cents", "for", "off", "a", "an", "monthly", "yearly", "worth", "in",
        "of", "credit", "minimum", "budget", "fee",
    ];
    let mut chars = after.chars();
    match chars.next() {
        Some('.' | ',') => chars.next().is_some_and(|c| c.is_ascii_digit()),
        Some('/' | '+' | '-' | '–' | '—' | '%' | '$' | '~') => true,
        Some(' ') => {
            // The longest of the words has 8 letters: a text without spaces is not read to its end.
            let word: String = chars.take(10).take_while(|c| c.is_alphanumeric()).collect();
            WORDS.contains(&&*word.to_lowercase())
        }
        _ => false,
    }
}

/// Returns whether the last word before a `$` announces a price.
fn is_price(before: &str) -> bool {
    const WORDS: [&str; 21] = [
        "cost", "costs", "costing", "price", "priced", "pay", "pays", "paid", "paying", "only",
        "about", "under", "over", "than", "charge", "charges", "just", "fee", "budget", "spend",
        "worth",
    ];
    let Some(before) = before.strip_suffix(' ') else {
        return false;
    };
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next();
    word.is_some_and(|word| word.len() < 10 && WORDS.contains(&&*word.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_and_positions() {
        for (body, expected) in [
            ("Compare $1 with it", false),
            ("from $0 to $1.", false),
            ("($1)", false),
            ("$1, then", false),
            ("$1: x", false),
            ("at $1", false),
            ("It costs $1", true),
            ("$1,000", true),
            ("$1.50", true),
            ("$1/month", true),
            ("$2 million", true),
            ("$5 per seat", true),
            ("US$1", true),
            ("$100", true),
            ("under $5", true),
            ("Pay $1.", true),
            ("$1-$5", true),
        ] {
            let dollar = body.find('$').unwrap();
            let digits = body.get(dollar + 1..).unwrap();
            let digits = digits.bytes().take_while(u8::is_ascii_digit).count();
            assert_eq!(is_money(body, dollar, digits), expected, "{body}");
        }
    }
}
