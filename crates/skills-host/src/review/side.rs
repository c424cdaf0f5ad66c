//! The skills of a folder or of a commit, with the bytes of their files.

use crate::files::snapshot::{FileBytes, MAX_BYTES, Snapshot, is_skill_file};
use crate::review::item::{Item, ItemKind, MAX_ITEMS, path_of};
use crate::review::leads::Leads;
use crate::review::named::named;
use crate::review::names::{folded_name, is_open_name};
use crate::review::outside::{self, Entries, Entry, Tree, above, below, end_of, is_below};
use crate::review::plugin_files::{self, CLIENTS, MANIFESTS, is_instructions, is_plugin_file};
use crate::review::step;
use crate::review::walk::{read_files, walk};
use skills_compiler::LOCK_FILE;
use skills_format::disk::{Folder, read_text, resolved as resolved_root};
use skills_format::skill::file::SkillFile;
use skills_format::tree::SKILL_FILE;
use skills_format::tree::left_out::is_no_part;
use skills_format::{Digest, Skill, join, prose};
use skills_lint::{CONFIG_FILE, PowerFile};
use skills_permit::{PowerKind, Powers};
use skills_repository::Rewrites;
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The most files that name each other in a chain. Each costs a call of git.
const MOST_LEVELS: usize = 250;

pub(super) const ATTRIBUTES: &str = ".gitattributes";

pub(super) type Files = BTreeMap<String, FileBytes>;

/// A folder on the disk.
struct OnDisk<'r> {
    root: &'r Path,
    /// `None` if the folder is not there.
    folder: Option<Folder>,
    entries: Entries,
}

impl Tree for OnDisk<'_> {
    fn is_file(&self, path: &str) -> bool {
        let path = Path::new(path);
        // A revision has no files behind links either.
        self.folder.as_ref().is_some_and(|folder| {
            folder.stat(path).is_ok_and(|found| found.is_file) && folder.file_below(path).is_ok()
        })
    }

    fn entry(&self, folder: &str, name: &str) -> Option<Entry> {
        self.entries.find(folder, name, || {
            let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten();
            let entries = entries.flatten().map(|entry| {
                let target = fs::read_link(entry.path()).ok();
                let target = target.map(|target| shown(target.as_os_str().as_encoded_bytes()));
                (shown(entry.file_name().as_encoded_bytes()), target)
            });
            entries.filter(|(name, _)| name != ".git").collect()
        })
    }

    fn below(&self, folder: &str) -> Result<Vec<String>, Error> {
        let real = fs::canonicalize(self.root.join(folder));
        let is_here = real.is_ok_and(|real| real.is_dir() && real.starts_with(self.root));
        if !is_here {
            return Ok(Vec::new());
        }
        let items = walk(self.root, folder, Some(&|_| true))?;
        if items.len() > MAX_ITEMS {
            let message = format!("{folder} contains more than {MAX_ITEMS} files");
            return Err(Error::new(ErrorKind::Refused, message));
        }
        Ok(files_of(items))
    }

    fn read(&self, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error> {
        read_files(self.root, paths)
    }
}

/// The skills of one version, in order of their folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The skills.
    pub skills: Vec<ReviewedSkill>,
    /// The links and submodules outside of the skills, by their paths. They are not followed.
    pub links: BTreeMap<String, Leads>,
    /// The files outside of the skills that decide what a client reads or runs, and those that they name.
    pub beside: BTreeMap<String, FileBytes>,
    /// Other files outside of the skills, that the skills reach: behind links, and by paths with `..`.
    pub(super) outside: BTreeMap<String, FileBytes>,
    /// The folders of plugins: all that lies there is compared.
    pub(super) plugins: BTreeSet<String>,
    /// The `.gitattributes`, the locks, the `skills.toml` and the manifests of plugins above the root, by their paths from the top of the repository.
    pub(super) above: BTreeMap<String, FileBytes>,
    /// The path of the root from the top of the repository: empty, or with `/` at the end.
    pub(super) prefix: String,
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
        let (top, prefix) = place(root);
        // Git lists no file here, so that no other is told: at least the hidden files beside the folders are.
        let side = Self::of_folder_at(root, &top, &prefix, &is_hidden_file)?;
        let mut above = root.ancestors().skip(1).take(4);
        if side.skills.is_empty()
            && let Some(skill) = above.find(|folder| folder.join(SKILL_FILE).is_file())
        {
            let message = prose!("{} is a part of the skill in {}", root, skill);
            return Err(Error::new(ErrorKind::Refused, message).help("name the skill's folder"));
        }
        Ok(side)
    }

    /// Reads the skills below a folder behind no link, which has a path from a folder above it: empty, or with `/` at the end.
    /// Of the files beside the skills it has also those that `also` accepts.
    pub(super) fn of_folder_at(
        root: &Path,
        top: &Path,
        prefix: &str,
        also: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let is_beside = |path: &str| is_beside(&format!("{prefix}{path}")) || also(path);
        let items = walk(root, "", Some(&is_beside))?;
        if items.len() > MAX_ITEMS {
            let message = prose!("{} contains more than {MAX_ITEMS} files", root);
            return Err(Error::new(ErrorKind::Refused, message).help("name a folder below it"));
        }
        let mut leads = BTreeMap::new();
        for item in items.iter().filter(|item| item.kind == ItemKind::Link) {
            let target = fs::read_link(root.join(path_of(&item.path)));
            let target = target.map_or(Leads::Nowhere, |target| {
                Leads::To(shown(target.as_os_str().as_encoded_bytes()))
            });
            leads.insert(shown(&item.path), target);
        }
        let disk = OnDisk {
            root,
            folder: Folder::open(root).ok(),
            entries: Entries::default(),
        };
        let mut above = Files::new();
        for path in deciding_above(prefix) {
            if let Ok(text) = read_text(&top.join(&path)) {
                above.insert(path, FileBytes::new(text.into_bytes(), false));
            }
        }
        Self::of_items(&items, leads, &disk, prefix, above, also)
    }

    /// Makes a side of one skill, and of the skills in its folder. A client has it in its own folder, where it lists all of them.
    pub fn of_snapshot(name: &str, snapshot: &Snapshot) -> Self {
        let mut skills = BTreeMap::from([(String::new(), ReviewedSkill::default())]);
        let folder = |path: &str| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            is_skill_file(name).then(|| (folder.to_owned(), ReviewedSkill::default()))
        };
        skills.extend(snapshot.files().filter_map(|(path, _)| folder(path)));
        for (path, file) in snapshot.files() {
            let folder = nearest(path, |folder| skills.contains_key(folder)).unwrap_or_default();
            let folder = folder.to_owned();
            if let Some(skill) = skills.get_mut(&folder) {
                skill.files.insert(below(path, &folder), file.clone());
            }
        }
        for (folder, skill) in &mut skills {
            skill.folder = join(name, folder);
        }
        Self {
            skills: skills.into_values().collect(),
            prefix: ".agents/skills/".to_owned(),
            ..Self::default()
        }
    }

    /// Adds the links of the folder of the skill of a snapshot, which has none.
    ///
    /// # Errors
    ///
    /// The errors of [`Side::of_folder`].
    pub fn add_links(&mut self, folder: &Path) -> Result<(), Error> {
        let name = self.skills.first().map(|skill| skill.folder.clone());
        let name = name.unwrap_or_default();
        for below in Self::of_folder(folder)?.skills {
            let folder = join(&name, &below.folder);
            let same = self
                .skills
                .iter_mut()
                .filter(|skill| skill.folder == folder);
            same.for_each(|skill| skill.links.extend(below.links.clone()));
        }
        Ok(())
    }

    /// Returns the files of a name, by their folders from the top of the repository.
    pub(super) fn named(&self, name: &str) -> BTreeMap<String, &FileBytes> {
        let in_skills = self.skills.iter().flat_map(|skill| {
            let files = skill.files.iter();
            files.map(|(path, file)| (join(&skill.folder, path), file))
        });
        let beside = self.beside.iter().map(|(path, file)| (path.clone(), file));
        let below = in_skills.chain(beside);
        let below = below.map(|(path, file)| (self.of_top(&path), file));
        let above = self.above.iter().map(|(path, file)| (path.clone(), file));
        let all = below.chain(above).filter_map(|(path, file)| {
            let folder = path.strip_suffix(name)?;
            let is_whole = folder.is_empty() || folder.ends_with('/');
            is_whole.then(|| (folder.trim_end_matches('/').to_owned(), file))
        });
        all.collect()
    }

    /// Returns the `.gitattributes` that rewrite files in a checkout, by their folders.
    pub(super) fn rewrites(&self) -> BTreeMap<String, Rewrites> {
        let files = self.named(ATTRIBUTES).into_iter();
        files
            .map(|(folder, file)| (folder, Rewrites::of(&file.bytes)))
            .collect()
    }

    /// Returns a path of the side from the top of its repository.
    pub(super) fn of_top(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// Groups listed files by their skills, and reads all of them at once, then the files that plugins name. `leads` has the
    /// links and submodules by their paths. The folder `prefix` of the root decides too what a client reads: `.claude/`.
    pub(super) fn of_items(
        items: &[Item],
        mut leads: BTreeMap<String, Leads>,
        tree: &dyn Tree,
        prefix: &str,
        above_it: Files,
        also: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let is_plugin_file = |path: &str| is_plugin_file(&format!("{prefix}{path}"));
        let is_beside = |path: &str| is_beside(&format!("{prefix}{path}")) || also(path);
        let mut skills = skills_of(items);
        let mut side = Self {
            prefix: prefix.to_owned(),
            above: above_it,
            ..Self::default()
        };
        let mut wanted = Vec::new();
        for item in items {
            let path = shown(&item.path);
            let skill = nearest(&path, |folder| skills.contains_key(folder));
            match item.kind {
                ItemKind::File { .. } if skill.is_some() || is_beside(&path) => {
                    wanted.push(item.path.clone());
                }
                ItemKind::File { .. } => {}
                _ => match skill.and_then(|folder| skills.get_mut(folder)) {
                    Some(skill) => {
                        let leads = leads.remove(&path).unwrap_or(Leads::Nowhere);
                        skill.links.insert(below(&path, &skill.folder), leads);
                    }
                    None => drop(leads.entry(path).or_insert(Leads::Nowhere)),
                },
            }
        }
        // Nothing is asked of a folder that is not there.
        let files = if wanted.is_empty() {
            Vec::new()
        } else {
            tree.read(&wanted)?
        };
        for (bytes, file) in wanted.iter().zip(files) {
            let path = shown(bytes);
            let folder = nearest(&path, |folder| skills.contains_key(folder));
            match folder.and_then(|folder| skills.get_mut(folder)) {
                Some(skill) => drop(skill.files.insert(below(&path, &skill.folder), file)),
                None => drop(side.beside.insert(path, file)),
            }
        }
        let is_open = |path: &str| nearest(path, |folder| skills.contains_key(folder)).is_none();
        let entry = |folder: &str, name: &str| tree.entry(folder, name);
        let file = |path: &str| end_of("", path, &entry).filter(|path| tree.is_file(path));
        let names = |path: &str, bytes: &FileBytes, is_wanted: &dyn Fn(&str) -> bool| {
            let origin = match nearest(path, |folder| skills.contains_key(folder)) {
                Some(skill) => skill,
                None => above(path).nth(1).unwrap_or_default(),
            };
            named([path, origin], &bytes.bytes, is_wanted, &file)
        };
        let mut first = side.beside.clone();
        first.retain(|path, _| is_plugin_file(path) && !is_instructions(path));
        // A link in the place of a plugin's file names what is behind it.
        let linked = leads.keys().filter(|path| is_plugin_file(path));
        let linked = linked.filter_map(|path| file(path)).collect();
        let is_known = |path: &str| side.beside.contains_key(path) || !is_open(path);
        let run = |path: &str, file: &FileBytes| names(path, file, &|_| true);
        let run = follow(tree, first, linked, &is_known, &run)?;
        side.beside.extend(run);
        side.plugins = plugins_of(items, &side.beside);
        for (path, file) in &side.above {
            for root in plugin_files::roots(path, Some(&file.bytes)) {
                let is_around = root.is_empty() || is_below(prefix, &root);
                let inside = if is_around {
                    Some("")
                } else {
                    root.strip_prefix(prefix)
                };
                side.plugins.extend(inside.map(str::to_owned));
            }
        }
        let targets = side.targets(&leads, skills.values(), tree);
        let mut outside = outside::paths(targets, tree)?;
        for skill in skills.values() {
            for (path, file) in &skill.files {
                let path = join(&skill.folder, path);
                let text = String::from_utf8_lossy(&file.bytes);
                // Most files lead nowhere, and are not cut into words.
                if text.contains("../") || text.contains("..\\") {
                    outside.extend(names(&path, file, &|word| word.contains("../")));
                }
            }
        }
        let mut texts = side.beside.clone();
        texts.retain(|path, _| is_instructions(path));
        let is_text = |path: &str| path.rsplit('/').next().is_some_and(is_open_name);
        let is_known = |path: &str| side.beside.contains_key(path) || !is_open(path);
        side.outside = follow(tree, texts, outside, &is_known, &|path, file| {
            // Clients import any file, and agents read the texts that are named.
            let is_read = is_instructions(path);
            let is_wanted = |word: &str| word.starts_with('@') || is_read && is_text(word);
            let of_text = || names(path, file, &is_wanted);
            is_text(path).then(of_text).unwrap_or_default()
        })?;
        side.skills = skills.into_values().collect();
        side.links = leads;
        Ok(side)
    }

    /// Returns where links lead that give files another place, and the folders of plugins.
    fn targets<'s>(
        &self,
        leads: &BTreeMap<String, Leads>,
        skills: impl Iterator<Item = &'s ReviewedSkill>,
        tree: &dyn Tree,
    ) -> BTreeSet<String> {
        // Below a link in the place of a client's folder, the client finds its files.
        let is_place = |path: &str| {
            let top = self.of_top(path);
            is_plugin_file(&top)
                || is_plugin_file(&join(&top, "x.md"))
                || above(path).any(|folder| self.plugins.contains(folder))
        };
        let links = leads.iter().filter(|(path, _)| is_place(path));
        let links = links.map(|(path, leads)| (path.clone(), leads));
        let of_skills = skills.flat_map(|skill| {
            let links = skill.links.iter();
            links.map(|(path, leads)| (join(&skill.folder, path), leads))
        });
        let targets = links
            .chain(of_skills)
            .filter_map(|(path, leads)| match leads {
                Leads::To(text) => end_of(&path, text, &|folder, name| tree.entry(folder, name)),
                _ => None,
            });
        let entry = |folder: &str, name: &str| tree.entry(folder, name);
        let plugins = self.plugins.iter();
        let plugins = plugins.filter_map(|folder| end_of("", folder, &entry));
        targets.chain(plugins).collect()
    }
}

/// Returns the files that files name or that are `new`, and what these name: a hook runs more, and an imported text imports more.
fn follow(
    tree: &dyn Tree,
    mut last: Files,
    mut new: BTreeSet<String>,
    is_known: &dyn Fn(&str) -> bool,
    named: &dyn Fn(&str, &FileBytes) -> BTreeSet<String>,
) -> Result<Files, Error> {
    let (mut all, mut size) = (Files::new(), 0);
    for _ in 0..MOST_LEVELS {
        new.extend(last.iter().flat_map(|(path, file)| named(path, file)));
        new.retain(|path| !is_known(path) && !all.contains_key(path));
        if new.is_empty() {
            return Ok(all);
        }
        let paths: Vec<_> = new.iter().cloned().map(String::into_bytes).collect();
        let files = tree.read(&paths)?;
        size += files.iter().map(|file| file.bytes.len()).sum::<usize>();
        last = std::mem::take(&mut new).into_iter().zip(files).collect();
        all.extend(last.clone());
        if size as u64 > MAX_BYTES {
            break;
        }
    }
    let (path, _) = last.pop_first().unwrap_or_default();
    let message = format!(
        "{path}: too many files, each named by another, or more than {MAX_BYTES} bytes of them"
    );
    Err(Error::new(ErrorKind::Refused, message)
        .help("remove the name of the file where it is not meant"))
}

/// Returns the paths above a folder of a repository of the `.gitattributes`, of the lock, of the `skills.toml` and of manifests.
pub(super) fn deciding_above(prefix: &str) -> impl Iterator<Item = String> {
    let ends = prefix.match_indices('/').map(|(at, _)| at + 1);
    let above = std::iter::once(0)
        .chain(ends)
        .filter(|end| *end < prefix.len());
    let names = [ATTRIBUTES, CONFIG_FILE, LOCK_FILE].into_iter();
    let paths = above.flat_map(move |end| {
        let names = names.clone().chain(MANIFESTS);
        names.map(move |name| format!("{}{name}", &prefix[..end]))
    });
    paths.filter(move |path| !path.starts_with(prefix))
}

/// Returns whether a file is hidden, in no hidden folder, and shipped: `.devcontainer.json`.
fn is_hidden_file(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut folders = folder.split('/');
    name.starts_with('.') && !folders.any(|part| part.starts_with('.')) && !is_no_part(path)
}

/// Returns the folder from which a folder's place is told, up to a few folders above it, and its path there, empty or with `/` at
/// the end: that of a client, `.claude/skills/`, or in a plugin.
fn place(root: &Path) -> (PathBuf, String) {
    let above = root.ancestors().take(5).enumerate();
    let tops = above.filter_map(|(at, folder)| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_plugin = || MANIFESTS.iter().any(|name| folder.join(name).is_file());
        if CLIENTS.contains(&&*name) {
            folder.parent()
        } else {
            (at > 0 && is_plugin()).then_some(folder)
        }
    });
    let top = tops.last().unwrap_or(root);
    let below = root.strip_prefix(top).unwrap_or(Path::new(""));
    let parts = below.iter().map(|part| shown(part.as_encoded_bytes()));
    (top.to_owned(), parts.map(|part| part + "/").collect())
}

/// Returns the folders of the plugins whose manifests are among items.
fn plugins_of(items: &[Item], beside: &BTreeMap<String, FileBytes>) -> BTreeSet<String> {
    let paths = items.iter().map(|item| shown(&item.path));
    paths
        .flat_map(|path| plugin_files::roots(&path, beside.get(&path).map(|it| &*it.bytes)))
        .collect()
}

/// Returns the skills among items by their folders, without files.
fn skills_of(items: &[Item]) -> BTreeMap<String, ReviewedSkill> {
    let mut skills = BTreeMap::new();
    for item in items {
        let path = shown(&item.path);
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if is_skill_file(name) {
            let skill = ReviewedSkill {
                folder: folder.to_owned(),
                ..ReviewedSkill::default()
            };
            skills.insert(folder.to_owned(), skill);
        }
    }
    skills
}

/// Returns the paths of the files among items.
pub(super) fn files_of(items: Vec<Item>) -> Vec<String> {
    let files = items
        .into_iter()
        .filter(|item| matches!(item.kind, ItemKind::File { .. }));
    files.map(|item| shown(&item.path)).collect()
}

/// Returns the folder of the nearest skill above a path. A skill below another is a skill of its own, as clients list it:
/// otherwise a `SKILL.md` in the root would hide what the skills below it gain.
fn nearest(path: &str, is_skill: impl Fn(&str) -> bool) -> Option<&str> {
    above(path).find(|folder| is_skill(folder))
}

/// Returns whether a file outside of skills is a part of a comparison.
pub(super) fn is_beside(path: &str) -> bool {
    let name = folded_name(path.rsplit('/').next().unwrap_or(path));
    [LOCK_FILE, CONFIG_FILE, ATTRIBUTES, ".gitmodules"].contains(&&*name) || is_plugin_file(path)
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
        let file = self.files.get(self.entry_name()?)?;
        std::str::from_utf8(&file.bytes).ok()
    }

    /// Returns the name of the `SKILL.md`, unless it is a link.
    pub(super) fn entry_name(&self) -> Option<&str> {
        let mut paths = self.files.keys().map(String::as_str);
        paths.find(|path| is_skill_file(path))
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
        step(1);
        let folder = self.folder.rsplit('/').next().unwrap_or_default();
        self.skill()
            .map_or_else(|| folder.to_owned(), |skill| skill.name.to_string())
    }

    /// Reads what the skill may do. Nothing behind a link is read, so each link is a power.
    pub fn powers(&self) -> Powers {
        let mut powers = skills_lint::powers(self.power_files());
        for (path, leads) in &self.links {
            let text = format!("file {path}, {leads}");
            powers.add(PowerKind::Unreadable, text, path, 0);
        }
        powers
    }

    pub(super) fn powers_and_calls(&self) -> Powers {
        skills_lint::powers_and_calls(self.power_files())
    }

    fn power_files(&self) -> impl Iterator<Item = PowerFile<'_>> {
        self.files.iter().map(|(path, file)| PowerFile {
            path,
            bytes: Some(&file.bytes),
            is_executable: file.executable,
        })
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
        let changes = crate::review::compare(&Side::default(), &side);
        let is_told = |folder: &str| {
            let mut skills = changes.skills.iter();
            skills.any(|skill| skill.folder == folder && !skill.gained.is_empty())
        };
        assert!(is_told("b\\xFF"));
    }
}
