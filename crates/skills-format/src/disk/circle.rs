//! Links that lead back to the folder that holds them.

use crate::disk::{Folder, Kind, resolve};
use std::collections::BTreeSet;
use std::path::Path;

/// The maximum number of items that are looked at for one link: a link can lead to the root of the disk.
const MAX_ITEMS: usize = 10_000;

/// Returns whether a program that follows links comes back to the folder of a link: the link leads to a folder above, or
/// links below its end do. Links of more than 10,000 items are not followed to their end.
///
/// # Cost
///
/// A walk over the folders behind the link.
pub fn leads_back(link: &Path) -> bool {
    let holder = link.parent().and_then(|folder| resolve(folder).ok());
    let Some((holder, target)) = holder.zip(resolve(link).ok()) else {
        return false;
    };
    let mut waiting = vec![target];
    let mut seen = BTreeSet::new();
    let mut left = MAX_ITEMS;
    while let Some(path) = waiting.pop() {
        if holder.starts_with(&path) {
            return true;
        }
        let items = Folder::open(&path).and_then(|folder| folder.items(left));
        let items = items.unwrap_or_default();
        left = left.saturating_sub(items.len());
        for item in items {
            let below = path.join(&item.name);
            let next = match item.kind {
                Kind::Folder => below,
                Kind::Link => match resolve(&below) {
                    Ok(target) if target != below => target,
                    _ => continue,
                },
                Kind::File | Kind::Other => continue,
            };
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    false
}

#[cfg(all(test, unix))]
#[expect(clippy::disallowed_methods, reason = "makes folders with links")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_lead_back_by_other_links() {
        let base = tempfile::tempdir().expect("of a test");
        let at = |path: &str| base.path().join(path);
        for folder in ["a/in", "b/in/deep", "c", "d", "e"] {
            fs::create_dir_all(at(folder)).expect("of a test");
        }
        for (to, link) in [
            // `a` and `b` lead to each other, `c` to both, and nothing leads back to `c`.
            ("../../b", "a/in/t"),
            ("../../../a/in", "b/in/deep/u"),
            ("../a", "c/a"),
            ("..", "d/up"),
            ("../e", "e/self"),
            ("nothing", "e/gone"),
            ("round", "e/round"),
        ] {
            symlink(to, at(link)).expect("of a test");
        }
        for (link, leads) in [
            ("a/in/t", true),
            ("b/in/deep/u", true),
            ("c/a", false),
            ("d/up", true),
            ("e/self", true),
            ("e/gone", false),
            ("e/round", false),
        ] {
            assert_eq!(leads_back(&at(link)), leads, "{link}");
        }
    }
}
