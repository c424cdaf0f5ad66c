use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use memchr::memmem::Finder;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;
use std::sync::LazyLock;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::HomePath,
    level: Level::Warn,
    group: Group::Body,
    summary: "the skill does not name a person's home folder",
    why: "`/Users/jane/notes` exists on one machine. On other machines the model looks for a \
          folder that does not exist, and the author's name is published with the skill.",
    bad: Example::Skill(with_body!("Read `/Users/marta/releases/notes.md` first.\n")),
    marks: "/Users/marta",
    good: Example::Skill(with_body!("Read `~/releases/notes.md` first.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

/// Names that do not belong to a person: names in examples, services and container images.
const NOBODY: &[&str] = &[
    "user",
    "username",
    "you",
    "yourname",
    "your-name",
    "your_name",
    "your-username",
    "name",
    "me",
    "xxx",
    "foo",
    "bar",
    "example",
    "someone",
    "shared",
    "public",
    "default",
    "admin",
    "root",
    "ubuntu",
    "debian",
    "ec2-user",
    "runner",
    "vscode",
    "node",
    "app",
    "agent",
    "sandbox",
    "coder",
    "dev",
    "developer",
    "jovyan",
    "git",
    "linuxbrew",
    "pi",
    "oai",
    "claude",
    "codespace",
    "gitpod",
    "circleci",
    "jenkins",
    "vagrant",
    "azureuser",
    "opc",
    "www-data",
    "site",
    "alice",
    "bob",
    "john",
    "jane",
    "johndoe",
    "john.doe",
    "jane.doe",
    "janedoe",
    "myuser",
    "youruser",
    "yourusername",
    "currentuser",
    "test",
    "testuser",
    "user1",
    "u",
    "deploy",
    "nonroot",
    "worker",
    "appuser",
    "myname",
    "builder",
    "guest",
    "home",
    "work",
    "someuser",
    "somebody",
    "username_here",
    "demo",
    "student",
    "ci",
    "container",
    "docker",
    "airflow",
    "hadoop",
    "steam",
    "deck",
    "travis",
    "gh",
    "actions",
    "workspace",
    "project",
    "projects",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let text = view.text();
    let mut found: Vec<Finding> = places(text)
        .map(|span| view.at(RULE.id, span, message(text, span)).help(HELP))
        .collect();
    // A model reads the other files too, and runs the scripts.
    for (file, text) in view.other_texts() {
        found.extend(places(text).map(|span| {
            let finding = Finding::new(RULE.id, &file.path, message(text, span));
            finding.at(span).help(HELP)
        }));
    }
    found
}

const HELP: &str = "write `~`, or a path within the project";

fn message(text: &str, span: Span) -> String {
    format!("`{}` is one person's home folder", span.of(text))
}

static HOME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"/home/"));

/// Returns the places of home folders of persons.
fn places(text: &str) -> impl Iterator<Item = Span> {
    let mut places: Vec<Span> = Vec::new();
    // Nearly every text has neither word. A search for the rare capital takes a third of a search for its word.
    let mut capitals = memchr::memchr_iter(b'U', text.as_bytes());
    let has_users = capitals.any(|at| {
        let rest = text.get(at..);
        rest.is_some_and(|rest| rest.starts_with("Users"))
    });
    if has_users || HOME.find(text.as_bytes()).is_some() {
        for begin in ["/Users/", "/home/", ":\\Users\\", ":/Users/"] {
            let found = memchr::memmem::find_iter(text.as_bytes(), begin.as_bytes());
            places.extend(found.filter_map(|at| home(text, at, begin)));
        }
        places.dedup_by_key(|span| span.end);
    }
    places.into_iter()
}

/// Returns whether a name in lower case belongs to no person: `your-name`, `myuser`, `name`.
fn is_nobody(name: &str) -> bool {
    let begins = [
        "your", "my-", "my_", "<", "example", "user-", "user_", "xxx",
    ];
    NOBODY.contains(&name) || begins.iter().any(|begin| name.starts_with(begin))
}

fn home(text: &str, at: usize, begin: &str) -> Option<Span> {
    let before = text.get(..at)?.chars().next_back();
    let start = if begin.starts_with(':') {
        before.filter(char::is_ascii_alphabetic)?;
        at - 1
    } else {
        let joins = |c: char| {
            c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '~' | '}' | ':' | '>' | '/' | '*')
        };
        if before.is_some_and(joins) {
            return None;
        }
        at
    };
    let rest = text.get(at + begin.len()..)?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-');
    let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    let name = rest.get(..length)?;
    let goes_on = rest.get(length..)?.starts_with(['/', '\\']);
    let is_somebody = name.starts_with(|c: char| c.is_alphanumeric())
        && !name.contains("..")
        && !is_nobody(&name.to_lowercase());
    (goes_on && is_somebody).then(|| Span::new(start, at + begin.len() + length))
}
