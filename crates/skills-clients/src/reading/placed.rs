//! The skills of several folders, in the order in which a program lists them.

use crate::reading::order::collate;
use crate::reading::{ReadSkill, Reader};
use std::collections::BTreeSet;

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

impl Reader {
    /// Puts the skills of several folders into the program's order, and removes the skills that another skill of the
    /// same name replaces. The folders of a project come first, the nearest folder before the folders above.
    ///
    /// The lists of one folder are compared with the programs themselves. Which of two folders wins was not compared,
    /// and can differ from what a program does.
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
                first_of_each_name(&mut skills);
                skills.sort_by_key(|placed| placed.tier == Tier::Project);
            }
            Self::Opencode => {
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
}
