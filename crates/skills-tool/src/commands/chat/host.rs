//! The skills as they are now, and changes made in the prompt: enable, disable, trust, install, and the reload afterwards.

use crate::catalog::find;
use crate::catalog::options::CatalogOptions;
use crate::commands::chat::rows::Row;
use crate::commands::chat::words::{RESERVED, WORDS};
use crate::commands::trust::{TrustCommand, asked_in_a_prompt, forget};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::output::{Ctx, one_line};
use clap::{Args, Command};
use skills_format::Span;
use skills_profiles::Profile;
use skills_runtime::Catalog;
use skills_session::Notice;
use skills_session::complete::{Completer, CompletionCandidate};
use skills_session::resolve::Request;
use skills_store::{Decisions, StateFile, TrustFile};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The skills of this prompt, and the operations that change the skills.
pub(crate) struct Host<'e> {
    pub(crate) options: CatalogOptions,
    pub(crate) env: &'e Environment,
    pub(crate) live: Arc<Live>,
    /// The stamps of the state file and the trust file at the last load.
    read: Stamps,
}

/// The times and lengths of the state file and the trust file.
type Stamps = [Option<(SystemTime, u64)>; 2];

/// Returns the names of the schedules that ran once, successfully. A file that cannot be read has none.
fn ended(options: &CatalogOptions, env: &Environment) -> Vec<String> {
    let file = options.schedule_file(env);
    let schedules = file.and_then(|file| file.read().ok());
    let schedules = schedules.map(|stored| stored.value).unwrap_or_default();
    let ended = schedules.0.values().filter(|schedule| schedule.is_ended());
    ended.map(|schedule| schedule.name.clone()).collect()
}

impl Host<'_> {
    /// Loads the skills, and reports their diagnostics.
    pub(crate) fn open(options: &CatalogOptions, cx: &mut Ctx) -> Result<Self, Failure> {
        // Before the load: a file that changes during the load is then loaded again.
        let read = stamps(cx.env);
        let catalog = options.catalog(&[], cx)?;
        let profile = profile(options.profile());
        Ok(Self {
            options: options.clone(),
            env: cx.env,
            live: Arc::new(Live::new(catalog, profile, ended(options, cx.env))),
            read,
        })
    }

    pub(crate) fn catalog(&self) -> Catalog {
        self.live.current().catalog.clone()
    }

    /// Loads the skills again, from the present folders, state file and trust file.
    pub(crate) fn reload(&mut self, cx: &mut Ctx) -> Result<(), Failure> {
        self.read = stamps(self.env);
        let loaded = self.options.load(self.env)?;
        self.options.report(&loaded, &[], cx);
        let ended = ended(&self.options, self.env);
        let profile = profile(self.options.profile());
        self.live.set(loaded.catalog, profile, ended);
        Ok(())
    }

    /// Loads the skills again when another program has changed the state file or the trust file. Otherwise reads what has
    /// changed in the folders, and says so.
    pub(crate) fn refresh(&mut self, cx: &mut Ctx) -> Result<(), Failure> {
        if self.read != stamps(self.env) {
            return self.reload(cx);
        }
        let before = self.catalog();
        let reloaded = before.reload();
        let changes = reloaded.changes_since(&before);
        let profile = self.live.current().profile.clone();
        self.live
            .set(reloaded, profile, ended(&self.options, self.env));
        for (what, ids) in [
            ("new", &changes.added),
            ("changed", &changes.changed),
            ("removed", &changes.removed),
        ] {
            if !ids.is_empty() {
                let skills = if ids.len() == 1 { "skill" } else { "skills" };
                cx.note(format!("({what} {skills}: {})", ids.join(", ")));
            }
        }
        Ok(())
    }

    /// Runs a command that changes skills, and reloads the skills.
    pub(crate) fn changing(
        &mut self,
        cx: &mut Ctx,
        run: impl FnOnce(&mut Ctx) -> Result<Outcome, Failure>,
    ) -> Result<(), Failure> {
        let done = run(cx);
        // After a failure too: it can have changed some skills.
        let reloaded = self.reload(cx);
        done?;
        reloaded
    }

    /// Carries out a request that changes skills, and reloads the skills. Returns what to show.
    pub(crate) fn carry_out(
        &mut self,
        mut request: Request,
        cx: &mut Ctx,
    ) -> Result<Vec<Notice>, Failure> {
        let options = self.options.clone();
        let decisions = Decisions {
            state: self.env.state_file()?,
            trust: self.env.trust_file()?,
        };
        // Before the person is asked: a file that cannot be changed makes an answer useless.
        match request {
            Request::Trust { .. } | Request::Untrust { .. } => decisions.trust.check()?,
            _ => decisions.state.check()?,
        }
        if let Request::Enable { id }
        | Request::Disable { id }
        | Request::Trust { id }
        | Request::Untrust { id } = &mut request
        {
            *id = self.skill(id);
        }
        let mut catalog = self.catalog();
        let mut told = Vec::new();
        self.changing(cx, |cx| {
            // The answer to a question that cannot be shown is no.
            let mut asked = match request {
                Request::Untrust { .. } => Ok(Some(decisions.trust.read()?.value)),
                _ => Ok(None),
            };
            told = decisions.carry_out(request, &mut catalog, |question| {
                asked = asked_in_a_prompt(question, &options, cx);
                matches!(asked, Ok(Some(_)))
            })?;
            if let Some(before) = asked? {
                forget(&before, &decisions.trust, cx.env)?;
            }
            Ok(Outcome::Done)
        })?;
        Ok(told)
    }

    /// Prints the changes of a skill since the skill was trusted.
    pub(crate) fn difference(&self, id: &str, cx: &mut Ctx) -> Result<(), Failure> {
        let command = TrustCommand::difference_of(self.skill(id), self.options.clone());
        command.run(cx)?;
        Ok(())
    }

    /// Returns the skill of an id. The id may be the name of a command.
    pub(crate) fn skill(&self, id: &str) -> String {
        let id = id.strip_prefix(['$', '/']).unwrap_or(id);
        find::meant(&self.catalog(), id, self.options.profile())
    }

    /// Returns the options that name the folder for installed skills.
    pub(crate) fn target(&self) -> Vec<String> {
        let name = self.options.profile().name.to_string();
        let mut words = vec!["--profile".to_owned(), name];
        if let Some(folder) = self.options.first_layer() {
            words.push("--to".to_owned());
            words.push(self.env.absolute(folder).to_string_lossy().into_owned());
        }
        words
    }
}

/// Parses the words of a command of this program.
pub(crate) fn parsed<A: Args>(words: &[&str]) -> Result<A, Failure> {
    let command = A::augment_args(Command::new("skills"));
    let matches = command.try_get_matches_from(words);
    let parsed = matches.and_then(|matches| A::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let text = error.render().to_string();
        let fact = text.lines().next().unwrap_or_default();
        Failure::failed(fact.trim_start_matches("error: "), "write it another way")
    })
}

/// Reports a failure, and continues.
pub(crate) fn report(done: Result<(), Failure>, cx: &mut Ctx) {
    if let Err(failure) = done {
        cx.failure(&failure);
    }
}

/// Returns the profile with the prompt's commands reserved, so that no skill takes their names.
fn profile(profile: &Profile) -> Profile {
    let mut profile = profile.clone();
    profile.options.reserved.extend(RESERVED.map(str::to_owned));
    profile
}

fn stamps(env: &Environment) -> Stamps {
    let (state, trust) = (env.state_file().ok(), env.trust_file().ok());
    let stamp = |path: Option<&Path>| {
        let data = std::fs::metadata(path?).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    [
        stamp(state.as_ref().map(StateFile::path)),
        stamp(trust.as_ref().map(TrustFile::path)),
    ]
}

/// The present skills. The line editor reads the skills at each key, and another thread can replace them.
pub(crate) struct Live {
    current: Mutex<Arc<Current>>,
}

/// A catalog with its profile and its completions.
pub(crate) struct Current {
    pub(crate) catalog: Catalog,
    pub(crate) profile: Profile,
    completer: Completer,
    /// The scheduled skills whose only run was a success: they are left out of the menu.
    pub(crate) ended: Vec<String>,
}

/// The completions of the word at the cursor.
pub(crate) struct Offer {
    /// The byte range of the line that is replaced.
    pub(crate) replace: Span,
    pub(crate) rows: Vec<Row>,
}

impl Live {
    pub(crate) fn new(catalog: Catalog, profile: Profile, ended: Vec<String>) -> Self {
        let current = Mutex::new(Arc::new(Current::new(catalog, profile, ended)));
        Self { current }
    }

    pub(crate) fn current(&self) -> Arc<Current> {
        let current = self.current.lock();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the skills and the profile.
    pub(crate) fn set(&self, catalog: Catalog, profile: Profile, ended: Vec<String>) {
        let next = Arc::new(Current::new(catalog, profile, ended));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

impl Current {
    fn new(catalog: Catalog, profile: Profile, ended: Vec<String>) -> Self {
        let completer = Completer::new(&catalog, profile.clone());
        // At the load and not at the first `/`, where the completer would compute the names of the commands
        // while a person waits.
        let _ = completer.complete("/", 1);
        Self {
            catalog,
            profile,
            completer,
            ended,
        }
    }

    /// Finds the completions at the cursor. Returns `None` without completions.
    pub(crate) fn offer(&self, line: &str, cursor: usize) -> Option<Offer> {
        let completion = self.completer.complete(line, cursor)?;
        let typed = line.get(completion.replace.start..cursor)?;
        let own = typed.strip_prefix('/');
        let mut rows = own.map_or_else(Vec::new, |typed| own_rows(typed, &self.profile));
        let is_ended = |found: &CompletionCandidate| {
            let name = found.skill.rsplit(':').next().unwrap_or_default();
            found.scheduled && self.ended.iter().any(|ended| ended == name)
        };
        let skills = completion.candidates.iter();
        let skills = skills.filter(|found| !is_ended(found));
        rows.extend(skills.map(|found| self.row(found)));
        let replace = completion.replace;
        (!rows.is_empty()).then_some(Offer { replace, rows })
    }

    fn row(&self, candidate: &CompletionCandidate) -> Row {
        Row {
            text: candidate.text.clone(),
            description: one_line(&candidate.description),
            reason: if candidate.enabled {
                String::new()
            } else {
                self.reason(&candidate.skill)
            },
            scheduled: candidate.scheduled,
        }
    }

    /// Returns the reason why a skill cannot be started.
    fn reason(&self, id: &str) -> String {
        match self.catalog.get(id) {
            Some(entry) if entry.is_enabled() && !entry.missing().is_empty() => {
                format!("needs {}", one_line(&entry.missing().join(", ")))
            }
            _ => "disabled".to_owned(),
        }
    }
}

/// Returns the commands of the prompt that begin with the typed letters.
fn own_rows(typed: &str, profile: &Profile) -> Vec<Row> {
    let begins = |name: &str| {
        let start = name.get(..typed.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(typed))
    };
    let words = WORDS.iter().filter(|word| begins(word.name));
    words
        .map(|word| Row {
            text: format!("/{}", word.name),
            description: word.about(profile).to_owned(),
            ..Row::default()
        })
        .collect()
}
