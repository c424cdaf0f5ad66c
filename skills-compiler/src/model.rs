//! A bundle as data: what was read and checked, in the order in which it is baked.

use skills_format::{
    CheckedSkill, Config, Digest, Document, FileKind, Sealed, Skill, TreeFile, estimate_tokens,
};

/// The skills of a folder, ready to be baked, locked or listed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BundleModel<'t> {
    /// In the order of their names.
    pub skills: Vec<SkillModel<'t>>,
    /// Over the paths, lengths and digests of all files, paths relative to the bundle's folder.
    pub digest: Digest,
    /// Characters that the catalog text may have.
    pub budget: Option<usize>,
}

/// One skill of a bundle.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SkillModel<'t> {
    /// Its folder relative to the bundle's; empty when the bundle's folder is the skill.
    pub dir: &'t str,
    /// The `SKILL.md` and where its parts stand.
    pub document: Document<'t>,
    /// What the `SKILL.md` says.
    pub skill: Skill,
    /// Every file: the `SKILL.md`, then the others in the order of their paths' bytes.
    pub files: Vec<FileModel<'t>>,
    /// Over the paths, lengths and digests of its files.
    pub digest: Digest,
    /// Whether no folder's skill may shadow it.
    pub sealed: bool,
}

/// One file of a skill.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FileModel<'t> {
    /// Relative to the skill's folder.
    pub path: &'t str,
    /// Its content.
    pub bytes: &'t [u8],
    /// SHA-256 of its content.
    pub digest: Digest,
}

impl<'t> BundleModel<'t> {
    /// Of the skills that can be used, and of their files that can be read. Digests everything once.
    pub(crate) fn new<'c>(
        skills: impl Iterator<Item = (&'c CheckedSkill<'t>, Skill)>,
        config: &Config,
    ) -> Self
    where
        't: 'c,
    {
        let mut skills: Vec<_> = skills
            .filter_map(|(checked, skill)| SkillModel::new(checked, skill, &config.sealed))
            .collect();
        skills.sort_by(|a, b| (&a.skill.name, a.dir).cmp(&(&b.skill.name, b.dir)));
        Self {
            digest: digest_of(&skills),
            skills,
            budget: config.budget,
        }
    }

    /// Bytes of all files.
    pub fn size(&self) -> u64 {
        self.skills.iter().map(SkillModel::size).sum()
    }
}

impl<'t> SkillModel<'t> {
    fn new(checked: &CheckedSkill<'t>, skill: Skill, sealed: &Sealed) -> Option<Self> {
        let document = checked.file.document.clone()?.ok()?;
        let mut files: Vec<_> = checked
            .files
            .iter()
            .filter_map(|file| FileModel::new(file, checked.dir))
            .collect();
        let digest = digest_of_files(&files);
        files.sort_by_key(|file| file.path != "SKILL.md");
        Some(Self {
            dir: checked.dir,
            document,
            files,
            digest,
            sealed: match sealed {
                Sealed::None => false,
                Sealed::All => true,
                Sealed::Skills(names) => names.iter().any(|name| name == skill.name.as_str()),
            },
            skill,
        })
    }

    /// Estimated tokens of the body.
    pub fn tokens(&self) -> usize {
        estimate_tokens(&self.skill.body)
    }

    /// Bytes of all its files.
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| length(file.bytes)).sum()
    }
}

impl<'t> FileModel<'t> {
    fn new(file: &'t TreeFile, dir: &str) -> Option<Self> {
        let path = file.path.strip_prefix(dir)?.trim_start_matches('/');
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
}

fn digest_of_files(files: &[FileModel<'_>]) -> Digest {
    Digest::of_files(
        files
            .iter()
            .map(|file| (file.path, length(file.bytes), file.digest)),
    )
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
    files.sort_by(|(a, ..), (b, ..)| a.as_bytes().cmp(b.as_bytes()));
    Digest::of_files(
        files
            .iter()
            .map(|(path, length, digest)| (path.as_str(), *length, *digest)),
    )
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
