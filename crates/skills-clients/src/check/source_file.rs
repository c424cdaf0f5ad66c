//! The source file `table.rs`: the facts of the table of clients as the rules of the group *portability* ask for them.

use crate::client::{
    Also, Client, Discovery, Fact, Field, FieldType, Folders, FrontMatter, Letters, Name,
    Placeholders, Positional, Replaced, Restraints, Spelling, all,
};
use crate::source::Source;
use skills_lint::{Condition, Loss};
use std::fmt::Write as _;

const UNLISTED: &str = "the skill is not listed";

/// Renders the source file `table.rs`. A check of one skill would pay more for reading the files of the table than for all
/// else.
pub(crate) fn source_file() -> String {
    let mut text = String::from(
        "//! The facts about clients for the rules of the group *portability*: one line a fact.\n//!\n//! Generated from \
         crates/skills-clients/clients. `UPDATE_DOCS=1 cargo test -p skills-clients` writes the file again.\n\n\
         use crate::check::line::{fact, read};\nuse crate::reading::Reader;\nuse skills_lint::{Client, Condition, Loss, Reads};\n\n\
         #[rustfmt::skip]\n\
         pub(super) static CLIENTS: &[Client] = &[\n",
    );
    for client in all() {
        let Client {
            name, title, names, ..
        } = client;
        let common = client.check.as_ref().is_some_and(|check| check.common);
        // A folder `skills` belongs to nobody: most repositories of skills have one.
        let folders = client.folders.iter().flat_map(Folders::in_project);
        let folders: Vec<&str> = folders.filter(|it| it.starts_with('.')).collect();
        let _ = write!(
            text,
            "    Client {{ name: {name:?}, title: {title:?}, names: &{names:?}, common: {common}, folders: &{folders:?}, "
        );
        text += &reads(client);
        text += ", facts: &[\n";
        for fact in facts(client) {
            let _ = writeln!(text, "        {},", line(&fact));
        }
        text += "    ] },\n";
    }
    text + "];\n"
}

fn reads(client: &Client) -> String {
    let Some((listing, reader)) = client.listing.as_ref().and_then(|it| Some((it, it.reads?)))
    else {
        return "reads: None".to_owned();
    };
    let [dropped, misread] = [UNLISTED, "another text is its description"].map(|does| {
        line(&fact(
            client,
            &listing.source,
            Condition::Never,
            Loss::Skill,
            does,
        ))
    });
    let closes = reader.closes();
    format!(
        "reads: Some(Reads {{ read: |file| read(Reader::{reader:?}, file), closes: {closes}, dropped: {dropped}, misread: {misread} }})"
    )
}

fn line(fact: &Fact) -> String {
    let Fact {
        on,
        does,
        loses,
        key,
        values,
        limit,
        source,
        seen,
    } = fact;
    format!(
        "fact(Condition::{on:?}, {key:?}, &{values:?}, {limit}, Loss::{loses:?}, {does:?}, {source:?}, {seen:?})"
    )
}

/// Returns the facts about a client: those of its section `check`, and those that its other sections imply.
fn facts(client: &Client) -> Vec<Fact> {
    let checks = client.check.iter();
    let mut all: Vec<Fact> = checks.flat_map(|check| check.facts.clone()).collect();
    if let Some(it) = &client.discovery {
        discovery(client, it, &mut all);
    }
    if let Some(it) = &client.restraints {
        restraints(client, it, &mut all);
    }
    if let Some(it) = &client.placeholders {
        placeholders(client, it, &mut all);
    }
    if let Some(it) = &client.front_matter {
        fields(client, it, &mut all);
    }
    if let Some(it) = &client.name_rules {
        names(client, it, &mut all);
    }
    all
}

fn fact(client: &Client, source: &Source, on: Condition, loses: Loss, does: &str) -> Fact {
    let page = source.at.split(": ").next().unwrap_or_default();
    let run = source.version.as_ref();
    Fact {
        on,
        does: does.to_owned(),
        loses,
        source: run.map_or(page.to_owned(), |run| format!("{} {run}", client.title)),
        seen: source.seen.clone(),
        ..Fact::default()
    }
}

impl Fact {
    fn of<T: ToString>(mut self, values: &[T]) -> Self {
        self.values = values.iter().map(T::to_string).collect();
        self
    }

    fn key(mut self, key: &str) -> Self {
        key.clone_into(&mut self.key);
        self
    }

    fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }
}

fn discovery(client: &Client, discovery: &Discovery, all: &mut Vec<Fact>) {
    let fact = |on| fact(client, &discovery.source, on, Loss::Skill, UNLISTED);
    all.extend(
        discovery
            .depth
            .map(|depth| fact(Condition::Depth).limit(depth)),
    );
    if !discovery.also.contains(&Also::Hidden) {
        all.push(fact(Condition::HiddenFolder));
    }
    if !discovery.reserved.is_empty() {
        all.push(fact(Condition::ReservedFolder).of(&discovery.reserved));
    }
}

fn restraints(client: &Client, restraints: &Restraints, all: &mut Vec<Fact>) {
    let fact = |on, loses, does| fact(client, &restraints.source, on, loses, does);
    // A client that reads no restraint at all makes no difference between two spellings.
    let (loses, does) = match restraints.model[..] {
        [] => (
            Loss::Nothing,
            "there is no field for this, so the model may start the skill",
        ),
        _ => (Loss::Restraint, "the model may start the skill"),
    };
    all.push(fact(Condition::Closed, loses, does).of(&ids(&restraints.model)));
    if !restraints.truths.is_empty() {
        let truths = fact(Condition::LooseBoolean, loses, does).of(&restraints.truths);
        all.push(truths.key("disable-model-invocation"));
    }
    let does = match restraints.person[..] {
        [] => "there is no field for this, so a person can start the skill",
        _ => "a person can start the skill",
    };
    let person = fact(Condition::ClosedToPerson, Loss::Nothing, does);
    all.push(person.of(&ids(&restraints.person)));
}

/// Returns the ids of spellings in the facts. `paths` closes a skill only for a time.
fn ids(spellings: &[Spelling]) -> Vec<&'static str> {
    let ids = spellings.iter().filter_map(|spelling| match spelling {
        Spelling::DisableModelInvocation => Some("disable-model-invocation"),
        Spelling::OpenaiYaml => Some("openai-yaml"),
        Spelling::OpencodeAutoinvoke => Some("opencode-autoinvoke"),
        Spelling::TopLevelAutoinvoke => Some("top-level-autoinvoke"),
        Spelling::UserInvocable => Some("user-invocable"),
        Spelling::OpencodeSlash => Some("opencode-slash"),
        Spelling::TopLevelSlash => Some("top-level-slash"),
        Spelling::Paths => None,
    });
    ids.collect()
}

fn placeholders(client: &Client, placeholders: &Placeholders, all: &mut Vec<Fact>) {
    let fact = |on, does| fact(client, &placeholders.source, on, Loss::Nothing, does);
    let replaces = |it| placeholders.replaces.contains(&it);
    match placeholders.positional {
        Positional::Given => {
            let does = "it is replaced by a word of the arguments (if there are enough)";
            all.push(fact(Condition::Positional, does).limit(placeholders.first));
        }
        Positional::Never => all.push(fact(Condition::PositionalKept, "it stays as it is")),
        Positional::Declared => {}
    }
    if replaces(Replaced::Commands) {
        let does = "the argument becomes a part of a command that runs at once";
        let no_names = (!replaces(Replaced::Names)).then_some("no-names");
        all.push(fact(Condition::Injection, does).of(no_names.as_slice()));
    }
    let words = placeholders.replaces.iter().filter_map(|it| match it {
        Replaced::Arguments => Some("arguments"),
        Replaced::Names => Some("names"),
        Replaced::Commands => Some("commands"),
        Replaced::Code => None,
    });
    let kept: Vec<&str> = words
        .chain(placeholders.variables.iter().map(String::as_str))
        .collect();
    all.push(fact(Condition::PlaceholderKept, "it stays as it is").of(&kept));
}

fn fields(client: &Client, front: &FrontMatter, all: &mut Vec<Fact>) {
    let fact = |on, loses, does| fact(client, &front.source, on, loses, does);
    let known: Vec<&String> = front.fields.keys().collect();
    let ignored = fact(Condition::FieldIgnored, Loss::Nothing, "it has no effect");
    let refused = fact(
        Condition::UnknownField,
        Loss::Skill,
        "the upload is refused",
    );
    let unknown = if front.refuses_unknown {
        refused
    } else {
        ignored
    };
    all.push(unknown.of(&known));
    for (key, field) in &front.fields {
        let other = fact(
            Condition::OtherValue,
            Loss::Nothing,
            "the value has no effect",
        );
        match field {
            Field::Values(values) => all.push(other.key(key).of(values)),
            // The words for booleans of a restraint are facts of the restraints.
            Field::Type(FieldType::Boolean)
                if !matches!(&**key, "disable-model-invocation" | "user-invocable") =>
            {
                all.push(other.key(key).of(&["true", "false"]));
            }
            Field::Type(_) => {}
        }
    }
}

fn names(client: &Client, names: &Name, all: &mut Vec<Fact>) {
    let fact = |on, does| fact(client, &names.source, on, Loss::Skill, does);
    if names.letters == Letters::Ascii {
        all.push(fact(Condition::NameBeyondAscii, "the name is not valid"));
    }
    if !names.refuses.is_empty() {
        all.push(fact(Condition::WordInName, "the upload is refused").of(&names.refuses));
    }
}
