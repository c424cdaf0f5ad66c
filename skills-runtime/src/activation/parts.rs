//! Compares the parts of paths with the parts of patterns.

/// Returns whether the parts of a path match the parts of a pattern, in which `**` stands for any parts.
/// `is_like` compares two other parts.
///
/// Works without backtracking, which is exponential for patterns with several `**`: `ends` says which
/// beginnings of the path the pattern so far matches.
pub(crate) fn matches_parts(
    pattern: &[&str],
    path: &[&str],
    is_like: impl Fn(&str, &str) -> bool,
) -> bool {
    let mut ends: Vec<bool> = std::iter::once(true)
        .chain(path.iter().map(|_| false))
        .collect();
    for part in pattern {
        if *part == "**" {
            let mut any = false;
            for end in &mut ends {
                any |= *end;
                *end = any;
            }
        } else {
            let one_more = ends.iter().zip(path);
            let one_more = one_more.map(|(is_end, of_path)| *is_end && is_like(part, of_path));
            ends = std::iter::once(false).chain(one_more).collect();
        }
    }
    ends.last().copied().unwrap_or_default()
}

/// Returns whether a text matches a pattern in which `*` stands for any text.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut pieces = rest.split('*').collect::<Vec<_>>();
    let last = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some((_, after)) = text.split_once(piece) else {
            return false;
        };
        text = after;
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_text_and_double_stars_for_parts() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "b", false),
            ("*", "", true),
            ("*.rs", "lib.rs", true),
            ("*.rs", "lib.rsx", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
        ] {
            assert_eq!(is_like(pattern, text), expected, "{pattern} {text}");
        }
        for (pattern, path, expected) in [
            ("src/**", "src/a/b", true),
            ("src/**/x", "src/x", true),
            ("src/**/x", "src/a/y", false),
            ("**/x/**", "a/x/b", true),
            ("src/*", "src/a/b", false),
        ] {
            let parts = |text: &'static str| text.split('/').collect::<Vec<_>>();
            let matches = matches_parts(&parts(pattern), &parts(path), is_like);
            assert_eq!(matches, expected, "{pattern} {path}");
        }
        let slow = vec!["**"; 500];
        assert!(!matches_parts(
            &[&slow[..], &["b"]].concat(),
            &vec!["a"; 5_000],
            is_like
        ));
    }
}
