//! `skills install`: installs skills from a folder, an archive, a repository or a lock.

pub(crate) mod locked;
pub(crate) mod plan;
pub(crate) mod restore;
pub(crate) mod session;
pub(crate) mod target;
pub(crate) mod update;

use crate::commands::install::plan::{Carry, LeftOutSkills, Run, on_conflict};
use crate::commands::install::session::{Allow, AllowOption, Session, YesOption};
use crate::commands::install::target::{Target, TargetOptions, folder_name};
use crate::environment::Environment;
use crate::input::{asked, can_ask};
use crate::outcome::{Failure, Outcome};
use crate::output::{Asker, Ctx, FormatOption, add, counted, one_line};
use clap::Args;
use serde_json::json;
use skills_format::disk::{resolved, resolved_ahead};
use skills_format::text::distance::nearest;
use skills_host::install::{
    Chosen, InstallOptions, Offer, Offered, Origin, Plan, Program, Source, plan_copy,
};
use skills_runtime::Catalog;
use skills_runtime::catalog::Skill;
use std::io::Write as _;

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of the command")]
pub(crate) struct Install {
    /// A folder, an archive or its https URL, a repository as URL[//FOLDER][#REVISION] or owner/repo[/FOLDER][@SKILL],
    /// the page of a folder of a repository, or `bundled`: the skills of this program
    source: Option<String>,
    /// The skills, by name or by their folder in the source; on a terminal, the program asks for them
    names: Vec<String>,
    /// Every skill of the source
    #[arg(long, requires = "source", conflicts_with = "names")]
    all: bool,
    #[command(flatten)]
    target: TargetOptions,
    /// Copy skills from this folder to the folders of --to, replacing versions that differ. SOURCE and NAMES are
    /// then names of skills
    #[arg(long, value_name = "FROM", requires = "source", conflicts_with = "all")]
    from: Option<String>,
    /// Replace an existing skill, which goes to the trash
    #[arg(long, requires = "source")]
    force: bool,
    #[command(flatten)]
    allow: AllowOption,
    /// Install exactly what skills.lock names, and never change the lock; with --dry-run, fail if a skill differs from it.
    /// SOURCE and NAMES are then names of skills
    #[arg(long, conflicts_with_all = ["all", "from", "force"])]
    frozen: bool,
    /// Show the plan without carrying it out. Only an earlier command that was interrupted is completed first
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    yes: YesOption,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  skills install ./my-skills code-review             from a folder
  skills install acme/skills@lint                    from GitHub
  skills install team.skill --to project --yes
  skills install --frozen --yes --to project         in CI, where only skills.lock is committed
  skills install --frozen --dry-run --to project     in CI, where the skills are committed too
  skills install ./my-skill --to claude-code --to codex
  skills install tidy --from claude-code --to user   makes two copies the same
  skills install bundled code-review                 a skill of this program

Exit code: 0 done; 1 a skill was refused, or differs from the lock; 2 wrong usage, an operation \
that failed, or no terminal for the question and no --yes.";

/// The source that is this program.
const BUNDLED: &str = "bundled";
const PROGRAM: Program = Program::new("skills", env!("CARGO_PKG_VERSION"), &bundled_skills::SKILLS);

impl Install {
    pub(crate) fn run(&self, cx: &mut Ctx) -> Result<Outcome, Failure> {
        let session = Session::new(cx.env)?;
        let names: Vec<String> = self.source.iter().chain(&self.names).cloned().collect();
        if self.frozen {
            return self.restore_locked(&names, &session, cx);
        }
        if let Some(from) = &self.from {
            return self.copy(from, &names, &session, cx);
        }
        match &self.source {
            Some(source) => self.install(source, &session, cx),
            None => Err(Failure::failed(
                "no source is named",
                "name a folder, an archive or a repository; --frozen installs what skills.lock names",
            )),
        }
    }

    fn install(&self, source: &str, session: &Session, cx: &mut Ctx) -> Result<Outcome, Failure> {
        // Before the source: a misspelt client must not wait for a fetch.
        let targets = self.target.chosen(cx)?;
        let base = cx.env.working_folder.clone().unwrap_or_default();
        let source = if source == BUNDLED && !base.join(source).exists() {
            Source::whole(Origin::Program(PROGRAM))
        } else {
            Source::parse(source, &base)?
        };
        let names = self.wanted(&source)?;
        let origin = match source.origin {
            Origin::Program(_) => BUNDLED.to_owned(),
            _ => source.origin.to_string(),
        };
        let offer = Offer::fetch(source, session.host());
        session.quiet();
        let offer = offer?;
        let mut left_out = LeftOutSkills::default();
        if names.is_empty() {
            left_out = LeftOutSkills::of(&offer)?;
            left_out.report(cx);
        }
        let Some(chosen) = self.chosen(names, &offer, cx)? else {
            let unsaid = Failure::failed("nothing was installed", "name the skills, or use --all");
            let skills = offer.skills()?;
            let mut document =
                json!({ "source": origin, "skills": skills, "error": unsaid.json() });
            add(&mut document, &left_out);
            cx.report(&document)?;
            return Err(unsaid);
        };
        let carry = Carry {
            left_out: Some(&left_out),
            ..self.carry()
        };
        let mut run = Run::new(&carry, session, cx.env);
        for (options, target) in &targets {
            let plan = self.plan(&offer, &chosen, options, target, cx.env);
            run.folder(plan, cx)?;
        }
        run.finish(cx)
    }

    /// Plans the chosen skills in a folder.
    fn plan(
        &self,
        offer: &Offer<'_>,
        chosen: &Chosen,
        options: &TargetOptions,
        target: &Target,
        env: &Environment,
    ) -> Result<Plan, Failure> {
        let install = InstallOptions {
            on_conflict: on_conflict(false, self.force),
            is_lenient: self.allow.has(Allow::Lenient),
            repository: target.repository.clone(),
        };
        let mut plan = offer.plan(chosen, &target.folder, &install)?;
        let catalog = match options.catalog_of_client() {
            Some(options) => options.load(env)?.catalog,
            None => Catalog::builder().directory("user", &target.folder).load(),
        };
        shadows(&mut plan, &catalog);
        plan.need(|name| catalog.get(name).is_some());
        Ok(plan)
    }

    /// Makes skills of one folder the same in others.
    fn copy(
        &self,
        from: &str,
        names: &[String],
        session: &Session,
        cx: &mut Ctx,
    ) -> Result<Outcome, Failure> {
        let from = self.target.named(from, cx.env)?;
        let names = names.iter();
        let names = names.map(|name| folder_name(name, &from.folder, cx.env));
        let names: Vec<String> = names.collect();
        let carry = Carry {
            differences: true,
            ..self.carry()
        };
        let mut run = Run::new(&carry, session, cx.env);
        let targets = self.target.chosen(cx)?;
        let is_one = targets.len() == 1;
        for (_, to) in targets {
            // `--to all` can name the folder that is read.
            if !is_one && resolved(&from.folder) == resolved_ahead(&to.folder) {
                continue;
            }
            let repository = to.repository.as_deref();
            let plan = plan_copy(&names, &from.folder, &to.folder, repository, session.host());
            run.folder(plan.map_err(Failure::from), cx)?;
        }
        run.finish(cx)
    }

    fn carry(&self) -> Carry<'_> {
        Carry {
            verb: "Install",
            yes: self.yes.yes,
            widens: self.allow.has(Allow::Widening),
            dry_run: self.dry_run,
            ..Carry::default()
        }
    }

    /// Returns the names of the wanted skills: those of the command, and the name after the `@` of the source.
    fn wanted(&self, source: &Source) -> Result<Vec<String>, Failure> {
        let mut names = self.names.clone();
        if let Some(skill) = &source.skill {
            if self.all {
                return Err(Failure::failed(
                    format_args!(
                        "the source names the skill '{skill}', and --all means every skill"
                    ),
                    format_args!("leave out --all, or '@{skill}'"),
                ));
            }
            names.push(skill.clone());
        }
        Ok(names)
    }

    /// Returns the chosen skills. When the command names none, the offered skills are printed and the person
    /// is asked. Returns `None` without a choice.
    fn chosen(
        &self,
        names: Vec<String>,
        offer: &Offer<'_>,
        cx: &mut Ctx,
    ) -> Result<Option<Chosen>, Failure> {
        if !names.is_empty() {
            return Ok(Some(Chosen::Named(names)));
        }
        let skills = offer.skills()?;
        if self.all || skills.len() == 1 {
            return Ok(Some(Chosen::All));
        }
        if let Some(asker) = cx.asker.clone() {
            return Ok(picked(skills, &*asker, cx));
        }
        for (number, skill) in skills.iter().enumerate() {
            let name = cx.strong(one_line(&skill.name));
            let place = match skill.path.as_str() {
                "" => String::new(),
                path if path == skill.name => String::new(),
                path => format!(" ({})", one_line(path)),
            };
            let description = one_line(&skill.description);
            writeln!(cx, "{}  {name}{place}\n    {description}", number + 1)?;
        }
        if !can_ask(cx) {
            return Ok(None);
        }
        loop {
            let question = "Which skills? (numbers, names or beginnings of names, or `all`; an empty line cancels)";
            let answer = asked(question, cx);
            let words: Vec<&str> = answer
                .split([' ', ','])
                .filter(|it| !it.is_empty())
                .collect();
            match words.as_slice() {
                [] => return Ok(None),
                ["all"] => return Ok(Some(Chosen::All)),
                words => match words.iter().map(|word| meant(word, skills)).collect() {
                    Ok(paths) => return Ok(Some(Chosen::Named(paths))),
                    Err(message) => cx.warning(message),
                },
            }
        }
    }
}

/// Returns the name or the folder of the offered skill that a word of the person means: its number, its name or its folder,
/// or the only name that begins with the word.
fn meant(word: &str, skills: &[Offered]) -> Result<String, String> {
    if let Ok(number) = word.parse::<usize>()
        && let Some(skill) = number.checked_sub(1).and_then(|at| skills.get(at))
    {
        return Ok(known(skill, skills));
    }
    if skills.iter().any(|it| it.name == word || it.path == word) {
        return Ok(word.to_owned());
    }
    let begun: Vec<&Offered> = skills
        .iter()
        .filter(|it| it.name.starts_with(word))
        .collect();
    if let [one] = begun.as_slice() {
        return Ok(one.name.clone());
    }
    let word_shown = one_line(word);
    let fact = if begun.is_empty() {
        format!("no skill is called '{word_shown}'")
    } else {
        format!("several skills begin with '{word_shown}'")
    };
    Err(
        match nearest(word, skills.iter().map(|it| it.name.as_str())) {
            Some(near) if begun.is_empty() => format!("{fact}. Did you mean {near}?"),
            _ => fact,
        },
    )
}

/// Returns the name of an offered skill, or the folder of one of two with the same name.
fn known(skill: &Offered, skills: &[Offered]) -> String {
    let twins = skills.iter().filter(|other| other.name == skill.name);
    let is_twice = twins.count() > 1;
    if is_twice { &skill.path } else { &skill.name }.clone()
}

/// Lets the person at a prompt pick one of the offered skills, or all.
fn picked(skills: &[Offered], asker: &dyn Asker, cx: &mut Ctx) -> Option<Chosen> {
    let mut rows = vec![("all".to_owned(), counted(skills.len(), "skill"))];
    let offered = skills.iter();
    rows.extend(offered.map(|skill| (known(skill, skills), skill.description.clone())));
    match asker.choose("Install skill", &rows, cx)? {
        0 => Some(Chosen::All),
        at => Some(Chosen::Named(vec![rows.get(at)?.0.clone()])),
    }
}

/// Records the skills of other folders that have the name of a planned skill.
fn shadows(plan: &mut Plan, catalog: &Catalog) {
    let target = resolved_ahead(&plan.target);
    let is_own = |entry: &Skill| {
        let above = entry.folder().and_then(|folder| folder.parent());
        above.is_some_and(|above| resolved(above) == target)
    };
    plan.shadow(|skill| {
        let others = catalog
            .iter()
            .filter(|entry| entry.name() == skill.name && !is_own(entry));
        others.map(|other| other.to_string()).collect()
    });
}
