//! The conflicts of a merge: answered by options, asked file by file, or written into a copy.

use crate::commands::install::session::{Session, failure};
use crate::environment::Environment;
use crate::input::{asked, can_ask};
use crate::outcome::Failure;
use crate::output::{Format, Output, one_line};
use clap::Args;
use skills_format::prose;
use skills_format::text::command::Command;
use skills_host::install::{
    Answer, Answers, Conflict, Plan, PlannedSkill, Remedy, edit, write_merge_copy,
};
use std::collections::BTreeSet;
use std::io::Write as _;

/// The most lines of a conflict that are shown with the question.
const MOST_LINES: usize = 60;

/// The answers to the conflicts of a merge, as options.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ConflictOptions {
    /// Merge, and keep the local version of a file in conflict; PATH is relative to the skill
    #[arg(long, value_name = "PATH", conflicts_with = "force")]
    ours: Vec<String>,
    /// Merge, and take the source's version of a file in conflict
    #[arg(long, value_name = "PATH", conflicts_with = "force")]
    theirs: Vec<String>,
    /// Merge, and write conflict markers into a copy, which --continue takes
    #[arg(long, conflicts_with = "force")]
    markers: bool,
}

/// The parts of a command that settle the conflicts of its plan.
pub(crate) struct Conflicts<'c> {
    pub(crate) format: Format,
    /// True if the person may be asked.
    pub(crate) asks: bool,
    /// True if nothing is written.
    pub(crate) dry_run: bool,
    /// Returns the command that merges one skill again.
    pub(crate) again: &'c dyn Fn(&str) -> Command,
    /// Returns the command that takes the copy of a skill.
    pub(crate) take: &'c dyn Fn(&str) -> Command,
    pub(crate) session: &'c Session,
    pub(crate) environment: &'c Environment,
}

impl ConflictOptions {
    /// Returns whether an option asks for a merge.
    pub(crate) fn merge(&self) -> bool {
        self.markers || !self.ours.is_empty() || !self.theirs.is_empty()
    }

    /// Adds these options to a command.
    pub(crate) fn of(&self, command: Command) -> Command {
        let all = [("--ours", &self.ours), ("--theirs", &self.theirs)];
        let command = all.into_iter().fold(command, |command, (option, paths)| {
            let paths = paths.iter();
            paths.fold(command, |command, path| command.word(option).word(path))
        });
        if self.markers {
            command.word("--markers")
        } else {
            command
        }
    }

    /// Returns whether the conflicts are written into a copy.
    pub(crate) fn is_marked(&self) -> bool {
        self.markers
    }

    /// Settles the conflicts of a plan, as far as they have an answer.
    pub(crate) fn settle(
        &self,
        plan: &mut Plan,
        command: &Conflicts<'_>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let skills: Vec<PlannedSkill> = plan.conflicted().cloned().collect();
        let may_ask =
            command.asks && !command.dry_run && !self.markers && command.format == Format::Text;
        for skill in skills {
            let mut answers = self.answers(&skill);
            if may_ask && can_ask(output) {
                command.session.quiet();
                command.ask(&skill, &mut answers, output)?;
            }
            if !answers.is_empty() {
                let answered = plan.answer(&skill.name, &answers);
                answered.map_err(|error| failure(&error))?;
            }
            if plan.conflicted().any(|left| left.name == skill.name) {
                self.leave(plan, &skill.name, &answers, command, output)?;
            }
        }
        Ok(())
    }

    /// Returns the answers that the options give for a skill.
    fn answers(&self, skill: &PlannedSkill) -> Answers {
        let answer = |conflict: &Conflict| {
            let is_named = |paths: &[String]| paths.iter().any(|path| names(path, skill, conflict));
            let answer = match (is_named(&self.ours), is_named(&self.theirs)) {
                (true, _) => Answer::Ours,
                (_, true) => Answer::Theirs,
                _ => return None,
            };
            Some((conflict.path.clone(), answer))
        };
        skill.conflicts.iter().filter_map(answer).collect()
    }

    /// Fails for a path that is in conflict in no folder, and for a path with two answers.
    pub(crate) fn check(&self, plans: &[Plan]) -> Result<(), Failure> {
        let skills: Vec<&PlannedSkill> = plans.iter().flat_map(Plan::conflicted).collect();
        let conflicts = || {
            skills.iter().flat_map(|skill| {
                let conflicts = skill.conflicts.iter();
                conflicts.map(move |conflict| (*skill, conflict))
            })
        };
        for path in self.ours.iter().chain(&self.theirs) {
            if conflicts().any(|(skill, conflict)| names(path, skill, conflict)) {
                continue;
            }
            let all: BTreeSet<String> = conflicts()
                .map(|(skill, conflict)| format!("{}/{}", skill.name, conflict.path))
                .collect();
            let all: Vec<String> = all.into_iter().collect();
            let help = if all.is_empty() {
                "no file is in conflict: leave the option out".to_owned()
            } else {
                format!("in conflict: {}", one_line(&all.join(", ")))
            };
            let fact = format!("{} is not in conflict", one_line(path));
            return Err(Failure::not_so(fact, help));
        }
        match self.ours.iter().find(|path| self.theirs.contains(path)) {
            Some(path) => Err(Failure::failed(
                format_args!("{} has two answers", one_line(path)),
                "name it with --ours or with --theirs",
            )),
            None => Ok(()),
        }
    }

    /// Says what follows for a skill with conflicts left, and writes its copy if the options ask for one.
    fn leave(
        &self,
        plan: &mut Plan,
        name: &str,
        answers: &Answers,
        command: &Conflicts<'_>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let help = if self.markers && !command.dry_run {
            let host = command.session.host();
            let copy = write_merge_copy(plan, name, answers, host);
            let copy = copy.map_err(|error| failure(&error))?;
            let folder = command.environment.shown(&copy.folder);
            if let Some(aside) = &copy.aside {
                output.note(format!(
                    "{} was changed since the earlier merge: its edited copy is kept in {}",
                    one_line(name),
                    one_line(&command.environment.shown(aside))
                ));
            }
            prose!(
                "edit the conflicts in {}, then run {}",
                &folder,
                (command.take)(name)
            )
        } else if !plan
            .skills
            .iter()
            .any(|it| it.name == name && it.remedy == Some(Remedy::Answer))
        {
            "--ours PATH or --theirs PATH takes one version of a file; --force moves the existing skill to the trash".into()
        } else {
            let again = (command.again)(name);
            prose!(
                "{} writes the conflicts into a copy; --ours PATH or --theirs PATH takes one version of a file; --force moves the existing skill to the trash",
                again.word("--markers")
            )
        };
        for skill in &mut plan.skills {
            if skill.name == name {
                skill.help = Some(help.clone());
            }
        }
        Ok(())
    }
}

/// Returns whether an option's path means a file in conflict: `PATH`, or `SKILL/PATH`.
fn names(path: &str, skill: &PlannedSkill, conflict: &Conflict) -> bool {
    let below = path.strip_prefix(&skill.name);
    let below = below.and_then(|path| path.strip_prefix('/'));
    path == conflict.path || below == Some(&conflict.path)
}

impl Conflicts<'_> {
    /// Asks for each file without an answer. `leave` ends the questions of the skill, without an answer.
    fn ask(
        &self,
        skill: &PlannedSkill,
        answers: &mut Answers,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let mut given = answers.clone();
        for conflict in &skill.conflicts {
            if given.contains_key(&conflict.path) {
                continue;
            }
            match self.ask_one(skill, conflict, output)? {
                Some(answer) => given.insert(conflict.path.clone(), answer),
                None => return Ok(()),
            };
        }
        *answers = given;
        Ok(())
    }

    fn ask_one(
        &self,
        skill: &PlannedSkill,
        conflict: &Conflict,
        output: &mut Output,
    ) -> Result<Option<Answer>, Failure> {
        let place = one_line(&format!("{}/{}", skill.name, conflict.path));
        writeln!(output, "{}: {}", output.strong(&place), conflict.reason)?;
        let mut text = skill.marked(&conflict.path);
        show(text.as_deref(), output)?;
        let editor = Environment::editor().filter(|_| text.is_some());
        let edit_word = if editor.is_some() { "[e]dit, " } else { "" };
        let question =
            format!("{place}: take [m]ine, [t]heirs, {edit_word}or [l]eave the skill as it is?");
        loop {
            let answer = asked(&question, output).to_lowercase();
            match answer.as_str() {
                "m" | "mine" | "ours" => return Ok(Some(Answer::Ours)),
                "t" | "theirs" => return Ok(Some(Answer::Theirs)),
                // Without an answer: the input has ended.
                "" | "l" | "leave" => return Ok(None),
                "e" | "edit" => {
                    let Some((editor, before)) = editor.as_ref().zip(text.as_ref()) else {
                        output.warning(if text.is_some() {
                            "set VISUAL or EDITOR to edit the file"
                        } else {
                            "it is not text: take one of its versions"
                        });
                        continue;
                    };
                    match edit(editor, &conflict.path, before, self.session.host()) {
                        Err(error) => output.warning(&error),
                        Ok(edited) => match skill.marker_left(&conflict.path, &edited) {
                            None => return Ok(Some(Answer::Text(edited))),
                            Some(line) => {
                                output.warning(format_args!(
                                    "line {line} is still a conflict marker"
                                ));
                                // The next edit goes on with what the person has.
                                text = Some(edited);
                            }
                        },
                    }
                }
                _ => output.warning("answer m, t, e or l"),
            }
        }
    }
}

/// Prints the conflicts of a text, with a line of context.
fn show(text: Option<&[u8]>, output: &mut Output) -> Result<(), Failure> {
    let Some(text) = text else {
        return Ok(());
    };
    let text = String::from_utf8_lossy(text);
    let (mut shown, mut inside, mut last) = (0, false, None);
    for line in text.lines() {
        let begins = line.starts_with("<<<<<<< ours");
        if begins && let Some(last) = last {
            writeln!(output, "    {}", one_line(last))?;
        }
        inside |= begins;
        if inside {
            if shown == MOST_LINES {
                writeln!(output, "    … (edit shows the rest)")?;
                return Ok(());
            }
            shown += 1;
            writeln!(output, "    {}", one_line(line))?;
        }
        inside &= !line.starts_with(">>>>>>> theirs");
        last = Some(line);
    }
    Ok(())
}
