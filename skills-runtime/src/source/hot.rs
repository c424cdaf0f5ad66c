//! Reads a bundle from the folder that it was compiled from. Only debug builds with the feature `hot` have this file.
//!
//! The files are read whole, so that a broken edit can leave the skill as it was before.

use crate::bundle::Bundle;
use crate::source::files;
use crate::source::folder::{FolderSkills, Root};
use crate::source::options::How;
use skills_format::{Contents, Diagnostic, FileKind, Limits, SKILL_FILE, Tree, TreeFile, join};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the skills in the folder of a bundle. A skill that cannot be read stays as it was in `before`, or as it was
/// compiled. Returns `None` if the folder is not there.
pub(crate) fn read(
    bundle: &'static Bundle,
    before: Option<&FolderSkills>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<FolderSkills> {
    let (manifest, path) = bundle.site?;
    let root: PathBuf = Path::new(manifest).join(path).components().collect();
    let contents = Contents::All {
        max: u64::MAX,
        limits: Limits::default(),
    };
    let tree = Arc::new(Tree::read(&root, contents).ok()?);
    let mut found = files::read(&root, false, &tree, How::default(), diagnostics);
    let baked;
    let before = if let Some(before) = before {
        before
    } else {
        let tree = Arc::new(files_of(bundle));
        baked = files::read(&root, false, &tree, How::default(), &mut Vec::new());
        &baked
    };
    for skill in &before.skills {
        let is_read = found.skills.iter().any(|now| now.dir == skill.dir);
        let below = skill.dir.strip_prefix(&root).unwrap_or(&skill.dir);
        let file = join(&below.to_string_lossy(), SKILL_FILE);
        if !is_read && tree.get(&file).is_some() {
            found.skills.push(Arc::clone(skill));
        }
    }
    found.roots.push(Root::new(root, None));
    found.sort();
    Some(found)
}

/// Returns the files of a bundle as they were compiled.
fn files_of(bundle: &'static Bundle) -> Tree {
    let files = bundle.baked().flat_map(|skill| {
        skill.files().map(move |file| TreeFile {
            path: join(skill.dir(), file.path),
            utf8: true,
            kind: FileKind::Regular,
            size: file.bytes.len() as u64,
            bytes: Some(file.bytes.to_vec()),
        })
    });
    let mut files: Vec<TreeFile> = files.collect();
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Tree {
        files,
        ..Tree::default()
    }
}
