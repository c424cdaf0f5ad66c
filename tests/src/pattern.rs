//! Expected output, in which `[..]` matches anything within a line, and a line `...` any lines.

/// Returns whether the actual lines match the expected lines.
pub(crate) fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((&"...", rest)) => (0..=actual.len()).any(|skip| {
            actual
                .get(skip..)
                .is_some_and(|actual| matches(rest, actual))
        }),
        Some((line, rest)) => match actual.split_first() {
            Some((came, others)) => line_matches(line, came) && matches(rest, others),
            None => false,
        },
    }
}

fn line_matches(expected: &str, actual: &str) -> bool {
    let mut parts = expected.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = actual.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn wildcards() {
        assert!(matches(&["a[..]c[..]"], &["abcd"]));
        assert!(matches(&["...", "b", "..."], &["a", "b"]));
        assert!(matches(&["...", "b"], &["b", "a", "b"]));
        assert!(!matches(&["...", "b"], &["b", "a"]));
        assert!(!matches(&["a[..]c"], &["abcd"]));
        assert!(!matches(&["a[..]a"], &["a"]));
        assert!(!matches(&["a"], &["a", "b"]));
        assert!(!matches(&["a", "b"], &["a"]));
    }
}
