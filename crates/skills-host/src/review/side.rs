//! The skills of a folder or of a commit, with the bytes of their files.

use crate::install::item::{Item, ItemKind, MAX_ITEMS, path_of};
use crate::install::tree::is_at_or_below;
use crate::install::walk::{read_files, walk};
use crate::review::leads::{Leads, resolved};
use crate::review::locks::ReviewedLock;
use crate::review::plugin_files::{self, is_plugin_file};
use skills_compiler::LOCK_FILE;
use skills_format::disk::{Folder, resolved as resolved_root};
use skills_format::skill::file::SkillFile;
use skills_format::{Digest, PowerKind, Powers, Skill, join, prose};
use skills_lint::{CONFIG_FILE, PowerFile};
use skills_store::files::snapshot::{FileBytes, Snapshot, is_skill_file};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The skills of one version, in order of their folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The skills.
    pub skills: Vec<ReviewedSkill>,
    /// Each `skills.lock`, and each `skills.toml` that can ask for one, by its path.
    pub locks: BTreeMap<String, ReviewedLock>,
    /// The links and submodules outside of the skills, by their paths. They are not followed.
    pub links: BTreeMap<String, Leads>,
    /// The files of plugins and clients outside of the skills that can give an agent commands, servers and hooks, with their
    /// digests. Their powers are not read.
    pub plugin_files: BTreeMap<String, Digest>,
}

/// One skill with its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewedSkill {
    /// The folder, relative to the side's root, with `/`; empty if the root is the skill.
    pub folder: String,
    /// The files by their paths in the folder.
    pub files: BTreeMap<String, FileBytes>,
    /// The links by their paths in the folder. They are not followed.
    pub links: BTreeMap<String, Leads>,
}

impl Side {
    /// Reads the skills below a folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed or holds too many files, or a file cannot be read.
    pub fn of_folder(root: &Path) -> Result<Self, Error> {
        // A person who names a link means the folder behind it.
        let root = &resolved_root(root);
        let items = walk(root, "", Some(is_beside))?;
        if items.len() > MAX_ITEMS {
            let message = prose!("{} holds more than {MAX_ITEMS} files", root);
            return Err(Error::new(ErrorKind::Refused, message).help("name a folder below it"));
        }
        let links = items.iter().filter(|item| item.kind == ItemKind::Link);
        let leads = links.map(|item| {
            let leads = fs::read_link(root.join(path_of(&item.path)));
            let leads = leads.map_or(Leads::Nowhere, |target| {
                Leads::To(shown(target.as_os_str().as_encoded_bytes()))
            });
            (shown(&item.path), leads)
        });
        let leads = leads.collect();
        let mut side = Self::of_items(&items, leads, |paths| read_files(root, paths))?;
        side.read_locks(&items, |paths| read_files(root, paths))?;
        // Nothing is asked of a folder that is not there.
        let folder = Folder::open(root).ok();
        let is_file = |path: &str| {
            let path = Path::new(path);
            // A revision has no files behind links either.
            folder.as_ref().is_some_and(|folder| {
                folder.stat(path).is_ok_and(|found| found.is_file)
                    && folder.file_below(path).is_ok()
            })
        };
        side.read_plugins(&items, &is_file, |paths| read_files(root, paths))?;
        Ok(side)
    }

    /// Makes a side of one skill.
    pub fn of_snapshot(folder: &str, snapshot: &Snapshot) -> Self {
        let files = snapshot.files();
        let files = files.map(|(path, file)| (path.to_owned(), file.clone()));
        Self {
            skills: vec![ReviewedSkill {
                folder: folder.to_owned(),
                files: files.collect(),
                links: BTreeMap::new(),
            }],
            ..Self::default()
        }
    }

    /// Reads every lock among listed files.
    pub(super) fn read_locks(
        &mut self,
        items: &[Item],
        mut read: impl FnMut(&[Vec<u8>]) -> Result<Vec<FileBytes>, Error>,
    ) -> Result<(), Error> {
        let is_lock = |item: &&Item| {
            let path = shown(&item.path);
            let name = path.rsplit('/').next().unwrap_or(&path);
            [LOCK_FILE, CONFIG_FILE].contains(&name)
        };
        let (files, others): (Vec<&Item>, Vec<&Item>) = items
            .iter()
            .filter(is_lock)
            .partition(|item| matches!(item.kind, ItemKind::File { .. }));
        // A link could lead to a lock that no review sees.
        for item in others {
            self.locks
                .insert(shown(&item.path), ReviewedLock::damaged());
        }
        let paths: Vec<Vec<u8>> = files.iter().map(|item| item.path.clone()).collect();
        let files = match paths.as_slice() {
            // Nothing is asked of a folder that is not there.
            [] => Vec::new(),
            paths => read(paths)?,
        };
        for (path, file) in paths.iter().zip(files) {
            let path = shown(path);
            let lock = ReviewedLock::of(&path, &file.bytes);
            self.locks.insert(path, lock);
        }
        Ok(())
    }

    /// Reads the digests of the files of plugins among listed files, and of the files that they name.
    pub(super) fn read_plugins(
        &mut self,
        items: &[Item],
        is_file: &dyn Fn(&str) -> bool,
        mut read: impl FnMut(&[Vec<u8>]) -> Result<Vec<FileBytes>, Error>,
    ) -> Result<(), Error> {
        let is_in_skill = |path: &str| {
            let mut skills = self.skills.iter();
            skills.any(|skill| is_at_or_below(path, &skill.folder))
        };
        let mut read = |paths: &BTreeSet<String>| {
            let bytes: Vec<Vec<u8>> = paths.iter().map(|path| path.clone().into_bytes()).collect();
            match bytes.as_slice() {
                [] => Ok(Vec::new()),
                bytes => read(bytes),
            }
        };
        let mut first = BTreeSet::new();
        let mut named = BTreeSet::new();
        for item in items {
            let path = shown(&item.path);
            if !is_plugin_file(&path) || is_in_skill(&path) {
                continue;
            }
            match item.kind {
                ItemKind::File { .. } if path.as_bytes() == item.path => drop(first.insert(path)),
                // A link to a file is told with its text, and so is the file.
                ItemKind::Link => {
                    if let Some(Leads::To(target)) = self.links.get(&path) {
                        let digest = Digest::of(target.as_bytes());
                        named.extend(resolved(&path, target).filter(|target| is_file(target)));
                        self.plugin_files.insert(path, digest);
                    }
                }
                // A name that is not UTF-8 cannot be asked for by its text.
                _ => {
                    let digest = Digest::of(&item.path);
                    self.plugin_files.insert(path, digest);
                }
            }
        }
        let files = read(&first)?;
        for (path, file) in first.iter().zip(&files) {
            named.extend(plugin_files::named(path, &file.bytes, is_file));
            self.plugin_files
                .insert(path.clone(), Digest::of(&file.bytes));
        }
        named.retain(|path| !first.contains(path) && !is_in_skill(path));
        let files = read(&named)?;
        let digests = files.iter().map(|file| Digest::of(&file.bytes));
        self.plugin_files.extend(named.into_iter().zip(digests));
        Ok(())
    }

    /// Groups listed files by their skills, and reads them. `leads` has the links and submodules by their paths.
    pub(super) fn of_items(
        items: &[Item],
        mut leads: BTreeMap<String, Leads>,
        mut read: impl FnMut(&[Vec<u8>]) -> Result<Vec<FileBytes>, Error>,
    ) -> Result<Self, Error> {
        let mut folders: Vec<String> = items
            .iter()
            .filter_map(|item| {
                let path = shown(&item.path);
                let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
                is_skill_file(name).then(|| folder.to_owned())
            })
            .collect();
        folders.sort();
        folders.dedup();
        // A file belongs to the nearest skill above it. A skill below another is a skill of its own, as clients list it:
        // otherwise a `SKILL.md` in the root would hide what the skills below it gain.
        let mut inside: BTreeMap<&str, Vec<&Item>> = folders
            .iter()
            .map(|folder| (folder.as_str(), Vec::new()))
            .collect();
        for item in items {
            let path = shown(&item.path);
            let mut above = path.as_str();
            while !above.is_empty() {
                above = above.rsplit_once('/').map_or("", |(above, _)| above);
                if let Some(files) = inside.get_mut(above) {
                    files.push(item);
                    break;
                }
            }
        }
        let mut side = Self::default();
        for (folder, inside) in inside {
            let (files, others): (Vec<&Item>, Vec<&Item>) = inside
                .into_iter()
                .partition(|item| matches!(item.kind, ItemKind::File { .. }));
            let paths: Vec<Vec<u8>> = files.iter().map(|item| item.path.clone()).collect();
            let bytes = read(&paths)?;
            let relative = |item: &Item| {
                let path = shown(&item.path);
                path.get(folder.len()..)
                    .unwrap_or(&path)
                    .trim_start_matches('/')
                    .to_owned()
            };
            let mut skill = ReviewedSkill {
                folder: folder.to_owned(),
                ..ReviewedSkill::default()
            };
            for (item, file) in files.iter().zip(bytes) {
                skill.files.insert(relative(item), file);
            }
            for item in others {
                let leads = leads.remove(&shown(&item.path)).unwrap_or(Leads::Nowhere);
                skill.links.insert(relative(item), leads);
            }
            side.skills.push(skill);
        }
        side.links = leads;
        Ok(side)
    }
}

/// Returns whether a file outside of skills is a part of a comparison.
pub(super) fn is_beside(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    [LOCK_FILE, CONFIG_FILE].contains(&name) || is_plugin_file(path)
}

/// Returns a path as text. Bytes that are not UTF-8 are written as `\xFF`.
///
/// A backslash that begins such a text in a name is written as `\x5C`, so two paths never have one text: a harmless
/// folder named like the text of another folder would otherwise hide what the other folder holds.
pub(super) fn shown(path: &[u8]) -> String {
    let mut text = String::new();
    for chunk in path.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some((before, after)) = rest.split_once('\\') {
            text.push_str(before);
            text.push_str(if is_escape(after) { "\\x5C" } else { "\\" });
            rest = after;
        }
        text.push_str(rest);
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// Returns whether a text after a backslash makes the backslash one that [`shown`] writes: `xFF`.
fn is_escape(after: &str) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'A'..=b'F');
    matches!(after.as_bytes(), [b'x', first, second, ..] if is_digit(first) && is_digit(second))
}

impl ReviewedSkill {
    /// Returns the text of the `SKILL.md`, if it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        let (_, file) = self.files.iter().find(|(path, _)| is_skill_file(path))?;
        std::str::from_utf8(&file.bytes).ok()
    }

    /// Returns the skill, read leniently.
    pub fn skill(&self) -> Option<Skill> {
        let name = self.folder.rsplit('/').next().unwrap_or_default();
        let text = self.text()?;
        SkillFile::read(join(&self.folder, "SKILL.md"), name, text.as_bytes())
            .lenient()
            .0
    }

    /// Returns the name: that of the front matter, or that of the folder.
    pub fn name(&self) -> String {
        let folder = self.folder.rsplit('/').next().unwrap_or_default();
        self.skill()
            .map_or_else(|| folder.to_owned(), |skill| skill.name.to_string())
    }

    /// Reads what the skill may do.
    pub fn powers(&self) -> Powers {
        let files = self.files.iter().map(|(path, file)| PowerFile {
            path,
            bytes: Some(&file.bytes),
            is_executable: file.executable,
        });
        let mut powers = skills_lint::powers(files);
        for (path, leads) in &self.links {
            let text = format!("file {path}, {leads}");
            powers.add(PowerKind::Unreadable, text, path, 0);
        }
        powers
    }

    /// Returns the digest over paths, lengths and bytes.
    pub fn digest(&self) -> Digest {
        let files = self.files.iter();
        Digest::of_files(files.map(|(path, file)| {
            (
                path.as_str(),
                file.bytes.len() as u64,
                Digest::of(&file.bytes),
            )
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_path_has_a_text_of_its_own() {
        for (path, text) in [
            (b"a/b".as_slice(), "a/b"),
            (b"b\xFF/SKILL.md", "b\\xFF/SKILL.md"),
            (b"b\\xFF/SKILL.md", "b\\x5CxFF/SKILL.md"),
            (b"b\\\xFF", "b\\\\xFF"),
            (b"b\\\\xFF", "b\\\\x5CxFF"),
            (b"b\\x5CxFF", "b\\x5Cx5CxFF"),
            (b"b\\", "b\\"),
            (b"b\\x", "b\\x"),
            (b"b\\xff", "b\\xff"),
        ] {
            assert_eq!(shown(path), text);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_skill_in_a_folder_that_is_not_utf8_is_read() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        let dir = tempfile::tempdir().unwrap();
        let write = |folder: &[u8], body: &str| {
            let folder = dir.path().join(OsStr::from_bytes(folder));
            fs::create_dir_all(folder.join("x")).unwrap();
            let text = format!("---\nname: b\ndescription: B.\n---\n\n{body}\n");
            fs::write(folder.join("SKILL.md"), text).unwrap();
            fs::write(folder.join("x").join(OsStr::from_bytes(b"\xFE.md")), "x").unwrap();
            std::os::unix::fs::symlink(OsStr::from_bytes(b"\xFD"), folder.join("link")).unwrap();
        };
        write(b"b\xFF", "Run `git push`.");
        write(b"b\\xFF", "Hi.");
        let side = Side::of_folder(dir.path()).unwrap();
        let folders: Vec<&str> = side.skills.iter().map(|one| one.folder.as_str()).collect();
        assert_eq!(folders, ["b\\x5CxFF", "b\\xFF"]);
        let skill = &side.skills[1];
        let files: Vec<&String> = skill.files.keys().collect();
        assert_eq!(files, ["SKILL.md", "x/\\xFE.md"]);
        assert_eq!(skill.links["link"], Leads::To("\\xFD".to_owned()));
        let gained = crate::review::compare(&Side::default(), &side);
        assert!(
            gained
                .iter()
                .any(|skill| skill.folder == "b\\xFF" && skill.is_widened())
        );
    }
}
