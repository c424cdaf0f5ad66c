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
         use super::{fact, loss, read};\nuse crate::reading::Reader;\nuse skills_lint::{Client, Condition, Loss, Reads};\n\n\
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
        text += "facts: &[\n";
        for fact in facts(client) {
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
            let _ = writeln!(
                text,
                "        fact(Condition::{on:?}, {key:?}, &{values:?}, {limit}, Loss::{loses:?}, {does:?}, {source:?}, {seen:?}),"
            );
        }
        text += "    ] },\n";
    }
    text + "];\n"
}

fn reads(client: &Client) -> String {
    let Some((listing, reader)) = client.listing.as_ref().and_then(|it| Some((it, it.reads?)))
    else {
        return "reads: None, ".to_owned();
    };
    let [dropped, misread] = [UNLISTED, "another text is its description"].map(|does| {
        let Fact { source, seen, .. } =
            fact(client, &listing.source, Condition::Never, Loss::Skill, does);
        format!("loss({does:?}, {source:?}, {seen:?})")
    });
    format!(
        "reads: Some(Reads {{\n        read: |file| read(Reader::{reader:?}, file), closes: {},\n        dropped: {dropped},\n        \
         misread: {misread},\n    }}), ",
        reader.closes()
    )
}

/// Returns the facts about a client: those of its section `check`, and those that its other sections imply.
fn facts(client: &Client) -> Vec<Fact> {
    let mut all = client
        .check
        .as_ref()
        .map_or_else(Vec::new, |check| check.facts.clone());
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
    Fact {
        on,
        does: does.to_owned(),
        loses,
        source: match &source.version {
            Some(version) => format!("{} {version}", client.title),
            None => page.to_owned(),
        },
        seen: source.seen.clone(),
        ..Fact::default()
    }
}

fn discovery(client: &Client, discovery: &Discovery, all: &mut Vec<Fact>) {
    let fact = |on| fact(client, &discovery.source, on, Loss::Skill, UNLISTED);
    if let Some(limit) = discovery.depth {
        all.push(Fact {
            limit,
            ..fact(Condition::Depth)
        });
    }
    if !discovery.also.contains(&Also::Hidden) {
        all.push(fact(Condition::HiddenFolder));
    }
    if !discovery.reserved.is_empty() {
        all.push(Fact {
            values: discovery.reserved.clone(),
            ..fact(Condition::ReservedFolder)
        });
    }
}

fn restraints(client: &Client, restraints: &Restraints, all: &mut Vec<Fact>) {
    let fact = |on, loses, does| fact(client, &restraints.source, on, loses, does);
    // A client that reads no restraint at all makes no difference between two spellings.
    let (loses, does) = if restraints.model.is_empty() {
        (
            Loss::Nothing,
            "no spelling closes it and the model may start the skill",
        )
    } else {
        (Loss::Restraint, "the model may start the skill")
    };
    all.push(Fact {
        values: ids(&restraints.model),
        ..fact(Condition::Closed, loses, does)
    });
    if !restraints.truths.is_empty() {
        all.push(Fact {
            key: "disable-model-invocation".to_owned(),
            values: restraints.truths.clone(),
            ..fact(Condition::LooseBoolean, loses, does)
        });
    }
    let does = if restraints.person.is_empty() {
        "no spelling closes it and a person can start the skill"
    } else {
        "a person can start the skill"
    };
    all.push(Fact {
        values: ids(&restraints.person),
        ..fact(Condition::ClosedToPerson, Loss::Nothing, does)
    });
}

/// Returns the ids of spellings in the facts. `paths` closes a skill only for a time.
fn ids(spellings: &[Spelling]) -> Vec<String> {
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
    ids.map(str::to_owned).collect()
}

fn placeholders(client: &Client, placeholders: &Placeholders, all: &mut Vec<Fact>) {
    let fact = |on, does| fact(client, &placeholders.source, on, Loss::Nothing, does);
    let replaces = |it| placeholders.replaces.contains(&it);
    match placeholders.positional {
        Positional::Given => all.push(Fact {
            limit: placeholders.first,
            ..fact(
                Condition::Positional,
                "a word of the arguments takes its place, if a person gives enough of them,",
            )
        }),
        Positional::Never => all.push(fact(Condition::PositionalKept, "it stays as it is")),
        Positional::Declared => {}
    }
    if replaces(Replaced::Names) {
        all.push(fact(
            Condition::NamedArguments,
            "what a person types for it is lost",
        ));
    }
    if replaces(Replaced::Commands) {
        let does = "the argument becomes a part of a command that runs at once";
        let has_names = replaces(Replaced::Names);
        all.push(Fact {
            values: if has_names {
                Vec::new()
            } else {
                vec!["no-names".to_owned()]
            },
            ..fact(Condition::Injection, does)
        });
    }
    let words = placeholders.replaces.iter().filter_map(|it| match it {
        Replaced::Arguments => Some("arguments".to_owned()),
        Replaced::Names => Some("names".to_owned()),
        Replaced::Commands => Some("commands".to_owned()),
        Replaced::Code => None,
    });
    all.push(Fact {
        values: words
            .chain(placeholders.variables.iter().cloned())
            .collect(),
        ..fact(Condition::PlaceholderKept, "it stays as it is")
    });
    all.push(if placeholders.escape {
        fact(Condition::EscapeDropped, "the backslash is removed")
    } else {
        fact(Condition::EscapeKept, "the backslash stays")
    });
}

fn fields(client: &Client, front: &FrontMatter, all: &mut Vec<Fact>) {
    let fact = |on, loses, does| fact(client, &front.source, on, loses, does);
    all.push(Fact {
        values: front.fields.keys().cloned().collect(),
        ..if front.refuses_unknown {
            fact(
                Condition::UnknownField,
                Loss::Skill,
                "the upload is refused",
            )
        } else {
            fact(Condition::FieldIgnored, Loss::Nothing, "it has no effect")
        }
    });
    for (key, field) in &front.fields {
        let values = match field {
            Field::Values(values) => values.clone(),
            // The words for truth values of a restraint are facts of the restraints.
            Field::Type(FieldType::Boolean)
                if !matches!(&**key, "disable-model-invocation" | "user-invocable") =>
            {
                ["true", "false"].map(str::to_owned).into()
            }
            Field::Type(_) => continue,
        };
        let does = "the value has no effect";
        all.push(Fact {
            key: key.clone(),
            values,
            ..fact(Condition::OtherValue, Loss::Nothing, does)
        });
    }
}

fn names(client: &Client, names: &Name, all: &mut Vec<Fact>) {
    let fact = |on, does| fact(client, &names.source, on, Loss::Skill, does);
    if names.letters == Letters::Ascii {
        all.push(fact(Condition::NameBeyondAscii, "the name is not valid"));
    }
    if !names.refuses.is_empty() {
        all.push(Fact {
            values: names.refuses.clone(),
            ..fact(Condition::WordInName, "the upload is refused")
        });
    }
}
