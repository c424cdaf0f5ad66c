//! Finds and reads the skills of folders. The only part of this crate that walks a disk.

use crate::error::{Error, ErrorKind};
use crate::folder::FolderSkill;
use crate::read::ResourceInfo;
use skills_format::{Diagnostic, Severity, SkillFile};
use std::fs;
use std::path::{Path, PathBuf};

/// Reads the roots of one source, the nearest first.
pub(crate) fn read(roots: &[PathBuf], diagnostics: &mut Vec<Diagnostic>) -> Vec<FolderSkill> {
    let mut skills = Vec::new();
    for root in roots {
        read_folder(root, 0, &mut skills, diagnostics);
    }
    skills.sort_by(|a: &FolderSkill, b| a.name.cmp(&b.name));
    skills
}

fn read_folder(
    dir: &Path,
    depth: usize,
    skills: &mut Vec<FolderSkill>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let file = dir.join("SKILL.md");
    match fs::read(&file) {
        Ok(bytes) => {
            let folder = dir
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let (skill, found) = SkillFile::read(file.to_string_lossy(), folder, &bytes).lenient();
            diagnostics.extend(found);
            skills.extend(
                skill.map(|skill| FolderSkill::new(dir.to_owned(), "SKILL.md".into(), skill)),
            );
        }
        Err(_) if depth < 6 => {
            let Ok(entries) = fs::read_dir(dir) else {
                return;
            };
            let mut folders: Vec<PathBuf> = entries
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| path.is_dir())
                .collect();
            folders.sort();
            for folder in folders {
                read_folder(&folder, depth + 1, skills, diagnostics);
            }
        }
        Err(error) => {
            diagnostics.push(Diagnostic::new(
                "unreadable",
                Severity::Warning,
                file.to_string_lossy(),
                error.to_string(),
            ));
        }
    }
}

/// The body of a skill as it is on disk now.
pub(crate) fn body(skill: &FolderSkill) -> Result<String, Error> {
    let bytes = file(skill, &skill.file_name)?;
    let folder = skill
        .dir
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let now = SkillFile::read(skill.path().to_string_lossy(), folder, &bytes)
        .lenient()
        .0;
    match now {
        Some(now) if now.name.as_str() == skill.name => Ok(now.body),
        _ => Err(Error::new(
            ErrorKind::Changed,
            format_args!(
                "{} is no longer the skill '{}'",
                skill.path().display(),
                skill.name
            ),
        )),
    }
}

/// The files of a skill beside its `SKILL.md`.
pub(crate) fn resources(skill: &FolderSkill) -> Result<Vec<ResourceInfo>, Error> {
    let mut found = Vec::new();
    let mut folders = vec![skill.dir.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)
            .map_err(|e| Error::io(folder.display(), e))?
            .flatten()
        {
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            if metadata.is_dir() {
                folders.push(entry.path());
            } else if metadata.is_file()
                && let Ok(path) = entry.path().strip_prefix(&skill.dir)
            {
                let path = path.to_string_lossy().replace('\\', "/");
                if path != skill.file_name {
                    found.push(ResourceInfo {
                        path,
                        size: metadata.len(),
                    });
                }
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// One file of a skill.
pub(crate) fn file(skill: &FolderSkill, path: &str) -> Result<Vec<u8>, Error> {
    if path.split('/').any(|part| part == "..") || Path::new(path).is_absolute() {
        return Err(Error::new(
            ErrorKind::Escape,
            format_args!("'{path}' leads out of the skill's folder"),
        ));
    }
    fs::read(skill.dir.join(path))
        .map_err(|e| Error::io(format_args!("skill '{}', file '{path}'", skill.name), e))
}
