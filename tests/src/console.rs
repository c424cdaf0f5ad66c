//! A session with the program: commands, each with its expected output.

use crate::block::Fence;
use crate::change::Change;
use crate::folder::Folder;
use crate::hint::Hints;
use crate::pattern;
use crate::places;
use crate::program::Call;
use crate::schemas;
use crate::words::words;

/// A `console` block.
#[derive(Clone, Debug)]
pub(crate) struct Console {
    pub(crate) block: Fence,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    /// The line after `$ `.
    command: String,
    action: Action,
    expected: Vec<String>,
    /// The number of empty lines before the next command.
    blank: usize,
}

/// The action of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    Program(Call),
    Files(Change),
}

/// The result of a session.
pub(crate) struct Session {
    /// The block with the present output. Matching lines are unchanged.
    pub(crate) text: String,
    /// The differences from the expected output.
    pub(crate) faults: Vec<String>,
}

impl Console {
    /// Parses a block.
    pub(crate) fn parse(block: &Fence) -> Result<Self, String> {
        let mut steps: Vec<Step> = Vec::new();
        for line in block.text.lines() {
            match (action(line), steps.last_mut()) {
                (Some(action), _) => steps.push(Step {
                    command: line.to_owned(),
                    action: action.map_err(|error| format!("{line}: {error}"))?,
                    expected: Vec::new(),
                    blank: 0,
                }),
                (None, Some(step)) => step.expected.push(line.to_owned()),
                (None, None) => {
                    return Err(format!(
                        "a console block begins with `$ skills`, not with `{line}`"
                    ));
                }
            }
        }
        if steps.is_empty() {
            return Err("a console block holds no command".to_owned());
        }
        for step in &mut steps {
            while step.expected.last().is_some_and(String::is_empty) {
                step.expected.pop();
                step.blank += 1;
            }
            if step.expected.iter().any(|line| line == "...") && step.expected.len() == 1 {
                return Err(format!(
                    "{}: a case that expects anything cannot fail",
                    step.command
                ));
            }
        }
        Ok(Self {
            block: block.clone(),
            steps,
        })
    }

    /// Returns the calls of the program.
    pub(crate) fn calls(&self) -> Vec<&Call> {
        self.steps
            .iter()
            .filter_map(|step| match &step.action {
                Action::Program(call) => Some(call),
                Action::Files(_) => None,
            })
            .collect()
    }

    /// Returns the changes of files.
    pub(crate) fn changes(&self) -> impl Iterator<Item = &Change> {
        self.steps.iter().filter_map(|step| match &step.action {
            Action::Program(_) => None,
            Action::Files(change) => Some(change),
        })
    }

    /// Runs all commands in the folder, one after the other.
    pub(crate) fn run(&self, folder: &Folder) -> Result<Session, String> {
        let mut session = Session {
            text: String::new(),
            faults: Vec::new(),
        };
        let mut hints = Hints::default();
        for step in &self.steps {
            let actual = match &step.action {
                Action::Program(call) => {
                    let printed = call.run(folder)?;
                    let faults = hints.faults(call, &printed.lines, folder)?;
                    session.faults.extend(faults);
                    session
                        .faults
                        .extend(schemas::fault(call, &printed.stdout)?);
                    let places = places::faults(call, &printed.stdout, folder)?;
                    session.faults.extend(places);
                    printed.lines
                }
                Action::Files(change) => change.run(folder).map(|()| Vec::new())?,
            };
            let as_expected = pattern::matches(&borrowed(&step.expected), &borrowed(&actual));
            let right = if as_expected { &step.expected } else { &actual };
            let mut came = vec![step.command.as_str()];
            came.extend(right.iter().map(String::as_str));
            session.text += &(came.join("\n") + "\n" + &"\n".repeat(step.blank));
            if !as_expected {
                session.faults.push(format!(
                    "{}\n--- expected\n{}\n--- came\n{}\n",
                    step.command,
                    step.expected.join("\n"),
                    actual.join("\n"),
                ));
            }
        }
        Ok(session)
    }
}

fn borrowed(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

/// Parses a line of a session: a call of the program, or a change of files. Returns `None` for any other line.
fn action(line: &str) -> Option<Result<Action, String>> {
    let command = line.strip_prefix("$ ")?;
    let (command, input) = match command.rsplit_once(" < ") {
        Some((command, input)) if !input.contains('\'') => (command, Some(input.trim().into())),
        _ => (command, None),
    };
    let words = match words(command) {
        Ok(words) => words,
        Err(error) => return command.contains("skills").then_some(Err(error)),
    };
    if let Some(change) = Change::of(&words) {
        return Some(Ok(Action::Files(change)));
    }
    let mut words = words.into_iter().peekable();
    let mut call = Call {
        input,
        ..Call::default()
    };
    while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
        call.variables.push((name.to_owned(), value.to_owned()));
        words.next();
    }
    match words.next().as_deref() {
        Some("skills") => {}
        Some("cargo")
            if words.next().as_deref() == Some("run") && words.next().as_deref() == Some("--") => {}
        _ => return None,
    }
    call.arguments = words.collect();
    Some(Ok(Action::Program(call)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls() {
        let read = |line| match action(line) {
            Some(Ok(Action::Program(call))) => call,
            other => panic!("{line}: {other:?}"),
        };
        let call = read("$ A=b skills resolve --from-model < in.txt");
        assert_eq!(call.arguments, ["resolve", "--from-model"]);
        assert_eq!(call.variables, [("A".to_owned(), "b".to_owned())]);
        assert_eq!(call.input, Some("in.txt".into()));
        let call = read("$ cargo run -- resolve '$x < y'");
        assert_eq!(call.arguments, ["resolve", "$x < y"]);
        assert!(matches!(action("$ rm x"), Some(Ok(Action::Files(_)))));
        assert!(action("$ cargo test").is_none());
        assert!(action("skills").is_none());
        assert!(action("$ skills $x").is_some_and(|call| call.is_err()));
    }

    #[test]
    fn a_session_that_cannot_fail_is_refused() {
        let parse = |text: &str| {
            Console::parse(&Fence {
                info: "console".into(),
                text: text.into(),
                range: 0..0,
            })
        };
        assert!(parse("").is_err());
        assert!(parse("output\n").is_err());
        assert!(parse("$ skills list\n...\n").is_err());
        assert!(parse("$ skills list\n").is_ok());
    }
}
