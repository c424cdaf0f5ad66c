//! Reads the skills of a bundle's folder, with the errors of strict reading.
//!
//! Not with the checks of a build, which would compile the compiler into the program: a skill that the next build refuses
//! for another reason, such as a broken link, is used, and `skills.toml` is not read.

use crate::bundle::hot::ReadSkill;
use skills_arguments::SchemaFile;
use skills_format::disk::{Folder, Item};
use skills_format::{
    ARGUMENTS_FILE, Contents, Diagnostic, FileKind, Guide, Limits, Nearby, OpenAiFile, RuleId,
    SKILL_FILE, Severity, SkillFile, SkillFiles, Tree, TreeFile, join, left_out, nfc,
};
use std::io;
use std::path::Path;

/// Lists a bundle without what is never shipped.
struct Shipped;

impl Guide for Shipped {
    fn retain(&mut self, folder: &Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        Nearby.retain(folder, path, in_skill, items);
        if !in_skill {
            return;
        }
        let has = |below: &str| folder.stat(Path::new(below)).is_ok();
        items.retain(|item| {
            let name = item.name.to_string_lossy();
            left_out(&join(path, &name), &|_| false)
                .or_else(|| left_out(&name, &has))
                .is_none()
        });
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        Nearby.is_skill(items)
    }
}

/// Reads the files of the skills in a folder.
pub(crate) fn tree(folder: &Path) -> io::Result<Tree> {
    let contents = Contents::All {
        max: u64::MAX,
        limits: Limits::default(),
    };
    Tree::guided(&Folder::open(folder)?, contents, &mut Shipped)
}

/// Reads the skills of a tree, in order of their names. `shown` is the path of the folder in findings.
///
/// # Errors
///
/// What keeps a skill from being read, in the order of [`Diagnostic::sort`].
pub(crate) fn skills<'t>(
    tree: &'t Tree,
    shown: &str,
) -> Result<Vec<ReadSkill<'t>>, Vec<Diagnostic>> {
    let mut errors: Vec<Diagnostic> = Vec::new();
    let mut skills: Vec<ReadSkill<'t>> = Vec::new();
    let error = |rule, path: &str, message: String| {
        Diagnostic::new(rule, Severity::Error, join(shown, path), message)
    };
    for fault in &tree.faults {
        errors.push(error(
            RuleId::Unreadable,
            &fault.path,
            format!("this cannot be read: {}", fault.message),
        ));
    }
    for files in tree.skills() {
        match read(&files, shown) {
            Ok(skill) => skills.push(skill),
            Err(found) => errors.extend(found),
        }
    }
    skills.sort_by(|a, b| (a.skill.name.as_str(), a.dir).cmp(&(b.skill.name.as_str(), b.dir)));
    for pair in skills.windows(2) {
        if let [first, second] = pair
            && first.skill.name == second.skill.name
        {
            let message = format!(
                "the name `{}` is taken by {}",
                first.skill.name,
                join(shown, first.dir)
            );
            errors.push(error(
                RuleId::DuplicateName,
                &join(second.dir, SKILL_FILE),
                message,
            ));
        }
    }
    if skills.is_empty() && errors.is_empty() {
        errors.push(error(
            RuleId::BundleEmpty,
            "",
            "the folder holds no skill".to_owned(),
        ));
    }
    if errors.is_empty() {
        return Ok(skills);
    }
    Diagnostic::sort(&mut errors);
    Err(errors)
}

fn read<'t>(of: &SkillFiles<'t>, shown: &str) -> Result<ReadSkill<'t>, Vec<Diagnostic>> {
    let (dir, files) = (of.dir, of.files);
    let error = |rule, path: &str, message: &str| {
        Diagnostic::new(rule, Severity::Error, join(shown, path), message)
    };
    if !Limits::default().hold(files) {
        return Err(vec![error(
            RuleId::SkillTooLarge,
            dir,
            "the skill is over the limits, and is not read",
        )]);
    }
    let lacking = files.iter().filter_map(|file| Some((lack(file)?, file)));
    let lacking: Vec<_> = lacking
        .map(|((rule, why), file)| error(rule, &file.path, why))
        .collect();
    if !lacking.is_empty() {
        return Err(lacking);
    }
    let path = join(shown, &of.file.path);
    let folder = path.rsplit('/').nth(1).unwrap_or_default().to_owned();
    let bytes = of.file.bytes.as_deref().unwrap_or_default();
    let file =
        SkillFile::read(path, folder, bytes).with_openai(OpenAiFile::of_tree(shown, dir, files));
    let Some(skill) = file.strict() else {
        let (_, mut found) = file.lenient();
        for found in &mut found {
            found.severity = Severity::Error;
        }
        return Err(found);
    };
    if nfc(skill.name.as_str()) != nfc(&file.folder) {
        let message = format!(
            "the skill is named `{}`, its folder `{}`",
            skill.name, file.folder
        );
        let help = format!("write `{}`, or rename the folder", file.folder);
        let found = error(RuleId::NameMismatch, &of.file.path, &message).help(help);
        let name = file
            .front_matter
            .as_ref()
            .and_then(|node| node.as_ref().ok()?.get("name"));
        return Err(vec![match name {
            Some(name) => found.at(bytes, name.span),
            None => found,
        }]);
    }
    let schema = files
        .iter()
        .find(|file| file.path == join(dir, ARGUMENTS_FILE));
    let schema = schema.map(|file| SchemaFile::read(file.bytes.as_deref().unwrap_or_default()));
    if let Some(fault) = schema.as_ref().and_then(|schema| schema.faults.first()) {
        let path = join(dir, ARGUMENTS_FILE);
        let found = error(fault.rule, &path, &fault.message);
        let bytes = files
            .iter()
            .find(|file| file.path == path)
            .and_then(|file| file.bytes.as_deref());
        return Err(vec![match fault.span.zip(bytes) {
            Some((span, bytes)) => found.at(bytes, span),
            None => found,
        }]);
    }
    let relative = |file: &'t TreeFile| {
        let path = file.path.get(dir.len()..)?.trim_start_matches('/');
        Some((path, file.bytes.as_deref()?))
    };
    Ok(ReadSkill {
        dir,
        schema: schema.map(|file| file.schema.ordered(&skill.fields.arguments)),
        skill,
        files: files.iter().filter_map(relative).collect(),
    })
}

/// Returns the reason why a bundle cannot hold a file.
fn lack(file: &TreeFile) -> Option<(RuleId, &'static str)> {
    match (file.kind, &file.bytes) {
        (FileKind::Link, _) => Some((RuleId::Symlink, "the file is a symbolic link")),
        (FileKind::Other, _) => Some((
            RuleId::Unreadable,
            "this is not a file but a pipe, a socket or a device",
        )),
        _ if !file.utf8 => Some((RuleId::PathForm, "the path is not UTF-8")),
        (_, None) => Some((RuleId::Unreadable, "this cannot be read")),
        _ => None,
    }
}
