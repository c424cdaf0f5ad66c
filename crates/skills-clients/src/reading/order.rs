//! The order of skills: in one folder, and in several folders.

use crate::reading::file::{ReadSkill, Reader};
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
            Self::ClaudeCode => skills.sort_by_key(|placed| placed.tier == Tier::Project),
            // Two skills of one name are both listed.
            Self::Codex => {
                skills.sort_by(|a, b| {
                    let key = |it: &Placed| (it.tier, it.skill.name.clone(), it.root.clone());
                    key(a).cmp(&key(b))
                });
                return skills;
            }
            Self::GeminiCli => {
                skills.sort_by_key(|placed| (placed.tier, !placed.is_in(AGENTS)));
            }
            // Its own folders, those of a person first, override the folders of others.
            Self::Opencode => skills.sort_by_key(|placed| match placed.tier {
                Tier::Person if placed.is_in(".opencode/skills") => (0, false),
                Tier::Project if placed.is_in(".opencode/skills") => (1, false),
                Tier::Person if placed.is_in("opencode/skills") => (2, false),
                Tier::Project => (3, !placed.is_in(AGENTS)),
                Tier::Person => (4, !placed.is_in(AGENTS)),
            }),
        }
        first_of_each_name(&mut skills, |placed| &placed.skill.name);
        if self == Self::GeminiCli {
            skills.sort_by_key(|placed| placed.tier == Tier::Project);
        } else {
            skills.sort_by_cached_key(|placed| collation(&placed.skill.name));
        }
        skills
    }
}

pub(super) fn first_of_each_name<T>(skills: &mut Vec<T>, name: fn(&T) -> &String) {
    let mut seen = BTreeSet::new();
    skills.retain(|skill| seen.insert(name(skill).clone()));
}

/// ASCII's punctuation in the order of Unicode's collation.
const MARKS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// The class and the place of each character, and whether it has a mark or is a capital.
pub(super) type Collation = (Vec<(u8, usize)>, Vec<(bool, bool)>);

/// Returns a key that sorts as `localeCompare` does: punctuation, digits, letters; marks and capitals count last. Letters
/// beyond Latin with marks are compared by their code points.
pub(super) fn collation(text: &str) -> Collation {
    let weights = text.chars().filter_map(|c| {
        if let Some(at) = MARKS.find(c) {
            return Some((0, at));
        }
        let lower = base(c).to_lowercase().next().unwrap_or(c);
        let class = match c {
            // Characters without width have no weight.
            '\u{200b}'..='\u{200f}' | '\u{feff}' => return None,
            c if c.is_control() => return None,
            '0'..='9' => 2,
            _ if lower.is_alphabetic() => 3,
            _ => 1,
        };
        Some((class, lower as usize))
    });
    let ties = text.chars().map(|c| (base(c) != c, c.is_uppercase()));
    (weights.collect(), ties.collect())
}

/// Returns the letter without its mark, for the letters of Latin-1.
fn base(c: char) -> char {
    match c {
        'À'..='Å' | 'à'..='å' => 'a',
        'Ç' | 'ç' => 'c',
        'È'..='Ë' | 'è'..='ë' => 'e',
        'Ì'..='Ï' | 'ì'..='ï' => 'i',
        'Ñ' | 'ñ' => 'n',
        'Ò'..='Ö' | 'ò'..='ö' => 'o',
        'Ù'..='Ü' | 'ù'..='ü' => 'u',
        'Ý' | 'ý' | 'ÿ' => 'y',
        c => c,
    }
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

    #[test]
    fn as_opencode_lists_names() {
        let names = [
            "-a",
            ".a",
            "[a]",
            "1",
            "a b",
            "a_b",
            "a-",
            "a--b",
            "A-B",
            "a,b",
            "a;b",
            "a:b",
            "a!b",
            "a?b",
            "a.b",
            "a'b",
            "a\"b",
            "a(b)",
            "a@b",
            "a*b",
            "a/b",
            "a\\b",
            "a&b",
            "a#b",
            "a%b",
            "a`b",
            "a^b",
            "a+b",
            "a=b",
            "a|b",
            "a~b",
            "a$b",
            "a\u{200b}b",
            "alpha",
            "Beta",
            "ümlaut",
            "under",
            "日本",
        ];
        let mut sorted = names;
        sorted.sort_by_cached_key(|name| collation(name));
        assert_eq!(sorted, names);
    }
}
