//! Facts about clients: the programs that read a skill besides this one.
//!
//! The caller of a check brings the facts as data, so that a new fact breaks no build: the macro and build scripts
//! bring none, and then no rule of the group *portability* runs.

use skills_format::skill::document::FormKind;

/// A client: a program that reads skills, and its known behaviour. The facts are constants of the calling program: a check
/// of one skill must not pay for reading a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client {
    /// The id: `claude-code`.
    pub name: &'static str,
    /// Further names that are accepted.
    pub names: &'static [&'static str],
    /// The product name: `Claude Code`.
    pub title: &'static str,
    /// True if the client is asked although nobody names it: about lost skills and lost restraints.
    pub common: bool,
    /// The folders of a project in which the client looks for skills: `.claude/skills`. The name of each begins with a dot.
    pub folders: &'static [&'static str],
    /// The known behaviour.
    pub facts: &'static [Fact],
    /// The client's reader of files, if it is known. What it makes of a file counts, and not what the facts say about
    /// forms of files.
    pub reads: Option<Reads>,
}

/// The reader of a client: the code that also makes the client's list.
#[derive(Clone, Copy, Debug)]
pub struct Reads {
    /// Reads the file of a skill.
    pub read: fn(&SkillText<'_>) -> Reading,
    /// Whether the client reads a spelling that closes a skill to the model. If not, its facts are of a later version,
    /// and [`Self::read`] cannot say whether a skill is closed there.
    pub closes: bool,
    /// The fact about a skill that the client drops.
    pub dropped: Fact,
    /// The fact about a skill whose description the client takes from elsewhere.
    pub misread: Fact,
}

/// The file of a skill, and the file beside it that some clients read.
#[derive(Clone, Copy, Debug)]
pub struct SkillText<'t> {
    /// The name of the folder.
    pub folder: &'t str,
    /// The `SKILL.md`.
    pub text: &'t str,
    /// The `agents/openai.yaml`.
    pub policy: Option<&'t str>,
}

/// What a client makes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reading {
    /// The skill is listed with this description.
    Listed(String),
    /// The file closes the skill to the model.
    Closed,
    /// The skill is dropped.
    Dropped(DropReason),
}

/// The reason why a client drops a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropReason {
    /// The fact about the file: `the name is not read`.
    pub what: &'static str,
    /// The key that the fact is about, with dots; empty if it is about the whole file.
    pub key: &'static str,
    /// The form that works in every client.
    pub works: &'static str,
}

/// One fact about a client: a condition that a skill can meet, and the consequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// The condition.
    pub on: Condition,
    /// The consequence, as a clause that the name of the client can follow: `the skill is not listed`.
    pub does: &'static str,
    /// The loss.
    pub loses: Loss,
    /// The field of the condition, if the condition has a field.
    pub key: &'static str,
    /// The words that the condition is about: accepted values, known keys, spellings that are read.
    pub values: &'static [&'static str],
    /// The number that the condition is about: a depth or a length.
    pub limit: usize,
    /// The page or the code that says so, or the program that was run, with its version.
    pub source: &'static str,
    /// The year and month in which the source was read or the program was run.
    pub seen: &'static str,
}

/// The loss that a fact causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Loss {
    /// The client uses the skill, although not as it was meant.
    #[default]
    Nothing,
    /// The skill is not listed, or not as what it is.
    Skill,
    /// The model may start a skill that its author closed to the model.
    Restraint,
}

/// A condition that a skill can meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Condition {
    /// No condition: a fact without one is never asked.
    #[default]
    Never,
    /// A byte-order mark at the start of the file.
    ByteOrderMark,
    /// Empty lines or comments before the front matter.
    TextBefore,
    /// White space before the first `---`, on the same line.
    SpaceBefore,
    /// `...` in place of the second `---`.
    Dots,
    /// `---` alone on a line of a value, with spaces around it.
    DashesInBlock,
    /// `---` anywhere in a value.
    DashesInside,
    /// A `name` that YAML reads as a number, a boolean or a date.
    PlainName,
    /// A `description` that YAML reads as a number, a boolean or a date.
    PlainDescription,
    /// A skill more than `limit` folders below the folder of skills.
    Depth,
    /// A skill in a folder whose name begins with a dot, below the folder of skills.
    HiddenFolder,
    /// A folder with one of the names of `values`.
    ReservedFolder,
    /// One of `values` in a name.
    WordInName,
    /// A name with letters beyond ASCII.
    NameBeyondAscii,
    /// A name of `values`: the client's own commands.
    OwnCommand,
    /// A skill that its author closed to the model; `values` are the spellings that the client reads.
    Closed,
    /// A skill that its author closed to persons; `values` are the spellings that the client reads.
    ClosedToPerson,
    /// `$0` to `$9` in the body, which the client replaces by words of the arguments; `limit` is the number of the
    /// first word.
    Positional,
    /// `$0` to `$9` in the body, which the client leaves as they are.
    PositionalKept,
    /// Placeholders and commands in the body beyond `values`, which the client leaves as they are: `arguments`,
    /// `names`, `commands`, or a variable as it is written.
    PlaceholderKept,
    /// A command that runs when the skill starts: an exclamation mark before a code span. `values` holds `no-names` if
    /// the client fills no names of `arguments` in it.
    Injection,
    /// Fields beyond `values`, for which the client refuses the skill.
    UnknownField,
    /// Fields beyond `values`, which the client reads over.
    FieldIgnored,
    /// A value of the field `key` that is not one of `values`.
    OtherValue,
    /// `yes`, `on` and `1` for `true`, in the fields of `values`.
    LooseBoolean,
    /// A value of `agents/openai.yaml` for which the client reads over the whole file.
    OpenAiFile,
}

impl Condition {
    /// Returns the condition of a form of a file. `text-form` reports the forms that no asked client minds.
    pub(crate) fn of_form(form: FormKind) -> Self {
        match form {
            FormKind::ByteOrderMark => Self::ByteOrderMark,
            FormKind::TextBefore => Self::TextBefore,
            FormKind::Dots => Self::Dots,
            _ => Self::Never,
        }
    }
}

/// The clients that a check knows, and those of them that the author names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clients<'c> {
    known: &'c [Client],
    named: &'c [String],
}

/// The name that stands for every client.
pub const ALL_CLIENTS: &str = "all";

/// The behaviour of one client under a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behaviour<'c> {
    pub(crate) client: &'c Client,
    pub(crate) fact: &'c Fact,
}

/// What the clients that are asked about one skill do.
#[derive(Debug, Default)]
pub(crate) struct Behaviours<'c> {
    all: Vec<Behaviour<'c>>,
    /// The asked clients whose reader is known.
    readers: Vec<(&'c Client, &'c Reads)>,
}

impl<'c> Behaviours<'c> {
    /// Returns the asked clients whose reader is known, each with its reader.
    pub(crate) fn readers(&self) -> &[(&'c Client, &'c Reads)] {
        &self.readers
    }

    /// Returns what the clients do under a condition.
    pub(crate) fn on(&self, condition: Condition) -> Vec<Behaviour<'c>> {
        let all = self.all.iter().copied();
        all.filter(|one| one.fact.on == condition).collect()
    }
}

impl Client {
    fn has_name(&self, name: &str) -> bool {
        self.name == name || self.names.contains(&name)
    }
}

impl<'c> Clients<'c> {
    /// The known clients, and the names of those that the skills are for. Without names, a few common clients are
    /// asked about lost skills and restraints.
    pub fn new(known: &'c [Client], named: &'c [String]) -> Self {
        Self { known, named }
    }

    /// Returns whether the caller brought facts.
    pub(crate) fn are_known(self) -> bool {
        !self.known.is_empty()
    }

    /// Returns whether the author names the clients of the skills.
    pub(crate) fn are_named(self) -> bool {
        !self.named.is_empty()
    }

    /// Returns whether the asked clients depend on the folder of a skill: if nobody names the clients, and the path can hold
    /// a client's folder.
    pub(crate) fn depend_on(self, dir: &str) -> bool {
        !self.are_named() && parts_on(dir).next().is_some()
    }

    /// Returns what the asked clients do with the skill of a folder, whatever the condition.
    pub(crate) fn about(self, dir: &str) -> Behaviours<'c> {
        let mut behaviours = Behaviours::default();
        for client in self.asked(dir) {
            behaviours
                .readers
                .extend(client.reads.as_ref().map(|reads| (client, reads)));
            for fact in client.facts {
                if self.are_named() || fact.loses != Loss::Nothing {
                    behaviours.all.push(Behaviour { client, fact });
                }
            }
        }
        behaviours
    }

    /// Returns the clients that are asked about the skill of a folder.
    ///
    /// A client that nobody names is asked only about skills in folders that it reads: a skill in `.claude/skills`
    /// is for the clients that look there.
    fn asked(self, dir: &str) -> Vec<&'c Client> {
        let known = self.known.iter();
        if self.are_named() {
            let is_it =
                |client: &Client, name: &String| client.has_name(name) || name == ALL_CLIENTS;
            return known
                .filter(|client| self.named.iter().any(|name| is_it(client, name)))
                .collect();
        }
        let parts: Vec<&str> = parts_on(dir).collect();
        let reads = |client: &Client| {
            let mut folders = client.folders.iter();
            folders.any(|folder| parts.iter().any(|part| after(part, folder).is_some()))
        };
        let is_elsewhere = !known.clone().any(reads);
        known
            .filter(|client| client.common && (is_elsewhere || reads(client)))
            .collect()
    }

    /// Returns what every known client does under a condition.
    pub(crate) fn every(self, condition: Condition) -> Vec<Behaviour<'c>> {
        let all = self.known.iter().flat_map(|client| {
            let facts = client.facts.iter();
            facts.map(move |fact| Behaviour { client, fact })
        });
        all.filter(|one| one.fact.on == condition).collect()
    }
}

/// Returns the rest of a path after the parts of a folder, one after the other: nothing, or what begins with the next
/// slash.
pub(crate) fn after_folder<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    parts_on(path).find_map(|part| after(part, folder))
}

/// Returns a path from each of its hidden parts on. Every skill is compared with every folder of every client, all of
/// which are hidden, and most paths have no hidden part.
pub(crate) fn parts_on(path: &str) -> impl Iterator<Item = &str> {
    let after_slashes = memchr::memchr_iter(b'/', path.as_bytes()).map(|at| at + 1);
    let starts = std::iter::once(0).chain(after_slashes);
    starts
        .filter_map(|start| path.get(start..))
        .filter(|part| part.starts_with('.'))
}

/// Returns the rest of a path after a folder at its start.
fn after<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Returns the consequences, each with the clients that have it.
pub(crate) fn consequences(all: &[Behaviour<'_>]) -> String {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for Behaviour { client, fact } in all {
        match parts.iter_mut().find(|(does, _)| *does == fact.does) {
            Some((_, clients)) if clients.contains(&client.title) => {}
            Some((_, clients)) => clients.push(client.title),
            None => parts.push((fact.does, vec![client.title])),
        }
    }
    let parts: Vec<String> = parts
        .iter()
        .map(|(does, clients)| format!("{does} in {}", enumerated(clients)))
        .collect();
    parts.join("; ")
}

/// Returns the sources, each once.
pub(crate) fn sources(all: &[Behaviour<'_>]) -> String {
    let mut sources: Vec<&str> = Vec::new();
    for one in all {
        if !sources.contains(&one.fact.source) {
            sources.push(one.fact.source);
        }
    }
    sources.join(", ")
}

/// Writes words as `a`, `a and b`, or `a, b and c`.
pub fn enumerated(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(
        name: &'static str,
        common: bool,
        folders: &'static [&'static str],
        loses: Loss,
    ) -> Client {
        let fact = Fact {
            on: Condition::Dots,
            does: "it is gone",
            loses,
            source: name,
            ..Fact::default()
        };
        Client {
            name,
            title: name.to_uppercase().leak(),
            common,
            folders,
            reads: None,
            names: vec![&*name.to_uppercase().leak()].leak(),
            facts: vec![fact].leak(),
        }
    }

    fn asked(named: &[&str], dir: &str) -> Vec<String> {
        let known = [
            client("a", true, &[".a/skills", ".agents/skills"], Loss::Skill),
            client("b", true, &[".b/skills", ".a/skills"], Loss::Restraint),
            client("c", true, &[".agents/skills"], Loss::Nothing),
            client("d", false, &[".a/skills"], Loss::Skill),
        ];
        let named: Vec<String> = named.iter().map(|&name| name.to_owned()).collect();
        let clients = Clients::new(&known, &named);
        let on = clients.about(dir).on(Condition::Dots);
        on.iter().map(|one| one.client.name.to_string()).collect()
    }

    #[test]
    fn which_clients_are_asked() {
        assert_eq!(asked(&[], "skills/x"), ["a", "b"]);
        assert_eq!(asked(&[], "p/.b/skills/x"), ["b"]);
        assert_eq!(asked(&[], ".a/skills/x"), ["a", "b"]);
        assert_eq!(asked(&[], ".agents/skills/x"), ["a"]);
        // `.a/skills-old` is not a folder of a client.
        assert_eq!(asked(&[], ".b/skills-old/x"), ["a", "b"]);
        assert_eq!(asked(&["c", "d"], ".b/skills/x"), ["c", "d"]);
        assert_eq!(asked(&["C"], "skills/x"), ["c"]);
        assert_eq!(asked(&[ALL_CLIENTS], "skills/x"), ["a", "b", "c", "d"]);
    }

    #[test]
    fn clients_of_one_consequence_are_named_together() {
        let known = [
            client("a", true, &[], Loss::Skill),
            client("b", true, &[], Loss::Skill),
            client("c", true, &[], Loss::Skill),
        ];
        let on = Clients::new(&known, &[]).about("x").on(Condition::Dots);
        assert_eq!(consequences(&on), "it is gone in A, B and C");
        assert_eq!(sources(&on), "a, b, c");
    }
}
