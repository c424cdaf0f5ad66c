//! A table of texts: each row is a case, resolved through the library.

use crate::block::Row;
use crate::cell::{list, literal, spans, words};
use crate::folder::Folder;
use crate::options;
use skills_profiles::{Plugins, Profile};
use skills_runtime::{Catalog, Outcome, Surface};
use skills_session::Notice;
use skills_session::resolve::{Effect, Verdict};
use skills_session::{Dialect as _, Resolution};

/// One row: a text with its expected resolution.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    text: String,
    outcomes: Vec<String>,
    /// The whole text if the cell is empty. This field and the following fields are not checked if the table has no
    /// such column.
    task: Option<String>,
    /// Without the notices about the used skills, which follow from the outcomes.
    notices: Option<Vec<String>>,
    /// With the notices about the used skills.
    all_notices: Option<Vec<String>>,
    /// The arguments of each activated skill.
    arguments: Option<Vec<String>>,
    /// The slash command of the text; empty if the text is not a command.
    command: Option<String>,
    /// `yes` or `no` for each mention.
    leads: Option<Vec<String>>,
    surface: Surface,
    /// The profile; by default that of the options.
    profile: Option<Profile>,
}

/// Returns whether a table is a table of texts.
pub(crate) fn is_one(rows: &[Row]) -> bool {
    rows.first()
        .and_then(|head| head.cells.first())
        .is_some_and(|cell| cell.text == "text")
}

/// Parses the rows below the header, each with its line.
pub(crate) fn parse(rows: &[Row]) -> Result<Vec<(usize, Expected)>, String> {
    let Some((head, rows)) = rows.split_first() else {
        return Ok(Vec::new());
    };
    rows.iter()
        .map(|row| {
            let expected = Expected::parse(head, row)
                .map_err(|error| format!("line {}: {error}", row.line))?;
            Ok((row.line, expected))
        })
        .collect()
}

impl Expected {
    fn parse(head: &Row, row: &Row) -> Result<Self, String> {
        let whole = row.cells.first().map(literal).transpose()?.flatten();
        let whole = whole.ok_or("the row has no text")?;
        let mut expected = Self {
            text: String::new(),
            outcomes: Vec::new(),
            task: None,
            notices: None,
            all_notices: None,
            arguments: None,
            command: None,
            leads: None,
            surface: Surface::User,
            profile: None,
        };
        for (column, cell) in head.cells.iter().zip(&row.cells) {
            match column.text.as_str() {
                "outcome" => expected.outcomes = list(&cell.text),
                "task" => expected.task = Some(literal(cell)?.unwrap_or_else(|| whole.clone())),
                "notice" => expected.notices = Some(spans(cell)?),
                "notices" => expected.all_notices = Some(spans(cell)?),
                "arguments" => expected.arguments = Some(spans(cell)?),
                "command" => expected.command = Some(cell.text.clone()),
                "leads" => expected.leads = Some(words(&cell.text)),
                "surface" => expected.surface = surface(&cell.text)?,
                "policy" => expected.profile = Some(with_policy(&cell.text)?),
                "profile" => expected.profile = Some(profile(&cell.text)?),
                "text" | "why" => {}
                other => return Err(format!("no column is called `{other}`")),
            }
        }
        expected.text = whole;
        if expected.outcomes.is_empty() {
            return Err("the row expects nothing: write the outcomes, or `text`".to_owned());
        }
        Ok(expected)
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Resolves the text over the catalog of the folder. Returns the differences.
    pub(crate) fn run(&self, options: &str, folder: &Folder) -> Result<Vec<String>, String> {
        let (catalog, of_options) = options::catalog(options, folder, self.profile.as_ref())?;
        let profile = self.profile.as_ref().unwrap_or(&of_options);
        let resolution = profile.resolve(&catalog, &self.text, self.surface);
        let mut faults = Vec::new();
        let came: Vec<String> = resolution
            .mentions
            .iter()
            .map(|m| told(&m.outcome))
            .collect();
        let as_expected = self.outcomes.len() == came.len().max(1)
            && if came.is_empty() {
                self.outcomes == ["text"]
            } else {
                self.outcomes
                    .iter()
                    .zip(&came)
                    .all(|(expected, came)| same(expected, came))
            };
        if !as_expected {
            faults.push(format!(
                "outcome: expected `{}`, came `{}`",
                self.outcomes.join(", "),
                came.join(", ")
            ));
        }
        if let Some(task) = self.task.as_ref().filter(|task| **task != resolution.task) {
            faults.push(format!(
                "task: expected {task:?}, came {:?}",
                resolution.task
            ));
        }
        let is_other = |notice: &&Notice| !matches!(notice, Notice::Using { .. });
        let mut compare = |what, expected: Option<&Vec<String>>, came: Vec<String>| {
            if let Some(expected) = expected.filter(|expected| **expected != came) {
                faults.push(format!("{what}: expected {expected:?}, came {came:?}"));
            }
        };
        let notices = || resolution.notices.iter();
        let others = notices().filter(is_other).map(ToString::to_string);
        compare("notice", self.notices.as_ref(), others.collect());
        let all = notices().map(ToString::to_string);
        compare("notices", self.all_notices.as_ref(), all.collect());
        let activated = resolution.activated();
        let arguments = activated.iter().map(|skill| {
            let arguments = resolution.arguments(skill);
            if arguments.is_empty() {
                "∅"
            } else {
                arguments
            }
            .to_owned()
        });
        compare("arguments", self.arguments.as_ref(), arguments.collect());
        let command = self.command.iter().filter(|text| !text.is_empty()).cloned();
        let command = self.command.is_some().then(|| command.collect());
        compare(
            "command",
            command.as_ref(),
            commanded(&resolution, &catalog),
        );
        let leads = resolution
            .mentions
            .iter()
            .map(|mention| if mention.leads { "yes" } else { "no" }.to_owned());
        compare("leads", self.leads.as_ref(), leads.collect());
        faults.extend(incoherent(&resolution));
        Ok(faults)
    }
}

/// Writes a slash command like a row does: the skill that it starts, or `tool exec`, or `meta`.
fn commanded(resolution: &Resolution, catalog: &Catalog) -> Vec<String> {
    let command = match &resolution.effect {
        Effect::Command => resolution.activated().concat(),
        Effect::Dispatch(dispatch) => {
            match dispatch.clone().ask(catalog, |_, _| Verdict::Allowed) {
                Ok(call) => format!("tool {}", call.tool),
                Err(refused) => refused,
            }
        }
        Effect::Request(_) => "meta".to_owned(),
        Effect::Plain
        | Effect::Activate
        | Effect::ChooseOne
        | Effect::Refused(_)
        | Effect::NotCalled(_) => {
            return Vec::new();
        }
    };
    vec![command]
}

/// Checks properties of every resolution.
fn incoherent(resolution: &Resolution) -> Vec<String> {
    let mut faults = Vec::new();
    let mut found: Vec<&String> = Vec::new();
    for mention in &resolution.mentions {
        if let Outcome::Found { skill, .. } = &mention.outcome
            && !found.contains(&skill)
        {
            found.push(skill);
        }
    }
    match resolution.effect {
        Effect::ChooseOne => found.clear(),
        Effect::Command | Effect::Dispatch(_) | Effect::Request(_) | Effect::NotCalled(_) => {
            return faults;
        }
        Effect::Plain | Effect::Activate | Effect::Refused(_) => {}
    }
    let used: Vec<String> = resolution
        .notices
        .iter()
        .filter_map(|notice| match notice {
            Notice::Using { skill } => Some(skill.clone()),
            _ => None,
        })
        .collect();
    let activated = resolution.activated();
    if found != activated || used != activated {
        faults.push(format!(
            "found {found:?}, activated {activated:?}, told {used:?}"
        ));
    }
    if (resolution.effect == Effect::Activate) == activated.is_empty() {
        faults.push(format!(
            "turn `{}` with {activated:?} activated",
            resolution.effect.as_str(),
        ));
    }
    faults
}

/// Writes an outcome like a row does.
fn told(outcome: &Outcome) -> String {
    let (detail, kind) = match outcome {
        Outcome::Ambiguous {
            candidates, kind, ..
        } => (candidates.join(" "), *kind),
        Outcome::Found { skill, .. } | Outcome::Refused { skill, .. } => (skill.clone(), None),
        _ => (String::new(), None),
    };
    let kind = kind.map(|kind| format!(" by {kind:?}").to_lowercase());
    format!("{outcome} {detail}").trim_end().to_owned() + &kind.unwrap_or_default()
}

/// Returns whether an outcome is the expected one. The expectation need not contain the kind of a suggestion, and for
/// an ambiguous outcome the number of candidates is enough.
fn same(expected: &str, came: &str) -> bool {
    let (came, kind) = came.split_once(" by ").unwrap_or((came, ""));
    let (expected, expected_kind) = expected.split_once(" by ").unwrap_or((expected, kind));
    let count = |text: &str| {
        text.strip_prefix("ambiguous ")
            .map(|ids| ids.split(' ').count())
    };
    let number = expected
        .strip_prefix("ambiguous ")
        .and_then(|number| number.parse().ok());
    kind == expected_kind && (expected == came || number.is_some() && count(came) == number)
}

fn surface(text: &str) -> Result<Surface, String> {
    match text {
        "" | "user" => Ok(Surface::User),
        "model" => Ok(Surface::Model),
        _ => Err(format!("no surface is called `{text}`")),
    }
}

fn profile(text: &str) -> Result<Profile, String> {
    let name = if text.is_empty() { "default" } else { text };
    let profile = Profile::named(name).ok_or_else(|| format!("no profile is called `{text}`"))?;
    Ok(profile.clone())
}

fn with_policy(text: &str) -> Result<Profile, String> {
    let mut profile = Profile::default();
    for word in text.split_whitespace() {
        let options = &mut profile.options;
        match word {
            "no-mentions" => options.mentions = false,
            "choose-one" => profile.one_skill = true,
            "notices-always" => options.everywhere = true,
            "silent-unknown" => options.quiet = true,
            "namespaces" => profile.plugins = Plugins::Namespaces,
            _ => match word.strip_prefix("limit-").and_then(|n| n.parse().ok()) {
                Some(limit) => options.limit = limit,
                None => return Err(format!("no policy is called `{word}`")),
            },
        }
    }
    Ok(profile)
}
