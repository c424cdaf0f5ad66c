//! Opening the paths of a check, and checking their bundles.

use crate::commands::check::arguments::Check;
use crate::commands::check::findings::Findings;
use crate::commands::check::levels::Levels;
use crate::commands::check::named::{bundled, near};
use crate::commands::check::write;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::output::Ctx;
use similar::TextDiff;
use skills_format::disk::read_text;
use skills_format::text::path::PathText as _;
use skills_format::{Prose, command, prose};
use skills_lint::render::masked;
use skills_lint::{Config, FixLevel};
use skills_repository::repository::{Bundle, NotASkill, Repository, Settings, Start};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

impl Check {
    /// Returns the folders to walk, and whether a `SKILL.md` is read from standard input.
    pub(super) fn starts(&self, env: &Environment) -> Result<(Vec<Start>, bool), Failure> {
        let mut starts: Vec<Start> = Vec::new();
        let mut is_input = false;
        for path in self.paths(env) {
            if path == Path::new("-") {
                is_input = true;
                continue;
            }
            let start = start(&path, env)?;
            let linked = start.linked();
            add(&mut starts, start);
            for (_, target) in linked {
                let folder = env.working_folder.as_deref();
                let below = folder.and_then(|folder| target.strip_prefix(folder).ok());
                add(&mut starts, self::start(below.unwrap_or(&target), env)?);
            }
        }
        Ok((starts, is_input))
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
        let failures = write::write(&repository.folder, &shown, &before, &after, &fixed.changed);
        let is_written = |path: &String| !failures.iter().any(|(failed, _)| failed == path);
        for (path, count) in fixed.changed.iter().zip(&fixed.counts) {
            if is_written(path) {
                let shown = repository.shown(path);
                findings.written.push((shown, *count));
            }
        }
        if failures.is_empty() {
            findings.count_fixes(fixed.applied, fixed.changed.len());
        } else {
            // Fixes in unwritten files do not count, so the findings that remain are subtracted.
            let written = fixed.changed.len() - failures.len();
            let left = repository.check(bundle).diagnostics.len();
            let before = fixed.applied + fixed.diagnostics.len();
            findings.count_fixes(before.saturating_sub(left), written);
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

    /// Checks a `SKILL.md` from standard input.
    pub(super) fn check_input(
        &self,
        settings: &Settings,
        env: &Environment,
        findings: &mut Findings,
    ) -> Result<(), Failure> {
        let mut text = Vec::new();
        // One byte more than the maximum shows that the text is too long.
        io::stdin()
            .take(skills_lint::MAX_FILE + 1)
            .read_to_end(&mut text)
            .map_err(|error| {
                Failure::failed(
                    format_args!("cannot read standard input: {error}"),
                    "pipe a SKILL.md into it",
                )
            })?;
        let path = self.stdin_path.as_deref();
        // The text of an existing file is checked in the file's repository, with its configuration.
        if let Some(path) = path.filter(|path| env.absolute(path).is_file()) {
            let repository = open(path, settings, env)?;
            for bundle in &repository.bundles {
                let found = repository.check_text(bundle, &text);
                findings.add(bundle, found.diagnostics, found.suppressed);
            }
            findings.keep(repository);
            return Ok(());
        }
        let shown = path.unwrap_or(Path::new("SKILL.md"));
        let found = skills_repository::repository::check_text(shown, &text, settings);
        findings.keep_input(shown.to_string_lossy().replace('\\', "/"), text);
        findings.bundles.push(skills_lint::render::BundleTotals {
            name: "-".to_owned(),
            path: "-".to_owned(),
            skills: 1,
            mirrors: 0,
        });
        findings.diagnostics.extend(found.diagnostics);
        findings.suppressed.extend(found.suppressed);
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
    levels: &Levels,
    env: &Environment,
    findings: &mut Findings,
) {
    let levels = levels.rules().unwrap_or_default();
    let base = env.absolute(Path::new(""));
    let checked = skills_repository::check::check(repository, &levels, &base);
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
    let metadata = std::fs::metadata(&on_disk).map_err(|error| {
        if let Some(name) = bundled(path, env) {
            return Failure::not_so(
                format_args!("the skill '{name}' is in the program, and has no folder to check"),
                prose!(
                    "it was checked when the program was built; {} shows it",
                    command("show").word(&name)
                ),
            );
        }
        match near(path, env) {
            Some(near) => Failure::failed(prose!("cannot check {}: {error}", path), near),
            None => cannot(path, &error),
        }
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

/// Reads the file of `--config`.
pub(super) fn config(path: &Path, env: &Environment) -> Result<(Config, String), Failure> {
    let shown = path.shown().into_owned();
    let cannot =
        |fact: Prose| Failure::failed(fact, "name a file as docs/configuration.md describes it");
    let text = read_text(&env.absolute(path))
        .map_err(|error| cannot(prose!("cannot read {}: {error}", path)))?;
    let (config, faults) = Config::parse(&shown, &text);
    match faults.first() {
        Some(fault) => {
            let start = fault.start;
            Err(cannot(prose!("{}:{start}: {}", path, &fault.message)))
        }
        None => Ok((config, shown)),
    }
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
