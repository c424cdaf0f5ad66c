//! Which skills have the words of a text.

use crate::commands::test::report::{Detail, Judged};
use crate::commands::test::tested::Tested;
use skills_repository::triggers::Judge;

/// Asks for every text of a bundle which skills have its words.
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
