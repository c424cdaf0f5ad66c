//! The skills of several folders, in the order in which a program lists them.

use crate::reading::order::collate;
use crate::reading::{ReadSkill, Reader};
use std::collections::BTreeSet;
use std::path::Path;

/// A skill, and the folder of skills in which a program reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The owner of the folder.
    pub tier: Tier,
    /// The path of the folder of skills.
    pub root: String,
    /// The skill.
    pub skill: ReadSkill,
}

/// The owner of a folder of skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// A project.
    Project,
    /// A person.
    Person,
}

/// The folder that several programs share.
const AGENTS: &str = ".agents/skills";

impl Placed {
    /// Returns whether the folder of skills ends with this path.
    fn is_in(&self, path: &str) -> bool {
        Path::new(&self.root).ends_with(path)
    }
}

impl Reader {
    /// Puts the skills of several folders into the program's order, and removes the skills that another skill of the
    /// same name replaces. The folders of a project come first, the nearest folder before the folders above.
    ///
    /// Compared with the programs themselves, for each folder and for pairs of folders (`tests/clients/kept/folders`).
    /// For a program that [reads several files at once](Self::is_concurrent), the order is that on an idle machine.
    pub fn joined(self, mut skills: Vec<Placed>) -> Vec<Placed> {
        match self {
            // The skills of a person override those of a project.
            Self::ClaudeCode => {
                skills.sort_by_key(|placed| placed.tier == Tier::Project);
                first_of_each_name(&mut skills);
                skills.sort_by(|a, b| collate(&a.skill.name, &b.skill.name));
            }
            // Two skills of one name are both listed.
            Self::Codex => skills.sort_by(|a, b| {
                let key = |placed: &Placed| (placed.tier, placed.skill.name.clone());
                key(a).cmp(&key(b)).then_with(|| a.root.cmp(&b.root))
            }),
            Self::GeminiCli => {
                skills.sort_by_key(|placed| (placed.tier, !placed.is_in(AGENTS)));
                first_of_each_name(&mut skills);
                skills.sort_by_key(|placed| placed.tier == Tier::Project);
            }
            // Its own folders, those of a person first, override the folders of others.
            Self::Opencode => {
                skills.sort_by_key(|placed| match placed.tier {
                    Tier::Person if placed.is_in(".opencode/skills") => (0, false),
                    Tier::Project if placed.is_in(".opencode/skills") => (1, false),
                    Tier::Person if placed.is_in("opencode/skills") => (2, false),
                    Tier::Project => (3, !placed.is_in(AGENTS)),
                    Tier::Person => (4, !placed.is_in(AGENTS)),
                });
                first_of_each_name(&mut skills);
                skills.sort_by(|a, b| collate(&a.skill.name, &b.skill.name));
            }
        }
        skills
    }
}

fn first_of_each_name(skills: &mut Vec<Placed>) {
    let mut seen = BTreeSet::new();
    skills.retain(|placed| seen.insert(placed.skill.name.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(reader: Reader) -> Vec<String> {
        let placed = |tier, root: &str, name: &str| Placed {
            tier,
            root: root.to_owned(),
            skill: ReadSkill {
                name: name.to_owned(),
                ..ReadSkill::default()
            },
        };
        let skills = vec![
            placed(Tier::Project, "p", "tidy"),
            placed(Tier::Project, "p", "zip"),
            placed(Tier::Person, "h", "build"),
            placed(Tier::Person, "h", "tidy"),
        ];
        let joined = reader.joined(skills);
        let written = |placed: &Placed| format!("{}/{}", placed.root, placed.skill.name);
        joined.iter().map(written).collect()
    }

    #[test]
    fn which_of_two_skills_is_listed() {
        assert_eq!(joined(Reader::ClaudeCode), ["h/build", "h/tidy", "p/zip"]);
        assert_eq!(
            joined(Reader::Codex),
            ["p/tidy", "p/zip", "h/build", "h/tidy"]
        );
        assert_eq!(joined(Reader::GeminiCli), ["h/build", "p/tidy", "p/zip"]);
        assert_eq!(joined(Reader::Opencode), ["h/build", "p/tidy", "p/zip"]);
    }

    #[test]
    fn which_of_two_folders_wins() {
        let wins = |reader: Reader, folders: &[(Tier, &str)]| {
            let placed = |(tier, root): &(Tier, &str)| Placed {
                tier: *tier,
                root: (*root).to_owned(),
                skill: ReadSkill::default(),
            };
            let joined = reader.joined(folders.iter().map(placed).collect());
            let roots = joined.into_iter().map(|placed| placed.root);
            roots.collect::<Vec<String>>().join(" ")
        };
        let mut folders = vec![
            (Tier::Project, "p/.opencode/skills"),
            (Tier::Project, "p/.claude/skills"),
            (Tier::Project, "p/.agents/skills"),
            (Tier::Person, "h/.config/opencode/skills"),
            (Tier::Person, "h/.opencode/skills"),
            (Tier::Person, "h/.claude/skills"),
            (Tier::Person, "h/.agents/skills"),
        ];
        for expected in [
            "h/.opencode/skills",
            "p/.opencode/skills",
            "h/.config/opencode/skills",
            "p/.agents/skills",
            "p/.claude/skills",
            "h/.agents/skills",
            "h/.claude/skills",
        ] {
            assert_eq!(wins(Reader::Opencode, &folders), expected);
            folders.retain(|(_, root)| *root != expected);
        }
        let gemini = [
            (Tier::Project, "p/.gemini/skills"),
            (Tier::Project, "p/.agents/skills"),
            (Tier::Person, "h/.agents/skills"),
        ];
        assert_eq!(wins(Reader::GeminiCli, &gemini), "p/.agents/skills");
        assert_eq!(wins(Reader::GeminiCli, &gemini[..1]), "p/.gemini/skills");
    }
}
