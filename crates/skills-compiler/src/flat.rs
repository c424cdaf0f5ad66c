//! `layout = "flat"`: each file `NAME.md` of the folder is a skill. In the tree it is `NAME/SKILL.md`, so that everything
//! after the reading knows one layout.

use skills_format::disk::{self, Kind, read_regular};
use skills_format::text::control::pictured;
use skills_format::{Diagnostic, FileKind, RuleId, Severity, SkillName, Tree, TreeFile, join};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The maximum number of items in a flat folder.
const MAX_ITEMS: usize = 10_000;

/// Reads a flat folder. Returns the tree, and the file of each folder of the tree.
///
/// # Errors
///
/// The folder cannot be listed.
pub(crate) fn read(
    root: &disk::Folder,
    shown: &str,
    max_bytes: u64,
    is_excluded: &dyn Fn(&str) -> bool,
    faults: &mut Vec<Diagnostic>,
) -> io::Result<(Tree, BTreeMap<String, String>)> {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut tree = Tree::default();
    let mut items = root.items(MAX_ITEMS)?;
    items.sort_by(|a, b| a.name.cmp(&b.name));
    let mut fault = |rule, path: &str, message: String, help: &str| {
        let found = Diagnostic::new(rule, Severity::Error, join(shown, path), message);
        faults.push(found.help(help));
    };
    for item in items {
        let name = item.name.to_string_lossy().into_owned();
        if is_excluded(&name) || name.eq_ignore_ascii_case("README.md") {
            continue;
        }
        let inner = join(&name, "SKILL.md");
        if item.kind == Kind::Folder && root.stat(Path::new(&inner)).is_ok() {
            let message = "with `layout = \"flat\"`, skills in folders are not read".to_owned();
            let help = "move its text to a file `NAME.md`, or remove `layout` from skills.toml";
            fault(RuleId::NestedSkill, &inner, message, help);
        }
        let Some(stem) = name
            .strip_suffix(".md")
            .filter(|_| item.kind != Kind::Folder)
        else {
            continue;
        };
        let folder = SkillName::make(stem).map_or_else(|| stem.to_owned(), |name| name.to_string());
        if let Some(other) = files.get(&folder) {
            let message = format!("`{}` gives the same name, `{folder}`", pictured(other));
            fault(RuleId::DuplicateName, &name, message, "rename one of them");
            continue;
        }
        let mut file = TreeFile {
            path: join(&folder, "SKILL.md"),
            utf8: item.name.to_str().is_some(),
            kind: match item.kind {
                Kind::File => FileKind::Regular,
                Kind::Link => FileKind::Link,
                _ => FileKind::Other,
            },
            size: 0,
            bytes: None,
        };
        if item.kind == Kind::File {
            file.size = root.stat(Path::new(&item.name))?.len;
            if file.size <= max_bytes {
                let open = root.child_file(&item.name).map_err(io::Error::from);
                match open.and_then(|open| read_regular(&open, max_bytes)) {
                    Ok(bytes) => file.bytes = Some(bytes),
                    Err(error) => {
                        let message = format!("this cannot be read: {error}");
                        fault(RuleId::Unreadable, &name, message, "");
                    }
                }
            }
        }
        files.insert(folder, name);
        tree.files.push(file);
    }
    tree.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((tree, files))
}
