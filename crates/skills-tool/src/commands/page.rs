//! `skills page`: an HTML page about the skills in a folder.

use crate::catalog::options::tokens;
use crate::commands::check::findings::Findings;
use crate::commands::check::read;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::Ctx;
use clap::Args;
use skills_format::prose;
use skills_format::text::path::PathText as _;
use skills_lint::render::quoted;
use skills_repository::page::{Page, Subject};
use skills_repository::repository::Settings;
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  skills page > report.html\n  skills page .agents/skills --context 200k > report.html"
)]
pub(crate) struct PageCommand {
    /// A repository, a folder of skills or a skill
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// The context size in tokens for which the budgets are shown, such as 200k
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    context: Option<u64>,
}

impl PageCommand {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        if cx.terminal {
            return Err(Failure::failed(
                "a page is HTML, which a terminal cannot show",
                "write it to a file: `skills page > report.html`",
            ));
        }
        let repository = read::open(&self.path, &Settings::default(), cx.env)?;
        let mut findings = Findings::new(cx.env.working_folder.clone());
        read::check(&repository, &[], cx.env, &mut findings);
        let mut page = Page::new(Subject::Folder(self.name(cx.env)));
        page.context = self.context;
        page.made = Some(Environment::moment());
        let with_skills = repository.bundles.iter().filter(|bundle| bundle.skills > 0);
        page.bundles = with_skills
            .map(|bundle| repository.page_bundle(bundle))
            .filter(|bundle| !bundle.skills.is_empty())
            .collect();
        if page.skills().next().is_none() {
            return Err(Failure::not_so(
                prose!("{} contains no skills", &self.path),
                "a skill is a folder with a file `SKILL.md`: name the folder that holds it",
            ));
        }
        page.copies = repository.bundles.iter().map(|bundle| bundle.mirrors).sum();
        page.commit = repository.commit().map(|id| id.chars().take(12).collect());
        findings.keep(repository);
        findings.sort();
        page.notes = findings.left_out();
        page.findings = Some(findings.diagnostics);
        page.arguments = Some(quoted(&self.path.shown()).into_owned());
        write!(cx, "{}", page.html())?;
        Ok(Outcome::Done)
    }

    /// Returns the folder for the title. The working folder has its name.
    fn name(&self, env: &Environment) -> String {
        let is_here = self.path == Path::new(".");
        let folder = env.working_folder.as_deref().filter(|_| is_here);
        let name = folder.and_then(Path::file_name).map(Path::new);
        name.unwrap_or(&self.path).shown().into_owned()
    }
}
