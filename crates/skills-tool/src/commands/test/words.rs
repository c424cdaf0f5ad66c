//! Judging messages by words.

use crate::commands::test::report::{Detail, Judged};
use crate::commands::test::tested::Tested;
use skills_repository::triggers::Judge;

/// Judges every message of a bundle by the words of the skills.
pub(super) fn judge_all(bundle: &Tested, top: usize) -> Vec<Judged> {
    let judge = Judge::new(&bundle.loaded);
    let texts = bundle.texts.iter();
    texts
        .map(|text| {
            let judged = judge.judge(text, top);
            let (place, first) = (judged.place, judged.first);
            Judged::new(text, bundle, judged.failure, Detail::Words { place, first })
        })
        .collect()
}
