//! Links in folders of skills that lead back to a folder above: a client that follows links goes round in a circle.

use crate::commands::doctor::checked::Trouble;
use crate::commands::doctor::remedy::shell;
use skills_format::disk::{Folder, Kind, leads_back};
use skills_format::prose;
use std::path::Path;

/// The maximum number of items of one folder of skills that are looked at.
const MOST_ITEMS: usize = 10_000;
/// The maximum number of links of one folder of skills that are reported.
const MOST: usize = 5;

/// Finds links that lead back to a folder that holds them, by themselves or by other links. Claude Code, Codex and Gemini CLI start with
/// such links; `OpenCode` 1.18.33 sent no request in 90 seconds where there were two.
pub(super) fn of_folder(folder: &Path) -> Vec<Trouble> {
    let mut waiting = vec![folder.to_owned()];
    let mut left = MOST_ITEMS;
    let mut troubles = Vec::new();
    while let Some(folder) = waiting.pop() {
        let items = Folder::open(&folder).and_then(|open| open.items(left));
        let mut items = items.unwrap_or_default();
        items.sort_by(|a, b| a.name.cmp(&b.name));
        left = left.saturating_sub(items.len());
        for item in items {
            let path = folder.join(&item.name);
            match item.kind {
                Kind::Folder => waiting.push(path),
                Kind::Link if troubles.len() < MOST && leads_back(&path) => {
                    let message = prose!(
                        "{}: the link leads back to a folder that holds it; several such links can keep OpenCode from starting",
                        path.as_path()
                    );
                    let help = prose!("remove the link: {}", shell("rm", &path));
                    troubles.push(Trouble::new(message, help));
                }
                _ => {}
            }
        }
        if left == 0 || troubles.len() == MOST {
            break;
        }
    }
    troubles
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_links_that_lead_back_are_circles() {
        let base = tempfile::tempdir().expect("of a test");
        let skill = base.path().join("skills/tidy");
        fs::create_dir_all(&skill).expect("of a test");
        for (to, name) in [
            ("..", "up"),
            (".", "here"),
            ("itself", "itself"),
            ("nothing", "gone"),
            ("../sort", "beside"),
        ] {
            symlink(to, skill.join(name)).expect("of a test");
        }
        fs::create_dir(base.path().join("skills/sort")).expect("of a test");
        let found = of_folder(&base.path().join("skills"));
        let found: Vec<String> = found.iter().map(|one| one.message.to_string()).collect();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().any(|one| one.contains("tidy/here: ")));
        assert!(found.iter().any(|one| one.contains("tidy/up: ")));
    }
}
