//! Gathers the data of a page from a folder of skills.

use crate::page::data::{LockState, Page, PageBundle, PageFile, PageFinding, PageSkill, Subject};
use crate::page::mentions::Known;
use skills_compiler::Compiled;
use skills_compiler::Folder;
use skills_compiler::{BundleModel, SkillModel, Usable};
use skills_compiler::{Lock, LockKind};
use skills_format::{
    MissingName, OpenAiFile, Skill, SkillFile, SkillFiles, Tree, estimate_tokens, is_no_part, join,
};
use skills_lint::render::quoted;
use skills_lint::{Config, powers_of_files};
use std::collections::{BTreeMap, BTreeSet};

/// A folder of skills with the bytes of its files.
pub(crate) struct Gathered<'g> {
    /// The name of the bundle.
    pub(crate) name: &'g str,
    /// The printed path of the folder.
    pub(crate) path: &'g str,
    /// The files, with paths relative to the folder.
    pub(crate) tree: &'g Tree,
    /// Decides by the folder of a skill whether the page shows the skill.
    pub(crate) shows: &'g dyn Fn(&str) -> bool,
    pub(crate) config: &'g Config,
    pub(crate) lock_text: Option<&'g str>,
    /// True if every skill of the folder is shown.
    pub(crate) is_whole: bool,
}

/// One parsed skill.
struct Read<'g> {
    files: SkillFiles<'g>,
    file: SkillFile<'g>,
    /// The skill, parsed strictly if possible, else leniently.
    skill: Option<Skill>,
    is_strict: bool,
    name: String,
}

impl Page {
    /// Creates the page of a folder that a program carries.
    ///
    /// # Cost
    ///
    /// Digests every file once. Performs no I/O.
    pub fn of_folder(folder: &Folder, compiled: &Compiled<'_>) -> Self {
        let mut page = Self::new(Subject::Folder(folder.path.clone()));
        let name = folder.path.rsplit('/').next().unwrap_or(&folder.path);
        let gathered = Gathered {
            name,
            path: &folder.path,
            tree: &folder.tree,
            shows: &|_| true,
            config: &folder.config,
            lock_text: folder.lock_text.as_deref(),
            is_whole: true,
        };
        page.bundles.push(gathered.bundle());
        let finding = |found: &skills_format::Diagnostic| {
            PageFinding::new(found.clone(), &|path| folder.source(path))
        };
        page.findings = Some(compiled.diagnostics.iter().map(finding).collect());
        page.arguments = Some(quoted(&folder.path).into_owned());
        page
    }
}

impl Gathered<'_> {
    /// Creates the data of the bundle.
    pub(crate) fn bundle(&self) -> PageBundle {
        let all: Vec<Read<'_>> = self
            .tree
            .skills_of_any_case()
            .into_iter()
            .filter(|skill| (self.shows)(skill.dir))
            .map(|skill| Read::new(skill, self.path))
            .collect();
        let usable = all.iter().filter(|read| read.is_strict).filter_map(|read| {
            Usable::new(
                read.files.dir,
                &read.file,
                read.files.files,
                read.skill.clone()?,
            )
        });
        let model = BundleModel::new(usable, self.config);
        let lock = self.lock_text.map(Lock::parse);
        let is_read = self.tree.files.iter().all(|file| file.bytes.is_some());
        let is_whole = self.is_whole && is_read && model.skills.len() == all.len();
        let mut bundle = PageBundle::new(self.name);
        bundle.path = Some(self.path.to_owned());
        bundle.digest = is_whole.then(|| model.digest.to_string());
        bundle.budget = self.config.budget;
        bundle.lock = match &lock {
            None => LockState::Missing,
            Some(Err(error)) => LockState::Unreadable(error.to_string()),
            Some(Ok(lock)) if lock.kind == LockKind::Installed => LockState::Installed,
            Some(Ok(_)) if !is_whole => LockState::Unknown,
            Some(Ok(lock)) => {
                let changes = lock.changes(&Lock::of(&model));
                if changes.is_empty() {
                    LockState::Current
                } else {
                    LockState::Stale(changes.iter().map(ToString::to_string).collect())
                }
            }
        };
        let sources = lock.and_then(Result::ok).map(|lock| lock.skills);
        let models: BTreeMap<&str, &SkillModel<'_>> = model
            .skills
            .iter()
            .map(|skill| (skill.dir, skill))
            .collect();
        let known = Known {
            folders: all
                .iter()
                .map(|read| (read.files.dir, read.name.as_str()))
                .collect(),
            names: all.iter().map(|read| read.name.as_str()).collect(),
        };
        bundle.skills = all
            .iter()
            .map(|read| {
                let mut skill = self.skill(read, &known);
                if let Some(model) = models.get(read.files.dir) {
                    skill.digest = Some(model.digest.to_string());
                }
                let locked = sources.as_ref().and_then(|sources| sources.get(&read.name));
                let source = locked.and_then(|locked| locked.provenance.as_ref());
                skill.source = source.map(ToString::to_string);
                skill
            })
            .collect();
        bundle
            .skills
            .sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
        bundle
    }

    fn skill(&self, read: &Read<'_>, known: &Known<'_>) -> PageSkill {
        let dir = read.files.dir;
        let skill = read.skill.as_ref();
        let description = skill.map_or("", |skill| &skill.description);
        let mut shown = PageSkill::new(&*read.name, description);
        let path = join(self.path, dir);
        shown.path = Some(if path.is_empty() {
            ".".to_owned()
        } else {
            path
        });
        shown.location = Some(read.file.path.clone());
        let when_to_use = skill.and_then(|skill| skill.fields.when_to_use.as_deref());
        shown.when_to_use = when_to_use.map_or_else(String::new, str::to_owned);
        if !read.is_strict {
            "it breaks the format, and strict clients refuse it".clone_into(&mut shown.fault);
        }
        let mut files: Vec<PageFile> = read
            .files
            .files
            .iter()
            .filter_map(|file| {
                let path = file.path.strip_prefix(dir)?.trim_start_matches('/');
                (!is_no_part(path)).then(|| PageFile::new(path, file.size))
            })
            .collect();
        files.sort_by_key(|file| !file.path.eq_ignore_ascii_case("SKILL.md"));
        shown.files = Some(files);
        shown.license = skill.and_then(|skill| skill.fields.license.as_deref().map(str::to_owned));
        shown.is_for_people_alone =
            skill.is_some_and(|skill| skill.fields.disable_model_invocation);
        shown.tokens = skill.map(|skill| estimate_tokens(&skill.body));
        let is_read = read.files.files.iter().all(|file| file.bytes.is_some());
        shown.powers = is_read.then(|| powers_of_files(dir, read.files.files, &BTreeSet::new()));
        shown.links = skill.map(|skill| known.links(&read.name, dir, &skill.body));
        shown
    }
}

impl<'g> Read<'g> {
    fn new(files: SkillFiles<'g>, path: &str) -> Self {
        let shown = join(path, &files.file.path);
        let folder = match files.dir.rsplit('/').next() {
            None | Some("") => path.rsplit('/').next().unwrap_or(path),
            Some(folder) => folder,
        };
        let bytes = files.file.bytes.as_deref().unwrap_or_default();
        let openai = OpenAiFile::of_tree(path, files.dir, files.files);
        let file = SkillFile::read(shown, folder, bytes).with_openai(openai);
        let strict = file.strict();
        let is_strict = strict.is_some();
        let skill = strict.or_else(|| file.lenient_with(MissingName::Folder).0);
        let name = skill
            .as_ref()
            .map_or_else(|| file.folder.clone(), |skill| skill.name.to_string());
        Self {
            files,
            file,
            skill,
            is_strict,
            name,
        }
    }
}
