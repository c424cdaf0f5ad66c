use std::borrow::Cow;

/// The minimum length of a stem, in letters.
const SHORTEST: usize = 3;

/// Returns an English word without its ending, so that `reviews`, `reviewed` and `reviewing` are one stem. A word
/// with other characters than `a` to `z` is returned unchanged. The stem need not be a word.
pub(crate) fn stem(word: &str) -> Cow<'_, str> {
    if word.len() <= SHORTEST || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.into();
    }
    let word = without_plural(word);
    let stem = ["ing", "ed"]
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| is_stem(stem)))
        .map_or_else(|| word.clone(), |stem| undoubled(stem).to_owned().into());
    let stem = match stem.strip_suffix("ion") {
        Some(rest) if rest.ends_with('t') && is_stem(rest) => rest.to_owned().into(),
        _ => stem,
    };
    match stem.strip_suffix('e') {
        Some(rest) if is_stem(rest) => rest.to_owned().into(),
        _ => stem,
    }
}

fn without_plural(word: &str) -> Cow<'_, str> {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| is_stem(stem)) {
        return format!("{stem}y").into();
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.into();
    }
    let hisses = |stem: &&str| {
        ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    let stem = word.strip_suffix("es").filter(hisses);
    stem.or_else(|| word.strip_suffix('s'))
        .unwrap_or(word)
        .into()
}

/// Removes a doubled last letter: `runn` becomes `run`. `call` and `pass` stay.
fn undoubled(stem: &str) -> &str {
    let mut letters = stem.bytes().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !b"lsz".contains(&last) => {
            stem.get(..stem.len() - 1).unwrap_or(stem)
        }
        _ => stem,
    }
}

fn is_stem(stem: &str) -> bool {
    stem.len() >= SHORTEST && stem.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_are_one() {
        for forms in [
            &["review", "reviews", "reviewed", "reviewing"][..],
            &["create", "creates", "created", "creating", "creation"],
            &["run", "runs", "running"],
            &["match", "matches", "matched"],
            &["query", "queries"],
            &["pass", "passes", "passing"],
            &["migrate", "migrations"],
            &["note", "notes"],
            &["call", "calls", "calling"],
        ] {
            for form in forms {
                assert_eq!(stem(form), stem(forms[0]), "{form}");
            }
        }
    }

    #[test]
    fn other_words_stay() {
        for word in [
            "red", "bed", "thing", "string", "bus", "css", "axis", "api", "übungs", "v1s",
        ] {
            assert_eq!(stem(word), word);
        }
    }
}
