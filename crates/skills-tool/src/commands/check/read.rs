//! The options of a check: opening its paths, checking their bundles, and writing fixes.

use crate::catalog::find::{self, did_you_mean, rule_help};
use crate::catalog::options::{CatalogOptions, names_of};
use crate::commands::check::findings::{CheckFormat, Findings};
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::Ctx;
use clap::builder::TypedValueParser;
use clap::{ArgGroup, Args};
use similar::TextDiff;
use skills_clients::client;
use skills_format::disk::{Folder, read_regular};
use skills_format::{Diagnostic, RuleId, SkillName, Tree, join, prose};
use skills_lint::render::masked;
use skills_lint::{ALL_CLIENTS, Config, FixLevel, Level, MAX_FILE};
use skills_repository::repository::{Bundle, NotASkill, Repository, Settings, Start};
use std::io;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("fixes").multiple(true))]
pub(crate) struct Check {
    /// Repositories, folders of skills, skills (also by name) or files of skills. Default: the working folder
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) format: CheckFormat,
    /// Fix what can be fixed without changing the meaning
    #[arg(long, group = "fixes")]
    pub(super) fix: bool,
    /// With --fix or --diff: also apply fixes that are guesses (a name, a path, a misspelt key)
    #[arg(long, requires = "fixes")]
    pub(super) r#unsafe: bool,
    /// Show what --fix would write, and write nothing
    #[arg(long, group = "fixes", conflicts_with = "format")]
    pub(super) diff: bool,
    #[command(flatten)]
    pub(super) levels: Levels,
    /// Check the skills for these clients, separated by commas. Repeatable; `all` means every client, `default` the
    /// specification
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = checked())]
    pub(super) client: Vec<String>,
    /// Report only findings that this file does not list. If the file is missing, write the present findings to it
    #[arg(long, value_name = "FILE", conflicts_with = "diff")]
    pub(super) baseline: Option<PathBuf>,
}

/// Parses the name of a client whose behaviour is known, or `all`.
fn checked() -> impl TypedValueParser<Value = String> {
    let clients = skills_clients::check::clients().iter();
    // Without facts the check would be silent, as if nothing were wrong.
    let clients = clients.filter(|client| !client.facts.is_empty());
    let names = clients.map(|client| client.name).chain([ALL_CLIENTS]);
    names_of(names).map(|name| client::named(&name).map_or(name, |client| client.name.clone()))
}

const EXAMPLES: &str = "\
Examples:
  skills check                                     every skill below the working folder
  skills check --fix skills
  skills check --select link-broken skills         one rule alone
  skills check --client codex,claude-code skills
  skills check --deny warnings --format github     in CI
  skills check --baseline known.json               new findings only

The nearest `skills.toml`, from a skill's folder up to the root of the repository, sets the levels of its rules. \
These options override it.";

/// The options that set the levels of rules.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Levels {
    /// Report findings of these rules as errors, separated by commas; `warnings` is every warning
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    deny: Vec<String>,
    /// Do not report findings of these rules, even if --deny names them
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    allow: Vec<String>,
    /// Report and fix only the findings of these rules, at their current levels
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    select: Vec<String>,
}

/// The word for every warning.
const WARNINGS: &str = "warnings";

impl Levels {
    /// Returns the levels of rules. An unknown rule is a failure.
    pub(crate) fn rules(&self) -> Result<Vec<(String, Level)>, Failure> {
        let known = |option, given: &[String]| {
            let mut rules = Vec::new();
            // `a, b,` is accepted.
            for rule in given.iter().map(|rule| rule.trim()) {
                if rule.is_empty() || option == "deny" && rule == WARNINGS {
                    continue;
                }
                Config::default()
                    .set(rule, Level::Deny)
                    .map_err(|unknown| {
                        let fact = format!("--{option}: no rule is named '{rule}'");
                        Failure::failed(fact, rule_help(&unknown))
                    })?;
                rules.push(rule.to_owned());
            }
            Ok::<_, Failure>(rules)
        };
        let deny = known("deny", &self.deny)?;
        let mut allow = known("allow", &self.allow)?;
        let select = known("select", &self.select)?;
        if !select.is_empty() {
            let all = RuleId::RULES.iter().map(|rule| rule.as_str());
            let others = all.filter(|rule| !select.iter().any(|one| one == rule));
            allow.extend(others.map(str::to_owned));
        }
        let deny = deny.into_iter().map(|rule| (rule, Level::Deny));
        let allow = allow.into_iter().map(|rule| (rule, Level::Allow));
        Ok(deny.chain(allow).collect())
    }

    /// Returns whether warnings count as errors.
    pub(crate) fn has_strict_warnings(&self) -> bool {
        self.deny.iter().any(|rule| rule.trim() == WARNINGS)
    }
}

impl Check {
    /// Returns the folders to walk.
    pub(super) fn starts(&self, env: &Environment) -> Result<Vec<Start>, Failure> {
        let mut starts: Vec<Start> = Vec::new();
        let here = [PathBuf::from(".")];
        let paths = if self.paths.is_empty() {
            &here[..]
        } else {
            &self.paths
        };
        for path in paths {
            let start = start(&named(path.clone(), env), env)?;
            let linked = start.linked();
            add(&mut starts, start);
            for (_, target) in linked {
                let folder = env.working_folder.as_deref();
                let below = folder.and_then(|folder| target.strip_prefix(folder).ok());
                add(&mut starts, self::start(below.unwrap_or(&target), env)?);
            }
        }
        Ok(starts)
    }

    /// Fixes a bundle. Returns the fixes that could not be written.
    pub(super) fn fix(
        &self,
        repository: &Repository,
        bundle: &Bundle,
        findings: &mut Findings,
    ) -> Vec<Failure> {
        let before = repository.read(bundle);
        let mut after = before.clone();
        let fixed = repository.fix(bundle, &mut after, self.fix_level());
        let shown = repository.shown("");
        let failures = write(&repository.folder, &shown, &before, &after, &fixed.changed);
        let is_written = |path: &String| !failures.iter().any(|(failed, _)| failed == path);
        for (path, count) in fixed.changed.iter().zip(&fixed.counts) {
            if is_written(path) {
                let shown = repository.shown(path);
                findings.written.push((shown, *count));
            }
        }
        failures.into_iter().map(|(_, failure)| failure).collect()
    }

    fn fix_level(&self) -> FixLevel {
        if self.r#unsafe {
            FixLevel::All
        } else {
            FixLevel::Safe
        }
    }

    /// Prints the difference that a fix would make.
    pub(super) fn show_fixes(&self, repository: &Repository, cx: &mut Ctx) -> Result<(), Failure> {
        for bundle in &repository.bundles {
            let before = repository.read(bundle);
            let mut after = before.clone();
            let fixed = repository.fix(bundle, &mut after, self.fix_level());
            for path in &fixed.changed {
                let text = |tree: &skills_format::Tree| {
                    let bytes = tree.get(path)?.bytes.clone()?;
                    String::from_utf8(bytes).ok()
                };
                let Some(new) = text(&after) else { continue };
                // A fix can create a file.
                let old = text(&before).unwrap_or_default();
                let shown = repository.shown(path);
                let diff = TextDiff::from_lines(&old, &new);
                let text = diff.unified_diff().header(&shown, &shown).to_string();
                cx.foreign(&masked(&text))?;
            }
        }
        Ok(())
    }
}

fn add(starts: &mut Vec<Start>, start: Start) {
    // A start inside another start would report its findings twice.
    if starts.iter().any(|known| known.holds(&start)) {
        return;
    }
    starts.retain(|known| !start.holds(known));
    let known = starts
        .iter_mut()
        .find(|known| known.on_disk == start.on_disk);
    match known {
        Some(known) => known.join(start),
        None => starts.push(start),
    }
}

/// Checks the bundles of a repository, its seals and its locks.
pub(crate) fn check(
    repository: &Repository,
    levels: &[(String, Level)],
    env: &Environment,
    findings: &mut Findings,
) {
    let base = env.absolute(Path::new(""));
    let checked = skills_repository::check::check(repository, levels, &base);
    for (bundle, found) in repository.bundles.iter().zip(checked.bundles) {
        findings.add(bundle, found.diagnostics, found.suppressed);
        let not_shipped = bundle.not_shipped();
        let not_shipped = not_shipped.iter().map(|path| repository.shown(path));
        findings
            .not_shipped
            .extend(not_shipped.filter(|path| !bundle.config.includes_shown(path)));
    }
    findings.diagnostics.extend(checked.others);
}

/// Opens the repository that a path is in.
pub(crate) fn open(
    path: &Path,
    settings: &Settings,
    env: &Environment,
) -> Result<Repository, Failure> {
    Repository::open(start(path, env)?, settings).map_err(|error| cannot(path, &error))
}

fn start(path: &Path, env: &Environment) -> Result<Start, Failure> {
    let on_disk = env.absolute(path);
    let metadata = std::fs::metadata(&on_disk).map_err(|error| match near(path, env) {
        Some(near) => Failure::failed(prose!("cannot check {}: {error}", path), near),
        None => cannot(path, &error),
    })?;
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(Failure::failed(
            prose!(
                "cannot check {}: this is not a file but a pipe, a socket or a device",
                path
            ),
            "name a folder of skills, or a file below a folder with a SKILL.md",
        ));
    }
    Start::new(path, env.working_folder.as_deref()).map_err(|NotASkill::File| {
        Failure::failed(
            prose!("cannot check {}: it is not a file of a skill", path),
            "name a folder of skills, or a file below a folder with a SKILL.md",
        )
    })
}

pub(super) fn cannot(path: &Path, error: &io::Error) -> Failure {
    let help = match error.kind() {
        ErrorKind::PermissionDenied => "change its permissions",
        // A file of the folder, which the error names.
        ErrorKind::InvalidData => "correct the file that is named",
        _ => "name a folder of skills, the folder of one skill, or a skill that `list` shows",
    };
    if path.as_os_str().is_empty() {
        return Failure::failed(
            format_args!("cannot check the working folder: {error}"),
            "change to a folder that exists",
        );
    }
    Failure::failed(prose!("cannot check {}: {error}", path), help)
}

/// Writes the `changed` files of a tree. Returns a failure for each file that could not be written, with the path.
/// `before` is the tree as read from the folder, and `shown` is the printed path of the folder.
pub(crate) fn write(
    folder: &Folder,
    shown: &str,
    before: &Tree,
    after: &Tree,
    changed: &[String],
) -> Vec<(String, Failure)> {
    let mut failures = Vec::new();
    for path in changed {
        let Some(new) = bytes(after, path) else {
            continue;
        };
        let written = match bytes(before, path) {
            Some(old) => replace(folder, Path::new(path), old, new),
            None => create(folder, Path::new(path), new),
        };
        if let Err(error) = written {
            let failure = Failure::failed(
                format_args!("cannot fix {}: {error}", join(shown, path)),
                "fix the cause and run the command again",
            );
            failures.push((path.clone(), failure));
        }
    }
    failures
}

fn bytes<'t>(tree: &'t Tree, path: &str) -> Option<&'t [u8]> {
    tree.get(path)?.bytes.as_deref()
}

/// Compares and writes in one open folder, so that no link leads elsewhere.
fn replace(root: &Folder, path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = root.folder_below(path.parent().unwrap_or(Path::new("")))?;
    let file = folder.child_file(name)?;
    let length = u64::try_from(old.len()).unwrap_or(u64::MAX);
    // An editor may have saved the file since the check read it.
    if !read_regular(&file, length).is_ok_and(|now| now == old) {
        return Err(io::Error::other("it was changed meanwhile"));
    }
    let metadata = file.metadata()?;
    let permissions = metadata.permissions();
    // A rename would replace the file all the same: it asks for the rights of the folder alone.
    if permissions.readonly() {
        return Err(io::Error::other("the file is read-only"));
    }
    // Windows does not replace an open file.
    drop(file);
    folder.replace(name, new, Some(permissions))
}

/// Creates a file, and the folder of the file if it is missing. An existing file is not replaced: the check did not
/// read it.
fn create(root: &Folder, path: &Path, new: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let parent = path.parent().unwrap_or(Path::new(""));
    match root.folder_below(parent) {
        Ok(folder) => folder.create_new(name)?.write_all(new),
        Err(error) => {
            let error = io::Error::from(error);
            let (above, folder) = (parent.parent(), parent.file_name());
            let (Some(above), Some(folder)) = (above, folder) else {
                return Err(error);
            };
            if error.kind() != io::ErrorKind::NotFound {
                return Err(error);
            }
            root.folder_below(above)?.make(folder, name, new)
        }
    }
}

// GitHub and the readers of SARIF know a file by its path in the repository, and a baseline must say the same in every
// working folder. What a person reads has paths from the working folder.

impl Findings {
    /// Returns the root of the git repository that is checked. Returns `None` outside of a repository, and if several are
    /// checked: two files would have one path.
    pub(super) fn root(&self) -> Option<&Path> {
        let mut roots = self.repositories.iter().map(Repository::root);
        let first = roots.next()??;
        roots.all(|root| root == Some(first)).then_some(first)
    }

    /// Returns the path from the root of the repository of a printed path. Returns `None` where no
    /// [`root`](Findings::root) is known.
    pub(super) fn rooted_path(&self, shown: &str) -> Option<String> {
        self.root()?;
        let folder = self.working_folder.as_deref();
        let mut repositories = self.repositories.iter();
        repositories.find_map(|repository| repository.rooted_path(shown, folder))
    }

    /// Returns findings with paths from the root of the repository.
    pub(super) fn rooted(&self, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
        let from_root = |shown: &str| self.rooted_path(shown).unwrap_or_else(|| shown.to_owned());
        let rooted = |diagnostic: &Diagnostic| {
            let mut diagnostic = diagnostic.clone();
            diagnostic.path = from_root(&diagnostic.path);
            diagnostic.message = diagnostic.message.with_paths(from_root).into();
            diagnostic.help = diagnostic.help.with_paths(from_root).into();
            diagnostic
        };
        diagnostics.iter().map(rooted).collect()
    }

    /// Reads the present file of a finding of [`rooted`](Findings::rooted).
    pub(super) fn rooted_source(&self, path: &str) -> Option<Vec<u8>> {
        let repositories = self.root().map_or(&[][..], |_| &self.repositories);
        let below = repositories.iter().find_map(|repository| {
            let inside = repository.unrooted(path)?;
            let file = repository.folder.file_below(Path::new(&inside)).ok()?;
            read_regular(&file, MAX_FILE).ok()
        });
        below.or_else(|| self.source(path))
    }
}

/// Returns the folder of the skill that a word names, if nothing lies at that path: a path is what it says.
pub(crate) fn named(path: PathBuf, env: &Environment) -> PathBuf {
    if env.absolute(&path).symlink_metadata().is_ok() {
        return path;
    }
    let folder = path.to_str().and_then(|word| find::folder(word, env));
    let folder = folder.map(|folder| {
        let working = env.working_folder.as_deref().unwrap_or(Path::new(""));
        let below = folder.strip_prefix(working).map(ToOwned::to_owned);
        below.unwrap_or(folder)
    });
    folder.unwrap_or(path)
}

/// Returns a question with the nearest name of a skill.
fn near(path: &Path, env: &Environment) -> Option<String> {
    let name = path.to_str().filter(|name| SkillName::new(name).is_ok())?;
    let loaded = CatalogOptions::default().load_untrusted(env).ok()?;
    did_you_mean(name, loaded.catalog.iter().map(|entry| entry.name()))
}
