//! `cargo skills init`: the files that a crate needs to ship skills.

use crate::commands::install::session::{YesOption, consents};
use crate::commands::new::parent;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, counted};
use clap::Args;
use similar::TextDiff;
use skills_format::disk::read_text;
use skills_format::{Prose, prose};
use std::ffi::OsStr;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use toml::Value;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Init {
    /// Depend on the packages in this checkout of their repository, not on crates.io
    #[arg(long, value_name = "CHECKOUT")]
    path: Option<PathBuf>,
    /// Show the diffs, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    yes: YesOption,
}

const EXAMPLES: &str = "\
Examples:
  cargo skills init          show what would be written, ask, and write it
  cargo skills init --yes    without a question";

const HOST: &str = include_str!("host.txt");
const SKILL: &str = "\
---
name: hello
description: Greets a person. Use when someone says hello.
---

Say hello in one line, with the name of the person if you know it.
";
const BUILD: &str = "\
//! Makes cargo notice a new skill.

fn main() {
    println!(\"cargo::rerun-if-changed=skills\");
}
";
const TEMPLATE_MAIN: &str = "fn main() {\n    println!(\"Hello, world!\");\n}\n";

/// A package, and the files that change.
struct Plan {
    /// The folder of the manifest.
    folder: PathBuf,
    manifest: toml::Table,
    changes: Vec<Change>,
    notes: Vec<Prose>,
}

/// A file that is written.
struct Change {
    path: PathBuf,
    old: Option<String>,
    new: String,
}

impl Init {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let mut plan = Plan::of(cx.env)?;
        plan.dependency(self.path.as_deref(), cx.env)?;
        plan.build_script()?;
        let skill = plan.first_skill();
        let command = plan.host(&skill)?;
        for change in &plan.changes {
            let shown = cx.env.shown(&change.path);
            let old = change.old.as_deref().unwrap_or_default();
            let difference = TextDiff::from_lines(old, &change.new);
            let from = change.old.as_ref().map_or("/dev/null", |_| &*shown);
            cx.foreign(&difference.unified_diff().header(from, &shown).to_string())?;
        }
        for note in &plan.notes {
            cx.note(note.clone());
        }
        if plan.changes.is_empty() {
            cx.note("nothing to do: the crate ships its skills already");
            return Ok(Outcome::Done);
        }
        if self.dry_run {
            return Ok(Outcome::Done);
        }
        let question = format!("Write {}?", counted(plan.changes.len(), "file"));
        if !consents(self.yes.yes, &question, cx)? {
            cx.note("nothing was changed");
            return Ok(Outcome::Findings);
        }
        for change in &plan.changes {
            change.write(cx.env)?;
        }
        cx.note(format!("next: `{command} -- '${skill}'`"));
        Ok(Outcome::Done)
    }
}

impl Plan {
    /// Finds the package of the working folder.
    fn of(env: &Environment) -> Result<Self, Failure> {
        let working_folder = env.working_folder.as_deref();
        let working_folder = working_folder.ok_or_else(Failure::no_working_folder)?;
        for folder in working_folder.ancestors() {
            let path = folder.join("Cargo.toml");
            let Some(text) = text(&path)? else { continue };
            let manifest: toml::Table = text.parse().map_err(|error| {
                Failure::failed(prose!("{}: {error}", &path), "repair the manifest first")
            })?;
            if !manifest.contains_key("package") {
                let fact = prose!("{} is a workspace without a package", &path);
                return Err(Failure::failed(fact, "go to the folder of a member"));
            }
            return Ok(Self {
                folder: folder.to_owned(),
                manifest,
                changes: Vec::new(),
                notes: Vec::new(),
            });
        }
        let fact = "there is no Cargo.toml here or above";
        Err(Failure::failed(fact, "run `cargo init` first"))
    }

    /// Adds the runtime to the dependencies.
    fn dependency(&mut self, checkout: Option<&Path>, env: &Environment) -> Result<(), Failure> {
        let has = |manifest: &toml::Table| {
            let dependencies = manifest.get("dependencies").and_then(Value::as_table);
            dependencies.is_some_and(|it| it.contains_key("skills-runtime"))
        };
        if has(&self.manifest) {
            return Ok(());
        }
        let version = env!("CARGO_PKG_VERSION");
        let line = match checkout {
            None => format!("skills-runtime = \"{version}\"\n"),
            Some(checkout) => {
                let path = env.absolute(checkout).join("skills-runtime");
                if !path.join("Cargo.toml").is_file() {
                    let fact = prose!("{} is not the package skills-runtime", &path);
                    return Err(Failure::failed(fact, "name the folder of the checkout"));
                }
                let path = serde_json::Value::from(path.to_string_lossy().replace('\\', "/"));
                format!("skills-runtime = {{ version = \"{version}\", path = {path} }}\n")
            }
        };
        let path = self.folder.join("Cargo.toml");
        let old = text(&path)?.unwrap_or_default();
        let new = match old.find("\n[dependencies]\n") {
            Some(at) => {
                let (before, after) = old.split_at(at + "\n[dependencies]\n".len());
                format!("{before}{line}{after}")
            }
            None => format!("{}\n\n[dependencies]\n{line}", old.trim_end()),
        };
        // Dotted keys and inline tables have forms that no line can be added to.
        if !new.parse().is_ok_and(|manifest| has(&manifest)) {
            let fact = prose!(
                "{} has its dependencies in a form that is not edited",
                &path
            );
            return Err(Failure::failed(fact, format!("add `{}`", line.trim_end())));
        }
        self.change(path, Some(old), new);
        Ok(())
    }

    /// Makes cargo watch the folder of the skills. A script that names no path runs after every change.
    fn build_script(&mut self) -> Result<(), Failure> {
        let path = match self.manifest["package"].get("build") {
            Some(Value::String(path)) => self.folder.join(path),
            Some(Value::Boolean(false)) => {
                let note = "the package has no build script: cargo notices a new skill only with another change";
                self.notes.push(note.into());
                return Ok(());
            }
            _ => self.folder.join("build.rs"),
        };
        let Some(old) = text(&path)? else {
            self.change(path, None, BUILD.to_owned());
            return Ok(());
        };
        if !old.contains("rerun-if-changed") || old.contains("rerun-if-changed=skills") {
            return Ok(());
        }
        self.notes.push(prose!(
            "add to the main function of {}: `println!(\"cargo::rerun-if-changed=skills\");`",
            &path
        ));
        Ok(())
    }

    /// Returns the name of the first skill.
    fn first_skill(&mut self) -> String {
        let skills = skills_compiler::Folder::read(&self.folder, "skills");
        if let Some(first) = skills.compile().names.first() {
            return first.name.to_string();
        }
        let path = self.folder.join("skills/hello/SKILL.md");
        self.change(path, None, SKILL.to_owned());
        "hello".to_owned()
    }

    /// Writes the program that shows the skills: in the place of cargo's own `main.rs`, else as an example. Returns the
    /// command that runs it.
    fn host(&mut self, skill: &str) -> Result<&'static str, Failure> {
        let host = |run| HOST.replace("RUN", run).replace("NAME", skill);
        let main = self.folder.join("src/main.rs");
        let old = text(&main)?;
        let is_template = old.as_deref() == Some(TEMPLATE_MAIN);
        if is_template
            || old
                .as_ref()
                .is_some_and(|old| old.contains("include_skills!"))
        {
            if is_template {
                self.change(main, old, host("cargo run"));
            }
            return Ok("cargo run");
        }
        let run = "cargo run --example skills";
        let example = self.folder.join("examples/skills.rs");
        if text(&example)?.is_none() {
            self.change(example, None, host(run));
        }
        Ok(run)
    }

    fn change(&mut self, path: PathBuf, old: Option<String>, new: String) {
        self.changes.push(Change { path, old, new });
    }
}

impl Change {
    fn write(&self, env: &Environment) -> Result<(), Failure> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let name = self.path.file_name().unwrap_or(OsStr::new(""));
        let written = parent(folder, env).and_then(|folder| match &self.old {
            Some(_) => folder.replace(name, self.new.as_bytes(), None),
            None => folder.create_new(name)?.write_all(self.new.as_bytes()),
        });
        written.map_err(|error| {
            let fact = prose!("cannot write {}: {error}", &self.path);
            Failure::failed(fact, "what was written before stays")
        })
    }
}

/// Reads a file; `None` if it is missing.
fn text(path: &Path) -> Result<Option<String>, Failure> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::failed(prose!("cannot read {}: {error}", path), "")),
    }
}
