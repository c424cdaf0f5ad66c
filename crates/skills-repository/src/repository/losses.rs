//! The files of a repository's bundles that `cargo package` would leave out.

use crate::package::losses::package_losses;
use crate::package::manifest::RULE;
use crate::repository::bundle::Bundle;
use crate::repository::start::{Start, is_in_package};
use skills_format::{Diagnostic, Tree, join};

/// Replaces the findings of the rule, which knows no manifest, by findings from the manifest of the package.
pub(crate) fn replace(start: &Start, bundle: &Bundle, tree: &Tree, found: &mut Vec<Diagnostic>) {
    // Without a package nothing is packed, so the rule's findings are wrong.
    found.retain(|finding| !finding.is(RULE));
    let folder = start.on_disk.join(&bundle.dir);
    if !is_in_package(&folder) {
        return;
    }
    let mut inner = Tree::default();
    let below = |path: &str| match bundle.dir.as_str() {
        "" => Some(path.to_owned()),
        dir => Some(path.strip_prefix(dir)?.strip_prefix('/')?.to_owned()),
    };
    for skill in tree.skills_of_any_case() {
        if bundle.checks(skill.dir) {
            let files = skill.files.iter().filter_map(|file| {
                let mut file = file.clone();
                file.path = below(&file.path)?;
                file.bytes = None;
                Some(file)
            });
            inner.files.extend(files);
        }
    }
    inner
        .files
        .sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    let shown = join(&start.shown, &bundle.dir);
    found.extend(package_losses(&folder, &shown, &inner, &bundle.config).unwrap_or_default());
}
