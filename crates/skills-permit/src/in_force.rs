//! The lists of all active skills together.

use crate::approved::{Approved, ApprovedRule};
use crate::kind::{ToolKind, Tools};
use crate::narrow::{Narrowed, narrow, not_here};
use crate::power::cover::is_of_server;
use crate::tool_names::ToolNames;
use skills_format::ToolRule;

/// The origin of a start: a person or the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Starter {
    /// A person, or the host on behalf of a person. The tools of all skills that a person started stay
    /// available.
    #[default]
    Person,
    /// The model. A skill that the model started only narrows the remaining tools further.
    Model,
}

/// The lists of one active skill.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InForce {
    /// The skill's id.
    pub skill: String,
    /// The name of the skill's source.
    pub source: String,
    /// Who started the skill.
    pub by: Starter,
    /// The rules of `allowed-tools`.
    #[cfg_attr(feature = "serde", serde(with = "as_written"))]
    pub rules: Vec<ToolRule>,
    /// The rules of `disallowed-tools`.
    #[cfg_attr(
        feature = "serde",
        serde(
            serialize_with = "as_written::serialize",
            deserialize_with = "as_written::taken"
        )
    )]
    pub denied: Vec<ToolRule>,
    /// True if a gate may skip its question. Not stored: the program that restores a session can serve another person.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub approves: bool,
    /// The rules among `rules` that approve nothing. Not stored, as `approves` is not.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub beyond_lock: Vec<ToolRule>,
}

/// Stores rules in the syntax of a `SKILL.md`.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod as_written {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use skills_format::ToolRule;

    pub fn serialize<S: Serializer>(rules: &[ToolRule], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(rules.iter().map(ToString::to_string))
    }

    /// Reads stored rules. A rule that does not parse allows nothing: left out, it could leave an empty
    /// list, which allows everything.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<ToolRule>, D::Error> {
        read(deserializer, &ToolRule::NONE)
    }

    /// Reads rules that take tools away. A rule that does not parse takes every tool.
    pub(crate) fn taken<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<ToolRule>, D::Error> {
        read(deserializer, &ToolRule::ALL)
    }

    fn read<'de, D: Deserializer<'de>>(from: D, or: &ToolRule) -> Result<Vec<ToolRule>, D::Error> {
        let written = Vec::<String>::deserialize(from)?;
        let read = |rule: &String| ToolRule::parse(rule).unwrap_or_else(|| or.clone());
        Ok(written.iter().map(read).collect())
    }
}

/// Narrows the host's tools. The tools of all skills that a person started stay allowed. Each skill that
/// the model started only narrows further: if its tools were added, the model could widen by a start what the
/// person's skills left.
pub fn narrowed(in_force: &[InForce], available: &Tools) -> Narrowed {
    let rules_of = |by: Starter| {
        let of = in_force.iter().filter(move |rules| rules.by == by);
        of.map(|in_force| in_force.rules.as_slice())
    };
    let persons: Vec<&[ToolRule]> = rules_of(Starter::Person).collect();
    let narrowed = narrow(&persons, available);
    rules_of(Starter::Model).fold(narrowed, Narrowed::further)
}

/// Returns the ids of the skills that take a call away, the latest last. `narrows`: the rules of `allowed-tools` narrow.
pub fn taken_by(
    in_force: &[InForce],
    narrows: bool,
    available: &Tools,
    (tool, input): (&str, &str),
) -> Vec<String> {
    let persons = in_force.iter().filter(|it| it.by == Starter::Person);
    // What one of the skills of a person allows stays, so only all of them together take a call away.
    let persons: Vec<&[ToolRule]> = persons.map(|it| &*it.rules).collect();
    let by_persons = !narrow(&persons, available).allows(tool, input);
    let takes = |it: &&InForce| {
        let denied = narrow(&[], available).without(&it.denied);
        let is_narrowed = match it.by {
            Starter::Person => by_persons && !it.rules.is_empty(),
            Starter::Model => !narrow(&[&it.rules], available).allows(tool, input),
        };
        !denied.allows(tool, input) || narrows && is_narrowed
    };
    in_force
        .iter()
        .filter(takes)
        .map(|it| it.skill.clone())
        .collect()
}

/// Returns the tools that the skills name and the host does not have, without duplicates. Compared with all tools of
/// the host: a tool that another skill took away is not unknown.
pub fn unknown(in_force: &[InForce], available: &Tools) -> Vec<String> {
    let rules: Vec<&[ToolRule]> = in_force.iter().map(|it| &*it.rules).collect();
    let allowed = narrow(&rules, available).unknown;
    let disallowed = in_force
        .iter()
        .flat_map(|it| not_here(&it.denied, available));
    let mut unknown: Vec<String> = Vec::new();
    for tool in allowed.into_iter().chain(disallowed) {
        if !unknown.contains(&tool) {
            unknown.push(tool);
        }
    }
    unknown
}

/// Returns the rules that approve calls of the tools that are left.
pub fn approved(
    in_force: &[InForce],
    available: &Tools,
    left: &Narrowed,
    names: &ToolNames,
) -> Approved {
    let approving = in_force
        .iter()
        .filter(|it| it.approves && it.by == Starter::Person);
    let approving = approving.flat_map(|it| {
        let held = it
            .rules
            .iter()
            .filter(|rule| !it.beyond_lock.contains(rule));
        held.map(move |rule| (&it.skill, rule))
    });
    let mut rules: Vec<ApprovedRule> = Vec::new();
    for (skill, rule) in approving {
        if rule.tool.ends_with('*') && !is_of_server(&rule.tool) {
            continue;
        }
        let meant = available.iter().zip(available.meant(&rule.tool));
        for ((tool, kind), _) in meant.filter(|(_, is_meant)| *is_meant) {
            let Some(left) = left.tools.iter().find(|left| left.tool == tool) else {
                continue;
            };
            let approved = ApprovedRule {
                skill: skill.clone(),
                tool: tool.to_owned(),
                rule: rule.clone(),
                kind: kind_of(tool, kind, names),
                denied: left.denied.clone(),
            };
            if !rules.contains(&approved) {
                rules.push(approved);
            }
        }
    }
    Approved { rules }
}

/// Returns the kind by which the inputs of a tool are read. A tool whose kind the host did not give has the kind of
/// its name, or of a name that the host mapped to it: a shell must not pass for a tool without command lines.
fn kind_of(tool: &str, given: ToolKind, names: &ToolNames) -> ToolKind {
    let mapped = names.names().iter().filter(|(_, ours)| ours == tool);
    let names = std::iter::once(tool).chain(mapped.map(|(theirs, _)| &**theirs));
    let mut kinds = std::iter::once(given).chain(names.map(ToolKind::of));
    kinds
        .find(|kind| *kind != ToolKind::Other)
        .unwrap_or_default()
}

/// The `allowed-tools` and `disallowed-tools` of one skill. [`InForce`] adds who started the skill, for a host with several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    lists: InForce,
}

impl Rules {
    /// Reads both lists as a `SKILL.md` writes them. Empty: the skill has no such list.
    ///
    /// An entry of `allowed-tools` that does not parse names no tool, and the list approves nothing. An entry of
    /// `disallowed-tools` that does not parse takes every tool away.
    pub fn parse(allowed: &str, disallowed: &str) -> Self {
        let read = |list: &str, unread: ToolRule| {
            let mut rules = ToolRule::parse_list(list);
            if !ToolRule::faults(list).is_empty() {
                rules.push(unread);
            }
            rules
        };
        Self {
            lists: InForce {
                skill: String::new(),
                source: String::new(),
                by: Starter::Person,
                rules: read(allowed, ToolRule::NONE),
                denied: read(disallowed, ToolRule::ALL),
                approves: ToolRule::is_exact_list(allowed),
                beyond_lock: Vec::new(),
            },
        }
    }

    /// Returns whether a call is left in a host that reads `allowed-tools` as a limit. `tool` is the host's name of the
    /// tool, and `input` is what the call acts on: see [`Narrowed::allows`].
    pub fn allows(&self, tool: &str, kind: ToolKind, input: &str) -> bool {
        let tools = Tools::from([(tool, kind)]);
        let left = narrow(&[&*self.lists.rules], &tools).without(&self.lists.denied);
        left.allows(tool, input)
    }

    /// Returns whether a host may skip its own question about a call: see [`Approved::admits`](crate::Approved::admits).
    pub fn approves(&self, tool: &str, kind: ToolKind, input: &str) -> bool {
        let tools = Tools::from([(tool, kind)]);
        let left: Narrowed = narrow(&[], &tools).without(&self.lists.denied);
        let lists = std::slice::from_ref(&self.lists);
        approved(lists, &tools, &left, &ToolNames::NONE).admits(tool, input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> Tools {
        Tools::from([
            ("fs_get", ToolKind::Read),
            ("sh_run", ToolKind::Shell),
            ("mail", ToolKind::Other),
        ])
    }

    /// Returns the rules of a skill with this name.
    fn rules(skill: &str, by: Starter, allowed: &str, denied: &str) -> InForce {
        InForce {
            skill: skill.to_owned(),
            source: "user".to_owned(),
            by,
            rules: ToolRule::parse_list(allowed),
            denied: ToolRule::parse_list(denied),
            approves: false,
            beyond_lock: Vec::new(),
        }
    }

    /// The tools of all skills of a person are added up. A skill that the model started takes tools away.
    #[test]
    fn a_skill_of_the_model_only_narrows() {
        let left = |skills: &[(Starter, &str)]| {
            let in_force = skills.iter().map(|(by, list)| rules("x", *by, list, ""));
            let left = narrowed(&in_force.collect::<Vec<_>>(), &host());
            left.names().collect::<Vec<_>>().join(" ")
        };
        let (person, model) = (Starter::Person, Starter::Model);
        assert_eq!(left(&[]), "fs_get sh_run mail");
        assert_eq!(left(&[(person, "Read"), (person, "Bash")]), "fs_get sh_run");
        assert_eq!(left(&[(model, "Read"), (model, "Bash")]), "");
        assert_eq!(
            left(&[(model, "Read Bash"), (model, "Bash mail")]),
            "sh_run"
        );
        assert_eq!(
            left(&[(model, "Read Bash"), (person, "Read mail")]),
            "fs_get"
        );
    }

    #[test]
    fn the_skills_that_take_a_call_are_named() {
        let in_force = [
            rules("reads", Starter::Person, "Read", ""),
            rules("logs", Starter::Person, "Bash(git log:*)", ""),
            rules("free", Starter::Person, "", ""),
            rules("never", Starter::Person, "", "mail"),
            rules("called", Starter::Model, "Read", ""),
            rules("open", Starter::Model, "", ""),
        ];
        for (tool, input, narrows, otherwise) in [
            ("fs_get", "a.txt", "", ""),
            ("sh_run", "git log -1", "called", ""),
            ("sh_run", "git push", "reads logs called", ""),
            ("mail", "x", "reads logs never called", "never"),
        ] {
            let by = |narrows: bool| taken_by(&in_force, narrows, &host(), (tool, input)).join(" ");
            assert_eq!(by(true), narrows, "{tool} {input}");
            assert_eq!(by(false), otherwise, "{tool} {input}");
        }
    }

    #[test]
    fn unknown_tools_are_those_of_both_lists() {
        let in_force = [
            rules("a", Starter::Person, "Read Gone", "Lost Bash"),
            rules("b", Starter::Model, "Gone Far", "Lost Far"),
        ];
        assert_eq!(unknown(&in_force, &host()), ["Gone", "Far", "Lost"]);
        assert_eq!(unknown(&in_force[..0], &host()), [""; 0]);
    }

    #[test]
    fn a_rule_beyond_the_lock_approves_nothing() {
        let mut skill = rules("a", Starter::Person, "Read Bash(git log:*)", "");
        skill.approves = true;
        skill.beyond_lock = ToolRule::parse_list("Bash(git log:*)");
        let left = narrowed(&[], &host());
        let approved = approved(&[skill], &host(), &left, &ToolNames::NONE);
        assert!(approved.admits("fs_get", "a.md"));
        assert!(!approved.admits("sh_run", "git log"));
    }

    /// Only a shell reads `git log:*` as the beginning of a command.
    #[test]
    fn a_tool_has_the_kind_of_a_name_that_the_host_mapped_to_it() {
        let host = Tools::from([("mail", ToolKind::Other)]);
        let mut skill = rules("a", Starter::Person, "mail(git log:*)", "");
        skill.approves = true;
        let admits = |theirs: &str, ours: &str| {
            let names = ToolNames::new([(theirs.to_owned(), ours.to_owned())]).expect("names");
            let skill = std::slice::from_ref(&skill);
            approved(skill, &host, &narrowed(&[], &host), &names).admits("mail", "git log -1")
        };
        assert!(admits("Bash", "mail"));
        assert!(!admits("Bash", "post") && !admits("Read", "mail"));
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_stored_rule_that_does_not_parse_allows_nothing() {
        use serde::de::value::{Error, SeqDeserializer};
        let stored = || SeqDeserializer::<_, Error>::new(["Bash(git *)", "(x"].into_iter());
        let git = ToolRule::parse("Bash(git *)").expect("a rule");
        let allowed = as_written::deserialize(stored());
        assert_eq!(allowed, Ok(vec![git.clone(), ToolRule::NONE]));
        let taken = as_written::taken(stored());
        assert_eq!(taken, Ok(vec![git, ToolRule::ALL]));
    }

    #[test]
    fn a_rule_that_can_approve_names_one_tool_or_one_server() {
        let host = Tools::from([("mcp__git__log", ToolKind::Other)]);
        let left = narrowed(&[], &host);
        for (rule, is_named) in [
            ("mcp__git__log", true),
            ("mcp__git__*", true),
            ("mcp____*", false),
            ("mcp__git*", false),
            ("mcp__*", false),
            ("m*", false),
            ("*", false),
        ] {
            let mut skill = rules("a", Starter::Person, rule, "");
            skill.approves = true;
            let approved = approved(&[skill], &host, &left, &ToolNames::NONE);
            assert_eq!(approved.admits("mcp__git__log", "x"), is_named, "{rule}");
        }
    }
}

#[cfg(test)]
mod rules_tests {
    use super::*;

    #[test]
    fn lists_that_do_not_parse_allow_less() {
        let shell = |allowed: &str, denied: &str| {
            let rules = Rules::parse(allowed, denied);
            (
                rules.allows("Bash", ToolKind::Shell, "git log"),
                rules.approves("Bash", ToolKind::Shell, "git log"),
            )
        };
        for (allowed, denied, expected) in [
            ("", "", (true, false)),
            ("Bash(git *)", "", (true, true)),
            ("Bash(git *", "", (false, false)),
            ("Read, (x)", "", (false, false)),
            ("Bash(git *), (x)", "", (true, false)),
            ("Read", "", (false, false)),
            ("Bash", "Bash(git log:*)", (false, false)),
            ("Bash", "(x)", (false, false)),
            ("Bash", "Read", (true, true)),
        ] {
            assert_eq!(shell(allowed, denied), expected, "{allowed} {denied}");
        }
    }
}
