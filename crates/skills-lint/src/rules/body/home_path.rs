use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::search::find_all;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::lines::line_at;
use skills_format::text::span::Span;
use skills_format::tree::TreeFile;
use skills_format::tree::filled::names_filled;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::HomePath,
    level: Level::Warn,
    group: Group::Body,
    summary: "the skill does not name its author's home folder",
    why: "`/Users/jane/notes` exists on one machine. On other machines the model looks for a folder that does not \
          exist, and the author's name is published with the skill. Paths below `/Users/` and `C:\\Users\\` are \
          reported. Below `/home/`, where service accounts and data live too, a path is reported only if it \
          continues with a personal folder, such as `.ssh`, `Documents` or `projects`.",
    bad: Example::Skill(with_body!("Read `/Users/marta/releases/notes.md` first.\n")),
    marks: "/Users/marta",
    good: Example::Skill(with_body!("Read `~/releases/notes.md` first.\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

/// Names that do not belong to a person: names in examples, services and container images.
const NOBODY: [&str; 33] = [
    "you",
    "name",
    "me",
    "foo",
    "bar",
    "someone",
    "shared",
    "public",
    "default",
    "admin",
    "root",
    "runner",
    "vagrant",
    "alice",
    "bob",
    "john",
    "jane",
    "johndoe",
    "john.doe",
    "jane.doe",
    "janedoe",
    "u",
    "guest",
    "home",
    "demo",
    "student",
    "ubuntu",
    "node",
    "vscode",
    "claude",
    "agent",
    "dev",
    "linuxbrew",
];
/// The beginnings of stand-ins for a name.
const STAND_INS: [&str; 8] = [
    "your", "my", "example", "user", "some", "current", "test", "xxx",
];
/// The beginnings of folders that people have at home. Below `/home/` there are service accounts and data too.
const OF_PEOPLE: [&str; 16] = [
    ".", "Desktop", "Document", "Download", "Pictures", "dev", "code", "src", "repos", "git",
    "projects", "work", "notes", "go/", "bin", "my",
];

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    const HELP: &str = "write `~`, or a path within the project";
    let mut found = Vec::new();
    // A model reads the other files too, and runs the scripts.
    let texts = view.texts().iter();
    // What a build writes holds the paths of its machine, and is not shipped.
    let is_built = |file: &TreeFile| view.relative(&file.path).is_some_and(names_filled);
    let texts = texts.filter(|(file, _, rules)| rules.have(RULE.id) && !is_built(file));
    for (file, text, _) in texts {
        for span in places(text) {
            let message = format!("`{}` is one person's home folder", span.of(text));
            let finding = Finding::new(RULE.id, &file.path, message);
            found.push(finding.at(span).help(HELP));
        }
    }
    found
}

/// Returns the places of home folders of persons.
fn places(text: &str) -> Vec<Span> {
    const BEGINS: [&str; 4] = ["/Users/", "/home/", ":\\Users\\", ":/Users/"];
    let mut places: Vec<Span> = Vec::new();
    for begin in BEGINS {
        let found = find_all(text, begin);
        places.extend(
            found
                .filter_map(|at| home(text, at, begin))
                .filter(|span| !is_marked_wrong(text, *span)),
        );
    }
    // `C:/Users/x` holds `/Users/x`.
    places.sort_by_key(|span| (span.end, span.start));
    places.dedup_by_key(|span| span.end);
    places
}

/// Returns whether the line marks what it shows as wrong.
fn is_marked_wrong(text: &str, span: Span) -> bool {
    let line = line_at(text, span.start);
    line.of(text).contains(['✗', '✘', '❌'])
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
    let (name, _) = rest.split_at(rest.find(|c| !is_name(c))?);
    let inside = rest.get(name.len()..)?.strip_prefix(['/', '\\'])?;
    let lower = name.to_lowercase();
    let is_person = name.starts_with(|c: char| c.is_alphanumeric())
        && name.chars().count() > 1
        && !name.contains("..")
        && !NOBODY.contains(&lower.as_str())
        && !STAND_INS.iter().any(|begin| lower.starts_with(begin))
        // `opsuser`, `appuser`: an account of a service.
        && !lower.ends_with("user")
        && (begin != "/home/" || OF_PEOPLE.iter().any(|folder| inside.starts_with(folder)));
    is_person.then(|| Span::new(start, at + begin.len() + name.len()))
}
