//! `skills new`: creates a skill to start from.

use crate::commands::install::target::{TargetOptions, without_parents};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, FormatOption};
use clap::Args;
use serde_json::json;
use skills_format::disk::{self, Refused};
use skills_format::name::in_yaml;
use skills_format::text::path::PathText as _;
use skills_format::{
    Diagnostic, FileKind, Severity, SkillName, Tree, TreeFile, command, join, prose,
};
use skills_host::places::count;
use skills_lint::{Config, check};
use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct New {
    /// The name: lowercase letters, digits, single hyphens
    name: String,
    /// `user` or `project` (the shared folders), a client such as `claude-code`, or a folder [default: the
    /// repository of skills that the working folder is in, else user]
    #[arg(long, value_name = "TO")]
    to: Option<String>,
    /// What the skill does and when to use it
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills new release-checklist                     for you, in every project
  skills new release-checklist --to project        for a project; `skills trust` lets it start
  skills new release-checklist --to ./skills --description 'Prepares a release. Use before tagging.'";

impl New {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let name = SkillName::new(&self.name).map_err(|error| {
            let help = match SkillName::make(&self.name) {
                Some(name) => format!("write `{name}`"),
                None => "write a name such as `release-checklist`".to_owned(),
            };
            Failure::failed(
                format_args!("'{}' is not a valid name of a skill: {error}", self.name),
                help,
            )
        })?;
        if cx.env.working_folder.is_none() {
            return Err(Failure::no_working_folder());
        }
        let parent_folder = self.parent_folder(cx.env)?;
        let folder = parent_folder.join(name.as_str());
        let file = folder.join("SKILL.md");
        let failed = |error: &dyn Display, help: &str| {
            Failure::failed(prose!("cannot create {}: {error}", &folder), help)
        };
        let elsewhere = "name another folder with --to";
        let text = self.text(&name);
        let warnings = checked(&file, &text)?;
        let made = parent(&parent_folder, cx.env)
            .map_err(|error| failed(&error, elsewhere))?
            .make(name.as_str().as_ref(), "SKILL.md".as_ref(), text.as_bytes());
        made.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => failed(
                &"it already exists",
                "choose another name, or remove the existing folder",
            ),
            _ => failed(&error, elsewhere),
        })?;
        let document = json!({
            "name": name.as_str(),
            "path": cx.env.documented(&cx.env.absolute(&folder)),
            "warnings": warnings,
        });
        cx.report(&document)?;
        writeln!(cx, "{}", file.shown())?;
        cx.warnings(&warnings);
        let next = (self.description.as_ref()).map_or("the description and ", |_| "");
        let check = command("check").path(&folder);
        cx.note(prose!("next: write {next}the instructions, then {}; `skills` itself starts a skill of a project only after `skills trust`", check));
        Ok(Outcome::Done)
    }

    /// Returns the folder of skills: by default that of the repository, else the person's own, where a skill needs no
    /// trust.
    fn parent_folder(&self, env: &Environment) -> Result<PathBuf, Failure> {
        if self.to.is_none()
            && let Some(folder) = repository_of_skills(env)
        {
            return Ok(shortened(&folder, env));
        }
        let target = TargetOptions::of_words(self.to.as_deref(), None);
        target.target(env)?;
        // With its links: a link of a project that leads out of it is seen only there.
        let folder = target.with_links(env)?;
        Ok(shortened(&folder, env))
    }

    fn text(&self, name: &SkillName) -> String {
        let words = name.as_str().replace('-', " ");
        let mut chars = words.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        let title: String = first.chain(chars).collect();
        let description = match &self.description {
            Some(description) => description.clone(),
            None => format!("Steps for {words}. Use when asked for {words}."),
        };
        // JSON is YAML.
        let (name, description) = (in_yaml(name.as_str()), json!(description));
        format!(
            "---\nname: {name}\ndescription: {description}\n---\n\n# {title}\n\n\
             First say what the result is and how to see that it is right.\n\n\
             1. Write one step a line, in order.\n\
             2. Say what to look at, what to run, and what to do when it fails.\n\
             3. Put long passages into files under `references` and link them here.\n"
        )
    }
}

/// Returns the nearest folder with skills, from the working folder up to the root of its repository.
fn repository_of_skills(env: &Environment) -> Option<PathBuf> {
    let folder = env.working_folder.as_deref()?;
    let root = env.repository(folder)?;
    let above = folder
        .ancestors()
        .take_while(|above| above.starts_with(&root));
    let mut folders = above.flat_map(|above| [above.to_owned(), above.join("skills")]);
    folders.find(|folder| count(folder).is_ok_and(|skills| skills > 0))
}

/// Makes a path relative to the working folder, if it is below.
fn shortened(path: &Path, env: &Environment) -> PathBuf {
    let folder = env.working_folder.as_deref();
    let below = folder.and_then(|folder| path.strip_prefix(folder).ok());
    below.unwrap_or(path).to_owned()
}

/// Opens the folder of skills, and creates missing folders. Inside a project, no link may lead out of the
/// project: a cloned repository must not choose where a person writes.
pub(crate) fn parent(folder: &Path, env: &Environment) -> io::Result<disk::Folder> {
    let folder = without_parents(env.absolute(folder));
    let project = env.bases().project;
    let inside = project
        .last()
        .and_then(|root| Some((root, folder.strip_prefix(root).ok()?)));
    let Some((root, below)) = inside else {
        fs::create_dir_all(&folder)?;
        return disk::Folder::open(&folder);
    };
    // Each step starts at the open root: a link that replaces a folder meanwhile cannot lead out of the
    // project.
    let root = disk::Folder::open(root)?;
    let mut path = PathBuf::new();
    for part in below {
        let above = root.folder_within(&path)?;
        path.push(part);
        if let Err(Refused::Io(error)) = root.folder_within(&path)
            && error.kind() == ErrorKind::NotFound
        {
            above.create_folder(part)?;
        }
    }
    Ok(root.folder_within(&path)?)
}

/// Checks a skill before the skill is written. Returns the warnings; an error is a failure.
fn checked(file: &Path, text: &str) -> Result<Vec<Diagnostic>, Failure> {
    let name = file.parent().and_then(Path::file_name).unwrap_or_default();
    let mut tree = Tree::default();
    tree.files.push(TreeFile {
        path: join(&name.to_string_lossy(), "SKILL.md"),
        utf8: true,
        kind: FileKind::Regular,
        size: text.len() as u64,
        bytes: Some(text.as_bytes().to_vec()),
    });
    let root = file.ancestors().nth(2).unwrap_or(Path::new(""));
    let diagnostics = check(&root.shown(), &tree, &Config::default()).diagnostics;
    match diagnostics
        .iter()
        .find(|reported| reported.severity == Severity::Error)
    {
        Some(error) => Err(Failure::failed(
            prose!(
                "'{}' would not pass `skills check`: {}",
                name.to_string_lossy(),
                &error.message
            ),
            &error.help,
        )),
        None => Ok(diagnostics),
    }
}
