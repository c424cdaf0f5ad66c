//! A bundle as data: the checked skills, in the order in which they are baked.

use crate::schema::{self, Schema};
use skills_check::{CheckedSkill, Config, Sealed};
use skills_format::{Digest, Document, FileKind, Skill, TRIGGERS_FILE, TreeFile, estimate_tokens};

/// The skills of a folder, ready to bake, lock or list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BundleModel<'t> {
    /// The skills, in order of names.
    pub skills: Vec<SkillModel<'t>>,
    /// The digest over the paths, lengths and digests of all files. Paths are relative to the folder of
    /// the bundle.
    pub digest: Digest,
    /// The maximum characters of the catalog text.
    pub budget: Option<usize>,
}

/// One skill of a bundle.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SkillModel<'t> {
    /// The folder of the skill, relative to the folder of the bundle; empty if both are the same.
    pub dir: &'t str,
    /// The `SKILL.md`, split into its parts.
    pub document: Document<'t>,
    /// The content of the `SKILL.md`.
    pub skill: Skill,
    /// The typed arguments, in order. `None` if the skill has no `arguments.schema.json`.
    pub schema: Option<Schema>,
    /// Every file: the `SKILL.md`, then the other files, sorted by the bytes of their paths.
    pub files: Vec<FileModel<'t>>,
    /// The digest over the paths, lengths and digests of the files.
    pub digest: Digest,
    /// The digest of `triggers.yaml`, which is no file of the skill and is not baked.
    pub triggers: Option<Digest>,
}

/// One file of a skill.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FileModel<'t> {
    /// The path, relative to the folder of the skill.
    pub path: &'t str,
    /// The content.
    pub bytes: &'t [u8],
    /// The SHA-256 of the content.
    pub digest: Digest,
}

impl<'t> BundleModel<'t> {
    /// Creates the model of the usable skills and their readable files. Digests every file once.
    pub(crate) fn new(checked: &[CheckedSkill<'t>], config: &Config) -> Self {
        let usable = checked.iter();
        let usable = usable.filter_map(|checked| SkillModel::new(checked, &config.sealed));
        let mut skills: Vec<_> = usable.collect();
        skills.sort_by(|a, b| (&a.skill.name, a.dir).cmp(&(&b.skill.name, b.dir)));
        Self {
            digest: digest_of(&skills),
            skills,
            budget: config.budget,
        }
    }

    /// Returns the size of all files in bytes.
    pub fn size(&self) -> u64 {
        self.skills.iter().map(SkillModel::size).sum()
    }
}

impl<'t> SkillModel<'t> {
    fn new(checked: &CheckedSkill<'t>, sealed: &Sealed) -> Option<Self> {
        let CheckedSkill { dir, files, .. } = *checked;
        let document = checked.file.document.clone()?.ok()?;
        let mut skill = checked.skill.clone()?;
        let schema = schema::ordered(checked, &skill.fields.arguments);
        skill.fields.sealed = match sealed {
            Sealed::None => false,
            Sealed::All => true,
            Sealed::Skills(names) => names.iter().any(|name| name == skill.name.as_str()),
        };
        let is_triggers = |file: &&TreeFile| in_skill(file, dir) == Some(TRIGGERS_FILE);
        let triggers = files.iter().find(is_triggers);
        let triggers = triggers.and_then(|file| Some(Digest::of(file.bytes.as_deref()?)));
        let mut files: Vec<_> = files
            .iter()
            .filter_map(|file| FileModel::new(file, dir))
            .collect();
        // Before `SKILL.md` moves to the front: the digest covers the files in order of their paths.
        let digest = digest_of_files(&files);
        files.sort_by_key(|file| file.path != "SKILL.md");
        Some(Self {
            dir,
            document,
            skill,
            schema,
            files,
            digest,
            triggers,
        })
    }

    /// Estimates the tokens of the body.
    pub fn tokens(&self) -> usize {
        estimate_tokens(&self.skill.body)
    }

    /// Returns whether the skill had a digest before all its line ends were changed: git checks texts out with CR LF on
    /// some systems.
    pub(crate) fn has_other_line_ends(&self, digest: Digest) -> bool {
        let mut files = self.files.clone();
        files.sort_by_key(|file| file.path);
        let with = |change: &dyn Fn(&str) -> String| {
            let changed = files.iter().map(|file| {
                let bytes = match std::str::from_utf8(file.bytes) {
                    // As git does, a text with NUL is taken for no text.
                    Ok(text) if !text.contains('\0') => change(text).into_bytes(),
                    _ => file.bytes.to_vec(),
                };
                (file.path, length(&bytes), Digest::of(&bytes))
            });
            Digest::of_files(changed) == digest
        };
        let lf = |text: &str| text.replace("\r\n", "\n");
        with(&lf) || with(&|text| lf(text).replace('\n', "\r\n"))
    }

    /// Returns the size of all files in bytes.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| length(file.bytes)).sum()
    }
}

impl<'t> FileModel<'t> {
    fn new(file: &'t TreeFile, dir: &str) -> Option<Self> {
        let path = in_skill(file, dir)?;
        // The folder was listed without what is never shipped, but for what `include` brings back.
        if path == TRIGGERS_FILE {
            return None;
        }
        let bytes = file
            .bytes
            .as_deref()
            .filter(|_| file.utf8 && file.kind == FileKind::Regular)?;
        Some(Self {
            path,
            bytes,
            digest: Digest::of(bytes),
        })
    }

    /// Returns what the digest of a skill covers of the file.
    fn digested(&self) -> (&str, u64, Digest) {
        (self.path, length(self.bytes), self.digest)
    }
}

/// Returns the path of a file in the folder of a skill.
fn in_skill<'t>(file: &'t TreeFile, dir: &str) -> Option<&'t str> {
    Some(file.path.strip_prefix(dir)?.trim_start_matches('/'))
}

fn digest_of_files(files: &[FileModel<'_>]) -> Digest {
    Digest::of_files(files.iter().map(FileModel::digested))
}

fn digest_of(skills: &[SkillModel<'_>]) -> Digest {
    let mut files: Vec<_> = skills
        .iter()
        .flat_map(|skill| {
            skill.files.iter().map(|file| {
                let path = skills_format::join(skill.dir, file.path);
                (path, length(file.bytes), file.digest)
            })
        })
        .collect();
    files.sort();
    Digest::of_files(
        files
            .iter()
            .map(|(path, length, digest)| (path.as_str(), *length, *digest)),
    )
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
