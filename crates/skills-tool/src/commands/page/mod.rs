//! `skills page`: an HTML page about the skills in a folder.

use crate::catalog::clients::tokens;
use crate::commands::check::arguments::Levels;
use crate::commands::check::findings::Findings;
use crate::commands::check::read;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome, write_elsewhere};
use crate::output::{Ctx, counted};
use clap::Args;
use skills_format::text::command::Command;
use skills_format::text::path::PathText as _;
use skills_format::{Severity, command, prose};
use skills_lint::render::quoted;
use skills_repository::page::{Page, Subject, write_page};
use skills_repository::repository::Settings;
use std::io;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PageCommand {
    /// A repository, a folder of skills or a skill
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// The context size in tokens for which the budgets are shown, such as 200k
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    context: Option<u64>,
    /// Write the page to a file. An earlier page is replaced, any other file is an error; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  skills page -o report.html
  skills page --context 200k -o report.html
  skills page .agents/skills -o report.html";

impl PageCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if self.output.is_none() && cx.is_terminal() {
            return Err(Failure::failed(
                "a page is HTML, which a terminal cannot show",
                prose!(
                    "write it to a file: {}",
                    self.command().word("-o").word("report.html")
                ),
            ));
        }
        let mut page = self.of_folder(cx.env)?;
        page.context = self.context;
        page.made = Some(Environment::moment());
        if page.skills().next().is_none() {
            return Err(self.no_skills());
        }
        let html = page.html();
        match self
            .output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
        {
            Some(path) => {
                save(path, &html, cx.env)?;
                cx.note(prose!("{}: {}", path, summary(&page)));
            }
            None => write!(cx, "{html}")?,
        }
        Ok(Outcome::Done)
    }

    /// Returns the command with the arguments that choose the skills.
    fn command(&self) -> Command {
        if self.path == Path::new(".") {
            command("page")
        } else {
            command("page").path(&self.path)
        }
    }

    fn of_folder(&self, env: &Environment) -> Result<Page, Failure> {
        let repository = read::open(&self.path, &Settings::default(), env)?;
        let shown = self.path.shown().into_owned();
        let mut findings = Findings::new(
            (quoted(&shown).into_owned(), String::new()),
            env.working_folder.clone(),
        );
        read::check(&repository, &Levels::default(), env, &mut findings);
        let mut page = Page::new(Subject::Folder(self.name(env)));
        let with_skills = repository.bundles.iter().filter(|bundle| bundle.skills > 0);
        page.bundles = with_skills
            .map(|bundle| repository.page_bundle(bundle))
            .filter(|bundle| !bundle.skills.is_empty())
            .collect();
        page.copies = repository.bundles.iter().map(|bundle| bundle.mirrors).sum();
        page.commit = repository.commit().map(|id| id.chars().take(12).collect());
        findings.keep(repository);
        findings.sort();
        page.notes = findings
            .left_out()
            .iter()
            .map(ToString::to_string)
            .collect();
        page.findings = Some(findings.diagnostics);
        page.arguments = Some(quoted(&shown).into_owned());
        Ok(page)
    }

    /// Returns the folder for the title. The working folder has its name.
    fn name(&self, env: &Environment) -> String {
        let is_here = self.path == Path::new(".");
        let working_folder = env.working_folder.as_ref().filter(|_| is_here);
        let name = working_folder.and_then(|folder| folder.file_name());
        name.map_or_else(
            || self.path.shown().into_owned(),
            |name| Path::new(name).shown().into_owned(),
        )
    }

    fn no_skills(&self) -> Failure {
        Failure::not_so(
            prose!("{} holds no skill", &self.path),
            "a skill is a folder with a file `SKILL.md`: name the folder that holds it",
        )
    }
}

fn save(path: &Path, html: &str, env: &Environment) -> Result<(), Failure> {
    write_page(&env.absolute(path), html).map_err(|error| {
        let help = match error.kind() {
            io::ErrorKind::AlreadyExists => "name another file, or remove that file first",
            _ => write_elsewhere(&error),
        };
        Failure::unwritten(path, &error, help)
    })
}

/// Summarizes a page on one line.
fn summary(page: &Page) -> String {
    let skills = counted(page.skills().count(), "skill");
    let Some(findings) = &page.findings else {
        return skills;
    };
    let count = |severity: Severity| {
        findings
            .iter()
            .filter(|found| found.severity == severity)
            .count()
    };
    let errors = counted(count(Severity::Error), "error");
    let warnings = counted(count(Severity::Warning), "warning");
    format!("{skills}, {errors}, {warnings}")
}
